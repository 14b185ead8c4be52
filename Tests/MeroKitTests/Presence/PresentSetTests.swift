import MeroWire
import Testing

@testable import MeroKit

@Suite("Who is present")
struct PresentSetTests {
  private func entry(_ session: String, _ state: JSONValue, age: Int = 0, isRemoved: Bool = false)
    -> JSONValue
  {
    var json: JSONObject = [
      "accountId": "acc_1", "sessionId": .string(session), "name": "ada", "state": state,
      "ageMs": JSONValue(age),
    ]
    if isRemoved { json["removed"] = true }
    return .object(json)
  }

  private func all(_ entries: JSONValue...) -> AppEvent {
    EventSamples.event(
      3, kind: "calimero.presence.all", data: ["entries": .array(entries), "ttlMs": 7000])
  }

  private func one(_ entry: JSONValue) -> AppEvent {
    EventSamples.event(3, kind: "calimero.presence", data: entry)
  }

  @Test("calimero.presence.all replaces the set, and says something even when nobody is there")
  func replaces() throws {
    var present = PresentSet()
    #expect(!present.isKnown)
    #expect(try present.receive(all(), at: 0))
    #expect(present.isKnown)
    #expect(try !present.receive(all(), at: 1))
    #expect(try present.receive(all(entry("b", 1), entry("a", 2)), at: 1))
    #expect(present.all.map(\.sessionId) == ["a", "b"])
    #expect(try !present.receive(all(entry("a", 2), entry("b", 1)), at: 2))
    #expect(try present.receive(all(entry("c", 1)), at: 3))
    #expect(present.all.map(\.sessionId) == ["c"])
  }

  @Test("calimero.presence changes one entry; a renewal of the same is no change and makes it live on")
  func changes() throws {
    var present = PresentSet()
    _ = try present.receive(all(), at: 0)
    #expect(try present.receive(one(entry("a", ["n": 1])), at: 0))
    #expect(try !present.receive(one(entry("a", ["n": 1])), at: 5))
    #expect(try present.receive(one(entry("a", ["n": 2])), at: 6))
    #expect(present.nextEnd == 13)
    #expect(try !present.receive(one(entry("x", .null, isRemoved: true)), at: 6))
    #expect(try present.receive(one(entry("a", .null, isRemoved: true)), at: 6))
    #expect(present.all.isEmpty)
    #expect(present.nextEnd == nil)
    #expect(try !present.receive(EventSamples.event(4), at: 6))
  }

  @Test("an entry that is not renewed goes after seven seconds, counted from its age when it came")
  func ages() throws {
    var present = PresentSet()
    _ = try present.receive(
      all(entry("a", 1, age: 4000), entry("b", 2), entry("gone", 3, age: 7000)), at: 100)
    #expect(present.all.map(\.sessionId) == ["a", "b"])
    #expect(present.nextEnd == 103)
    let early = present.age(at: 102.9)
    #expect(!early)
    let onTime = present.age(at: 103)
    #expect(onTime)
    #expect(present.all.map(\.sessionId) == ["b"])
    let last = present.age(at: 107)
    #expect(last)
    #expect(present.all.isEmpty)
  }

  @Test("an event that is not what its kind says is an error")
  func malformed() {
    var present = PresentSet()
    #expect(throws: (any Error).self) { try present.receive(one(["accountId": "acc_1"]), at: 0) }
    #expect(throws: (any Error).self) {
      try present.receive(EventSamples.event(1, kind: "calimero.presence.all", data: []), at: 0)
    }
  }
}
