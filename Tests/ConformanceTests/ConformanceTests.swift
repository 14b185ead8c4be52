import Foundation
import MeroWire
import Testing

@testable import mero

@Suite("conformance of the sealed channel")
struct ConformanceTests {
  private static let file =
    Bundle.module.url(forResource: "sealed", withExtension: "json", subdirectory: "Vectors")?.path ?? ""

  private func failures(_ file: JSONValue) async -> [ConformanceRun.Failure] {
    var run = ConformanceRun(stopsAtFailure: true)
    await runConformance(content: file.data(), name: "sealed.json", into: &run)
    return run.failed
  }

  private func vectors() throws -> JSONValue {
    try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: Self.file)))
  }

  @Test("50 §8 #1 to #4: every case of the vectors passes, on both sides")
  func everything() async throws {
    let run = await runConformance(files: [Self.file])
    for failure in run.failed { Issue.record("\(failure.name): \(failure.reason)") }
    // Two sessions with 13 values on two sides, 7 exchanges, 16 and 17 refusals, 11 report data.
    #expect(run.passed > 150)
  }

  @Test("changing any one value of the file makes the run fail")
  func everyValueCounts() async throws {
    let original = try vectors()
    let places = leaves(of: original)
    #expect(places.count > 300)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, place) in places.enumerated() {
        group.addTask {
          for changed in variations(of: place, number) {
            let file = try replacing(original, place.path[...], with: changed)
            #expect(
              await !failures(file).isEmpty, "\(place.path.map(\.text).joined(separator: ".")) is not checked"
            )
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("taking any key away, and adding one anywhere, makes the run fail")
  func keysCount() async throws {
    let original = try vectors()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for path in objects(of: original) {
        guard let object = try value(at: path[...], in: original).objectValue else { continue }
        for key in object.keys where !isProse(key) {
          group.addTask {
            var less = object
            less.removeValue(forKey: key)
            let file = try replacing(original, path[...], with: .object(less))
            #expect(await !failures(file).isEmpty, "\(path.map(\.text)).\(key) is not missed")
          }
        }
        group.addTask {
          var more = object
          more["surprise"] = 1
          let file = try replacing(original, path[...], with: .object(more))
          #expect(await !failures(file).isEmpty, "\(path.map(\.text)) takes unknown keys")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("a case that is there twice, or not at all, makes the run fail")
  func casesCount() async throws {
    let original = try vectors()
    for list in ["clientMustRefuse", "nodeMustRefuse"] {
      let cases = try #require(original[list]?.arrayValue)
      for changed in [cases + [cases[3]], Array(cases.dropFirst()), []] {
        let file = try replacing(original, [.key(list)], with: .array(changed))
        #expect(await !failures(file).isEmpty)
      }
    }
  }

  @Test("the command succeeds on good files only, and says so in its exit code")
  func exitCodes() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "conformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ text: String) throws -> String {
      let file = folder.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    #expect(await ConformanceCommand.run([Self.file]) == 0)
    #expect(await ConformanceCommand.run([]) == 2)
    #expect(await ConformanceCommand.run(["--unknown"]) == 2)
    #expect(await ConformanceCommand.run(["--help"]) == 0)
    for bad in [
      folder.appendingPathComponent("missing.json").path, folder.path, try write("text.json", "no json"),
      try write("empty.json", ""), try write("other.json", #"{"protocol":"x"}"#),
      try write("list.json", "[1]"),
      try write("hollow.json", #"{"protocol":"x","session":{},"exchanges":[]}"#),
    ] {
      #expect(await ConformanceCommand.run([bad]) == 1)
      #expect(await ConformanceCommand.run([Self.file, bad]) == 1)
    }
  }
}
