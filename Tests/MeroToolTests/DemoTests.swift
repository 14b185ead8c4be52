import Foundation
import LocalCluster
import MeroHTTP
import MeroWire
import Testing

@testable import mero

@Suite("mero demo")
struct DemoTests {
  @Test("the main job holds from the first step to the last, over sockets", arguments: [[], ["--json"]])
  func mainJob(_ options: [String]) async throws {
    let status = try await withDeadline(120, clock: .system) { try await DemoCommand.run(options) }
    #expect(status == ExitCode.success)
  }

  @Test("a step that does not hold is told and ends the journey")
  func failure() async {
    let narrator = Narrator(asJSON: false)
    await #expect(throws: DemoFailure.self) {
      try await narrator.step("impossible") { () -> ((), Narrator.Finding) in
        throw StepError("it did not hold")
      }
    }
  }
}

@Suite("mero bench")
struct BenchTests {
  @Test("a figure says whether it meets its aim, from either side")
  func aims() {
    #expect(Figure(key: "a", value: 1.9, unit: "×", aim: .atMost(2)).meetsAim)
    #expect(!Figure(key: "a", value: 2.1, unit: "×", aim: .atMost(2)).meetsAim)
    #expect(Figure(key: "a", value: 101, unit: "MB/s", aim: .atLeast(100)).meetsAim)
    #expect(!Figure(key: "a", value: 99, unit: "MB/s", aim: .atLeast(100)).meetsAim)
    let json = Figure(key: "a", value: 99, unit: "MB/s", aim: .atLeast(100)).json
    #expect(json["met"] == false)
    #expect(json["aimAtLeast"] == 100)
  }

  /// Runs benchmarks that were measured already, and keeps what is printed and told.
  private func run(
    _ words: [String], _ figures: [String: [Figure]]
  ) async throws -> (status: Int32, printed: [String], told: String) {
    var (printed, told): ([String], [String]) = ([], [])
    let benchmarks = figures.sorted { $0.key < $1.key }.map { name, figures in
      Benchmark(name: name, summary: "", remark: "of \(name)") { figures }
    }
    let status = try await BenchCommand.run(
      words, benchmarks: { _ in benchmarks }, print: { printed.append($0) }, tell: { told.append($0) })
    return (status, printed, told.joined(separator: "\n"))
  }

  @Test("an aim that is missed is named and is 1, after all was measured; --json names it too")
  func missed() async throws {
    let (good, bad) = (
      Figure(key: "low", value: 1.5, unit: "×", aim: .atMost(2)),
      Figure(key: "high", value: 2.5, unit: "×", aim: .atMost(2))
    )
    let all = ["a": [good, bad], "b": [good]]
    let text = try await run([], all)
    #expect(text.status == ExitCode.failure)
    #expect(text.told.contains("a, high: 2.500 × (aim: at most 2.0)"))
    #expect(!text.told.contains("low"))
    #expect(text.printed.contains("b"))
    #expect(text.printed.contains("  (of a)"))
    let json = try await run(["--json"], all)
    #expect(json.status == ExitCode.failure)
    let objects = try json.printed.map { try JSONValue(parsing: Data($0.utf8)) }
    #expect(objects.map { $0["missed"] } == [["high"], []])
    let met = try await run(["--only", "b"], all)
    #expect(met.status == ExitCode.success)
    #expect(!met.told.contains("aim"))
  }

  @Test("the median is the middle of the times, whatever their order")
  func median() {
    #expect(Measuring.median([5, 1, 3]) == 3)
    #expect(Measuring.median([]) == 0)
  }
}
