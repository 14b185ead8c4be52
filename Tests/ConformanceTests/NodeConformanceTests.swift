import Foundation
import MeroWire
import Testing

@testable import mero

@Suite("conformance of the node client")
struct NodeConformanceTests {
  private static let file =
    Bundle.module.url(forResource: "node-protocol", withExtension: "json", subdirectory: "Vectors")?.path
    ?? ""

  private static func vectors() throws -> JSONValue {
    try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  private func failures(_ file: JSONValue) async -> [ConformanceRun.Failure] {
    var run = ConformanceRun(stopsAtFailure: true)
    await runConformance(content: file.data(), name: "node-protocol.json", into: &run)
    return run.failed
  }

  /// What fails when a group consists of this.
  private func failures(of group: NodeGroup, _ value: JSONValue) async throws -> [ConformanceRun.Failure] {
    var run = ConformanceRun(stopsAtFailure: true)
    await group.check(try VectorObject(.object([group.name: value]), path: "file"), &run)
    return run.failed
  }

  @Test("every case of the vectors passes")
  func everything() async throws {
    let run = await runConformance(files: [Self.file])
    for failure in run.failed { Issue.record("\(failure.name): \(failure.reason)") }
    let groups = try #require(try Self.vectors().objectValue).compactMap(\.value.arrayValue)
    let cases = groups.reduce(0) { $0 + $1.count }
    // One check more for each group of cases, the two groups that are tables, and the file.
    #expect(run.passed == cases + groups.count + 3)
    #expect(cases > 120)
  }

  @Test("changing any one value of a group makes its check fail", arguments: NodeGroup.all.map(\.name))
  func everyValueCounts(name: String) async throws {
    let group = try #require(NodeGroup.all.first { $0.name == name })
    let original = try #require(try Self.vectors()[name])
    #expect(try await failures(of: group, original) == [])
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for (number, place) in leaves(of: original).enumerated() {
        tasks.addTask {
          for changed in variations(of: place, number) {
            let value = try replacing(original, place.path[...], with: changed)
            let path = place.path.map(\.text).joined(separator: ".")
            let failures = try await failures(of: group, value)
            #expect(!failures.isEmpty, "\(name).\(path) = \(changed)")
          }
        }
      }
      try await tasks.waitForAll()
    }
  }

  @Test("adding a key to any object of a group makes its check fail", arguments: NodeGroup.all.map(\.name))
  func keysCount(name: String) async throws {
    let group = try #require(NodeGroup.all.first { $0.name == name })
    let original = try #require(try Self.vectors()[name])
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      for path in objects(of: original) {
        guard var object = try value(at: path[...], in: original).objectValue else { continue }
        object["surprise"] = 1
        let changed = try replacing(original, path[...], with: .object(object))
        tasks.addTask {
          let failures = try await failures(of: group, changed)
          #expect(!failures.isEmpty, "\(name).\(path.map(\.text))")
        }
      }
      try await tasks.waitForAll()
    }
  }

  @Test("a case that is there twice or not at all, and a group that is missing or unknown, make the run fail")
  func casesCount() async throws {
    let original = try #require(try Self.vectors().objectValue)
    for group in NodeGroup.all {
      var less = original
      let value = less.removeValue(forKey: group.name)
      #expect(await !failures(.object(less)).isEmpty, "\(group.name) is not missed")
      guard let cases = value?.arrayValue else { continue }
      for changed in [cases + [cases[0]], Array(cases.dropFirst()), []] {
        let failures = try await failures(of: group, .array(changed))
        #expect(!failures.isEmpty)
      }
    }
    var more = original
    more["surprise"] = []
    #expect(await !failures(.object(more)).isEmpty)
    var other = original
    other["format"] = "merokit-node-protocol-vectors/2"
    #expect(await !failures(.object(other)).isEmpty)
  }

  @Test(
    "values of another type than the expected fail and do not crash", arguments: NodeGroup.all.map(\.name))
  func otherTypes(name: String) async throws {
    let group = try #require(NodeGroup.all.first { $0.name == name })
    for value: JSONValue in [
      nil, 1, "x", [nil], [1], ["x"], [[:]], [["id": 1]], [:], [["id": "x", "spec": "1"]],
    ] {
      let failures = try await failures(of: group, value)
      #expect(!failures.isEmpty)
    }
  }
}
