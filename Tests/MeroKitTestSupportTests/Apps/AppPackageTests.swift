import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: packages")
struct AppPackageTests {
  @Test("notes are added, edited, removed, and found")
  func notes() async throws {
    let world = try await AppWorld(.notes)
    let note = try await world.call("add", ["title": "Budget", "text": "plan the budget\nand lunch"]).json
    #expect(note["result"]?["id"] == "note-1")
    try await world.call("add", ["title": "Lunch", "text": "with Ada about the budget"])
    try await world.call("edit", ["id": "note-2", "title": "Late lunch"])
    #expect(try await world.view("get", ["id": "note-2"]).json["result"]?["title"] == "Late lunch")
    #expect(
      try await world.view("get", ["id": "x"]).json["error"]?["details"]?["error"]?["reason"]
        == "unknown note")
    #expect(try await world.call("add", ["text": "x"]).code == "ARGS_INVALID")

    func find(_ body: String) async throws -> JSONValue {
      try await world.ask("POST", "/search", body, as: .reader).json
    }
    let both = try await find(#"{"query":"BUDGET"}"#)
    #expect(both["hits"]?.arrayValue?.map { $0["id"] } == ["note-1", "note-2"])
    #expect(both["hits"]?[0]?["snippet"] == "Budget")
    #expect(both["hits"]?[0]?["value"]?["title"] == "Budget")
    #expect(both["seq"] == 3)
    #expect(try await find(#"{"query":"late budget"}"#)["hits"]?.arrayValue?.count == 1)
    #expect(try await find(#"{"query":"budget","kinds":["message"]}"#)["hits"] == [])
    #expect(try await find(#"{"query":"  "}"#)["hits"] == [])
    let page = try await find(#"{"query":"budget","limit":1}"#)
    let cursor = try #require(page["nextCursor"]?.stringValue)
    let rest = try await find(#"{"query":"budget","limit":1,"cursor":"\#(cursor)"}"#)
    #expect(rest["hits"]?.arrayValue?.map { $0["id"] } == ["note-2"])
    #expect(rest["nextCursor"] == nil)
    let foreign = try await world.ask("POST", "/search", #"{"query":"lunch","cursor":"\#(cursor)"}"#)
    #expect(foreign.code == "INVALID_CURSOR")

    try await world.call("remove", ["id": "note-1"])
    #expect(try await find(#"{"query":"budget"}"#)["hits"]?.arrayValue?.map { $0["id"] } == ["note-2"])
    let kinds = try await world.ask("GET", "/events").json["events"]?.arrayValue?.map { $0["kind"] }
    #expect(kinds == ["NoteAdded", "NoteAdded", "NoteEdited", "NoteRemoved"])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("values of any kind under names, exact")
  func keyValue() async throws {
    let world = try await AppWorld(.kv)
    #expect(
      try await world.call("set", ["key": "a", "value": 9_007_199_254_740_993]).json["result"] == .null)
    #expect(try await world.call("set", ["key": "b", "value": ["x": [1, .null]]]).status == 200)
    #expect(try await world.view("get", ["key": "a"]).json["result"] == 9_007_199_254_740_993)
    #expect(try await world.call("add", ["key": "a", "by": 1]).json["result"] == 9_007_199_254_740_994)
    #expect(try await world.view("keys", ["prefix": "b"]).json["result"] == ["b"])
    #expect(try await world.call("remove", ["key": "b"]).json["result"] == ["x": [1, .null]])
    #expect(try await world.view("entries").json["result"] == ["a": 9_007_199_254_740_994])
    let overflow = try await world.call("add", ["key": "a", "by": 9_223_372_036_854_775_807])
    #expect(overflow.code == "METHOD_TRAPPED")
    #expect(overflow.details?["reason"] == "trap")
    #expect(try await world.view("get", ["key": "a"]).json["result"] == 9_007_199_254_740_994)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a call that takes longer than a call may traps with time, changes nothing, and its answer is kept")
  func tooLong() async throws {
    let world = try await AppWorld(
      FakePackage("com.example.long", version: "1.0.0") {
        $0.call("long", taking: 31) { context, _ in
          context["done"] = true
          return .null
        }
        $0.view("done") { context, _ in context["done"] ?? false }
      })
    let body = #"{"method":"long","args":{},"idempotencyKey":"k"}"#
    let (rig, path, token) = (world.rig, "/apps/\(world.app)/intents", world.token(.owner))
    let first = Task { try await rig.send("POST", path, body, token: token) }
    while world.rig.cloud.log.requests("app_call").isEmpty { await Task.yield() }
    await world.rig.clock.waitForSleepers()
    while try await world.ask("POST", "/intents", body).code == "IDEMPOTENCY_IN_PROGRESS" {
      await world.rig.clock.advance(by: 10)
    }
    let refused = try await first.value
    #expect(refused.code == "METHOD_TRAPPED")
    #expect(refused.details?["reason"] == "time")
    #expect(try await world.ask("POST", "/intents", body).code == "METHOD_TRAPPED")
    #expect(try await world.view("done").json["result"] == false)
    #expect(world.rig.cloud.runs(of: "long", in: world.app) == 0)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a chat that is asked for what comes after the last id there can be has nothing more")
  func lastId() async throws {
    let world = try await AppWorld(.chat)
    try await world.call("send_message", ["message": "one"])
    let none = try await world.view("get_messages", ["after": JSONValue(UInt64.max)])
    #expect(none.json["result"]?["messages"] == [])
    let limited = try await world.view("get_messages", ["after": JSONValue(UInt64.max), "limit": 5])
    #expect(limited.json["result"]?["messages"] == [])
    #expect(world.rig.cloud.violations == [])
  }
}
