import LocalCluster
import MeroHTTP
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

  @Test("the median is the middle of the times, whatever their order")
  func median() {
    #expect(Measuring.median([5, 1, 3]) == 3)
    #expect(Measuring.median([]) == 0)
  }
}
