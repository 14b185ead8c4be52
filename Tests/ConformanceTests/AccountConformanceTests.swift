import Foundation
import MeroWire
import Testing

@testable import mero

@Suite("conformance of what accounts sign")
struct AccountConformanceTests {
  private static let file =
    Bundle.module.url(forResource: "account", withExtension: "json", subdirectory: "Vectors")?.path ?? ""

  private static func vectors() throws -> JSONValue {
    try JSONValue(parsing: try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// Whether a case of a group does not hold.
  private static func fails(_ value: JSONValue, _ group: String) -> Bool {
    do {
      let object = try VectorObject(value, path: "case")
      object.prose("id")
      try AccountVectors.check(object, of: group)
      return false
    } catch {
      return true
    }
  }

  @Test("all cases of all 28 groups hold")
  func everything() async throws {
    let run = await runConformance(files: [Self.file])
    for failure in run.failed { Issue.record("\(failure.name): \(failure.reason)") }
    // One check more for each group, and one for the file.
    #expect(run.passed == 241 + 28 + 1)
  }

  /// Groups whose input counts to the last character. In the others some of it does not: what is refused for one thing is
  /// refused whatever the rest is.
  private static let exact: Set<String> = [
    "domainHash", "keys", "account", "rootStatements", "derivedIds", "warrant", "creationWarrant",
    "governanceOp", "governanceWarrant", "memberJoin", "loginStatement", "requestProof", "presence",
    "ownershipClaim", "routingProof", "cloudLinkUrl", "applicationId", "base58",
  ]

  @Test("changing any one value that a case expects, or that it is made of, makes the case fail")
  func everyValueCounts() async throws {
    let groups = try #require(try Self.vectors()["groups"]?.objectValue)
    let changes = try await withThrowingTaskGroup(of: Int.self) { tasks in
      for (name, group) in groups {
        for (index, original) in (group["cases"]?.arrayValue ?? []).enumerated() {
          tasks.addTask { try Self.change(original, of: name, index) }
        }
      }
      return try await tasks.reduce(0, +)
    }
    #expect(changes > 1_500)
  }

  private static func change(_ original: JSONValue, of group: String, _ index: Int) throws -> Int {
    #expect(!fails(original, group))
    let sides = exact.contains(group) ? ["expect", "input"] : ["expect"]
    var count = 0
    for side in sides {
      // One says something about another program; an invitation that never expires has no place for the time of a join.
      let expiry = original["input"]?["invitation"]?["invitation"]?["expiration_timestamp"]
      let unused: Set = expiry == 0 ? ["sameAsJsonStringify", "joinedAt"] : ["sameAsJsonStringify"]
      let places = leaves(of: original[side] ?? .null).filter { !unused.contains($0.path.last?.text ?? "") }
      for (number, place) in places.enumerated() {
        for changed in variations(of: place, number + index) {
          let path = [Step.key(side)] + place.path
          let value = try replacing(original, path[...], with: changed)
          #expect(fails(value, group), "\(group)[\(index)].\(path.map(\.text)) is not checked")
          count += 1
        }
      }
    }
    return count
  }

  @Test("a group, a case or a key that is missing, and one too many, make the run fail")
  func nothingMissing() async throws {
    let original = try #require(try Self.vectors().objectValue)
    let groups = try #require(original["groups"]?.objectValue)
    func failures(_ groups: JSONObject) async -> Int {
      var file = original
      file["groups"] = .object(groups)
      var run = ConformanceRun()
      await runConformance(content: JSONValue.object(file).data(), name: "account.json", into: &run)
      return run.failed.count
    }
    #expect(await failures(groups) == 0)
    var less = groups
    less.removeValue(forKey: "presence")
    #expect(await failures(less) > 0)
    var more = groups
    more["surprise"] = ["cases": []]
    #expect(await failures(more) > 0)
    var group = try #require(groups["base58"]?.objectValue)
    let cases = try #require(group["cases"]?.arrayValue)
    for changed in [Array(cases.dropFirst()), cases + [cases[0]]] {
      group["cases"] = .array(changed)
      var other = groups
      other["base58"] = .object(group)
      #expect(await failures(other) > 0)
    }
  }
}
