import Foundation
import MeroWire
import Testing

@testable import MeroKit

@Suite("Events of contexts and groups")
struct ContextEventTests {
  private func event(_ result: JSONValue) -> ContextEvent? { result.objectValue.flatMap(ContextEvent.init) }

  @Test("an event of neither a context nor a group is none")
  func nowhere() {
    #expect(event(["type": "StateMutation", "data": [:]]) == nil)
    #expect(event(["contextId": 7, "type": "StateMutation"]) == nil)
  }

  @Test("an event without a type is called event, and one of an unknown type keeps all it has")
  func unknown() throws {
    #expect(event(["contextId": "c"])?.kind == "event")
    let new = try #require(
      event(["groupId": "g", "type": "MemberRoleChanged", "data": ["a": 1], "more": true]))
    #expect(new.kind == "MemberRoleChanged")
    #expect(new.payload["more"] == true)
    #expect(new.data == ["a": 1])
    #expect(new.contextId == "")
  }

  @Test("a data that is an array of bytes holding JSON is that JSON; any other array stays")
  func topLevelBytes() {
    #expect(event(["contextId": "c", "data": JSONValue(bytes: Array("[1]".utf8))])?.data == [1])
    #expect(event(["contextId": "c", "data": [255, 254]])?.data == [255, 254])
    #expect(event(["contextId": "c", "data": [123, 256]])?.data == [123, 256])
    #expect(event(["contextId": "c", "data": [123, "}"]])?.data == [123, "}"])
    #expect(event(["contextId": "c", "data": []])?.data == [])
  }

  @Test("bytes further down are never decoded: presence stays bytes")
  func nestedBytes() {
    let data: JSONValue = ["author": "a", "state": [123, 125]]
    #expect(event(["contextId": "c", "type": "Ephemeral", "data": data])?.data == data)
  }

  @Test("author and account are those of presence, and of nothing else")
  func presence() {
    let data: JSONValue = ["author": "a", "account": "b", "state": [1]]
    let presence = event(["contextId": "c", "type": "Ephemeral", "data": data])
    #expect(presence?.presenceAuthor == "a")
    #expect(presence?.presenceAccount == "b")
    #expect(event(["contextId": "c", "type": "Other", "data": data])?.presenceAuthor == nil)
    #expect(event(["contextId": "c", "type": "Other", "data": data])?.presenceAccount == nil)
  }

  @Test("a byte is any spelling of an integer from 0 to 255")
  func bytes() throws {
    #expect(try JSONValue(parsing: "[0,7,42,255,1e2,5.0,-0]").byteArray == [0, 7, 42, 255, 100, 5, 0])
    for text in [
      "[256]", "[-1]", "[1.5]", "[\"1\"]", "[null]", "[1e9]", "{}", "7", "[99999999999999999999999]",
    ] {
      #expect(try JSONValue(parsing: text).byteArray == nil, "\(text)")
    }
  }

  @Test("what a contract emitted is read as JSON, into a type, or as it came")
  func emitted() throws {
    let mutation = try #require(
      event([
        "contextId": "c", "type": "StateMutation",
        "data": [
          "newRoot": "ab",
          "events": [
            [
              "kind": "Paid", "data": JSONValue(bytes: Array(#"{"amount":9007199254740993}"#.utf8)),
              "handler": "on_paid",
            ],
            ["kind": "Raw", "data": [255]], ["kind": "Plain", "data": ["id": 1]], ["data": [1]],
          ],
        ],
      ])?.stateMutation)
    struct Paid: Decodable { let amount: Int64 }
    let events = try #require(mutation.events)
    #expect(events.map(\.kind) == ["Paid", "Raw", "Plain"])
    #expect(try events[0].decode(Paid.self).amount == 9_007_199_254_740_993)
    #expect(events[0].handler == "on_paid")
    #expect(events[1].json == nil)
    #expect(events[1].data == [255])
    #expect(throws: MeroError.self) { try events[1].decode(Paid.self) }
    // A host that passes JSON on as JSON is understood too.
    #expect(events[2].json == ["id": 1])
  }

  @Test("payloads of another shape than expected are not read, and stay")
  func misshapen() throws {
    let kinds: [ContextEvent.Kind] = [
      .stateMutation, .syncStatus, .crossContextCall, .memberJoined, .migrationProgress, .cascadeProgress,
    ]
    for kind in kinds {
      let result: JSONValue = ["contextId": "c", "type": .string(kind.rawValue), "data": "?"]
      let event = try #require(self.event(result))
      #expect(event.stateMutation == nil && event.syncStatus == nil && event.crossContextCall == nil)
      #expect(event.memberChange == nil && event.migration == nil && event.appVersionChange == nil)
      #expect(event.data == "?")
    }
  }

  @Test(
    "both spellings of a sync state's numbers are read", arguments: ["records_received", "recordsReceived"])
  func spellings(name: String) {
    let data: JSONValue = [
      "syncState": .object(["state": "receivingSnapshot", name: 12]), "failureCount": 0,
    ]
    let report = event(["contextId": "c", "type": "SyncStatus", "data": data])?.syncStatus
    #expect(report?.syncState.state == .receivingSnapshot)
    #expect(report?.syncState.recordsReceived == 12)
  }

  @Test("a migration's start and end are read")
  func migrations() {
    let started = event([
      "groupId": "g", "type": "MigrationStarted",
      "data": ["fromVersion": "1.0.0", "toVersion": "2.0.0", "toStateVersion": 2, "localContextsTotal": 5],
    ])
    guard case .started(let start)? = started?.migration else { return #expect(Bool(false), "not started") }
    #expect(start.fromVersion == "1.0.0" && start.toVersion == "2.0.0")
    #expect(start.toStateVersion == 2 && start.localContextsTotal == 5)
    let completed = event([
      "groupId": "g", "type": "MigrationCompleted",
      "data": ["toVersion": "2.0.0", "completedAt": 1_790_000_000],
    ])
    guard case .completed(let end)? = completed?.migration else {
      return #expect(Bool(false), "not completed")
    }
    #expect(end.toVersion == "2.0.0" && end.completedAt == 1_790_000_000)
  }

  @Test("garbage of any kind is no frame and no crash")
  func garbage() {
    var random = SystemRandomNumberGenerator()
    let seed = Array(
      #"{"result":{"contextId":"c","type":"Ephemeral","data":{"author":"a","state":[1,2]}}}"#.utf8)
    for _ in 0..<2000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let frame = bytes.withUnsafeBytes { SseFrame($0) }
      if case .event(let event)? = frame {
        #expect(!event.payload.isNull)
        _ = EphemeralEntry(event, codec: JSONCodec<JSONValue>())
      }
    }
  }
}
