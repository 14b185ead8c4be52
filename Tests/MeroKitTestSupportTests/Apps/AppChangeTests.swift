import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: what becomes of an app")
struct AppChangeTests {
  @Test("names are unique in the organization without regard to case, its own may be written otherwise")
  func names() async throws {
    let world = try await AppWorld()
    let other = #"{"name":"Other","package":"com.calimero.chat","org":"\#(world.org)"}"#
    try await world.rig.send("POST", "/apps", other, token: world.token(.owner))
    #expect(try await world.ask("PATCH", "", #"{"name":"OTHER"}"#).code == "NAME_TAKEN")
    #expect(try await world.ask("PATCH", "", #"{"name":" x"}"#).code == "INVALID_ARGUMENT")
    #expect(try await world.ask("PATCH", "", #"{"package":"x"}"#).code == "BAD_REQUEST")
    let renamed = try await world.ask("PATCH", "", #"{"name":"App","orgAccess":"reader"}"#)
    #expect(renamed.json["name"] == "App")
    #expect(renamed.json["orgAccess"] == "reader")
    #expect(try await world.ask("PATCH", "", "{}").json["name"] == "App")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("deleting an app takes a passkey, ends its streams with calimero.deleted and leaves nothing")
  func delete() async throws {
    let world = try await AppWorld()
    var stream = try await world.follow("?kinds=None", as: .reader)
    #expect(try await stream.nextEvent()?.kind == "calimero.ready")
    #expect(try await world.ask("DELETE").code == "CONFIRM_REQUIRED")
    #expect(try await world.confirm("DELETE").status == 204)
    let last = try #require(try await stream.nextEvent())
    #expect(last.kind == "calimero.deleted")
    #expect(last.json["actor"]?.stringValue == world.accountId(.owner))
    #expect(try await stream.nextEvent() == nil)
    #expect(try await world.ask("GET").code == "NOT_FOUND")
    let list = try await world.rig.send("GET", "/apps", token: world.token(.owner))
    #expect(list.json["apps"] == [])
    let again = #"{"name":"app","package":"com.calimero.kv","org":"\#(world.org)"}"#
    #expect(try await world.rig.send("POST", "/apps", again, token: world.token(.owner)).status == 201)
    #expect(world.rig.cloud.store.withState { $0.departed.isEmpty })
    #expect(world.rig.cloud.violations == [])
  }

  private static let first = FakePackage("com.example.count", version: "1.0.0") {
    $0.initialize { context, _ in context["count"] = 1 }
    $0.call("add") { context, _ in
      context["count"] = JSONValue((context["count"]?.int64 ?? 0) + 1)
      return context["count"] ?? .null
    }
    $0.view("count") { context, _ in context["count"] ?? .null }
  }

  @Test(
    "an upgrade migrates a copy: calls wait, views answer from the old version, then the new one is there")
  func upgrade() async throws {
    let world = try await AppWorld(Self.first)
    world.rig.cloud.register(
      FakePackage("com.example.count", version: "1.1.0") {
        $0.migrate(taking: 5) { context, args in
          context["count"] = ["value": context["count"] ?? .null, "from": args["from"] ?? .null]
          context.emit("Migrated")
        }
        $0.view("count") { context, _ in context["count"]?["value"] ?? .null }
        $0.view("from") { context, _ in context["count"]?["from"] ?? .null }
      })
    try await world.call("add")
    #expect(try await world.ask("POST", "/upgrade", #"{"version":"9.0.0"}"#).code == "NOT_FOUND")
    #expect(try await world.ask("POST", "/upgrade", #"{"version":"1.0.0"}"#).code == "VERSION_CONFLICT")
    let begun = try await world.confirm("POST", "/upgrade", #"{"version":"1.1.0"}"#, as: .manager)
    #expect(begun.status == 202)
    #expect(begun.json["state"] == "upgrading")
    #expect(begun.json["version"] == "1.0.0")
    #expect(try await world.call("add").code == "APP_NOT_READY")
    #expect(try await world.view("count").json["result"] == 2)
    #expect(try await world.ask("POST", "/upgrade", #"{"version":"1.1.0"}"#).code == "APP_NOT_READY")
    await world.rig.clock.advance(by: 5)
    let app = try await world.ask("GET").json
    #expect(app["state"] == "ready")
    #expect(app["version"] == "1.1.0")
    #expect(app["seq"] == 2)
    #expect(try await world.view("count").json["result"] == 2)
    #expect(try await world.view("from").json["result"] == "1.0.0")
    let events = try await world.events("calimero.state", "calimero.upgraded", "Migrated")
    #expect(
      events.map { $0["kind"]?.stringValue } == [
        "calimero.state", "Migrated", "calimero.upgraded", "calimero.state",
      ])
    #expect(events[2]["data"] == ["from": "1.0.0", "to": "1.1.0"])
    #expect(events[2]["actor"]?.stringValue == world.accountId(.manager))
    #expect(events[3]["data"] == ["state": "ready"])
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a migration that fails leaves the old version and its state, and calimero.state says why")
  func failedUpgrade() async throws {
    let world = try await AppWorld(Self.first)
    world.rig.cloud.register(
      FakePackage("com.example.count", version: "2.0.0") {
        $0.migrate { context, _ in
          context["count"] = "broken"
          context.emit("NeverSeen")
          throw FakePackage.Failure(["reason": "cannot"])
        }
      })
    #expect(try await world.confirm("POST", "/upgrade", #"{"version":"2.0.0"}"#).status == 202)
    let app = try await world.ask("GET").json
    #expect(app["state"] == "ready")
    #expect(app["version"] == "1.0.0")
    #expect(app["seq"] == 0)
    #expect(try await world.view("count").json["result"] == 1)
    let events = try await world.events("calimero.state", "calimero.upgraded", "NeverSeen")
    #expect(events.map { $0["data"]?["state"] } == ["upgrading", "ready"])
    #expect(events[1]["data"]?["error"]?["code"] == "METHOD_FAILED")
    #expect(events[1]["data"]?["error"]?["details"]?["error"]?["reason"] == "cannot")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an app whose beginning takes time is creating meanwhile, and gone when it fails")
  func creating() async throws {
    let world = try await AppWorld()
    world.rig.cloud.register(
      FakePackage("com.example.slow", version: "1.0.0") {
        $0.initialize(taking: 5) { context, args in
          guard args["fail"] == nil else { throw FakePackage.Failure("no") }
          context["made"] = true
        }
        $0.view("made") { context, _ in context["made"] ?? false }
      })
    func create(_ name: String, _ args: String) -> Task<Rig.Reply, any Error> {
      let body =
        #"{"name":"\#(name)","package":"com.example.slow","org":"\#(world.org)","initArgs":\#(args)}"#
      return Task { [rig = world.rig, token = world.token(.owner)] in
        try await rig.send("POST", "/apps", body, token: token)
      }
    }
    func found(_ name: String) async throws -> JSONValue? {
      try await world.rig.send("GET", "/apps?package=com.example.slow", token: world.token(.owner))
        .json["apps"]?.arrayValue?.first { $0["name"]?.stringValue == name }
    }
    let good = create("good", "{}")
    let bad = create("bad", #"{"fail":true}"#)
    for name in ["good", "bad"] {
      while try await found(name) == nil { await Task.yield() }
      #expect(try await found(name)?["state"] == "creating")
    }
    let id = try #require(try await found("good")?["appId"]?.stringValue)
    let view = #"{"method":"made","args":{}}"#
    let early = try await world.rig.send("POST", "/apps/\(id)/views", view, token: world.token(.owner))
    #expect(early.code == "APP_NOT_READY")
    await world.rig.clock.waitForSleepers(2)
    await world.rig.clock.advance(by: 5)
    #expect(try await good.value.json["state"] == "ready")
    let refused = try await bad.value
    #expect(refused.code == "METHOD_FAILED")
    #expect(try await found("bad") == nil)
    let late = try await world.rig.send("POST", "/apps/\(id)/views", view, token: world.token(.owner))
    #expect(late.json["result"] == true)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("the interface names methods with their parameters, and the kinds of events")
  func interface() async throws {
    let world = try await AppWorld(.chat)
    let abi = try await world.ask("GET", "/abi", as: .reader).json
    #expect(abi["package"] == "com.calimero.chat")
    #expect(abi["events"] == ["MessageSent"])
    #expect(
      abi["methods"] == [
        [
          "name": "get_messages", "view": true, "returns": "{ messages: Message[] }",
          "params": [
            ["name": "after", "type": "u64", "optional": true],
            ["name": "limit", "type": "u32", "optional": true],
          ],
        ],
        [
          "name": "send_message", "view": false, "returns": "{ id: u64 }",
          "params": [["name": "message", "type": "string"]],
        ],
      ])
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "an app that was suspended while it was upgraded stays so, whether or not the upgrade succeeds",
    arguments: [false, true])
  func suspendedUpgrade(fails: Bool) async throws {
    let world = try await AppWorld(Self.first)
    world.rig.cloud.register(
      FakePackage("com.example.count", version: "1.1.0") {
        $0.migrate(taking: 5) { _, _ in if fails { throw FakePackage.Trap.trap } }
        $0.view("count") { context, _ in context["count"] ?? .null }
      })
    try await world.confirm("POST", "/upgrade", #"{"version":"1.1.0"}"#)
    world.rig.cloud.setState("suspended", ofApp: world.app)
    await world.rig.clock.advance(by: 5)
    let app = try await world.ask("GET").json
    #expect(app["state"] == "suspended")
    #expect(app["version"]?.stringValue == (fails ? "1.0.0" : "1.1.0"))
    #expect(try await world.view("count").code == "SUSPENDED")
    world.rig.cloud.setState("ready", ofApp: world.app)
    #expect(try await world.view("count").json["result"] == 1)
    let states = try await world.events("calimero.state").map { $0["data"] }
    #expect(
      states.map { $0?["state"] }
        == (fails ? ["upgrading", "suspended", "suspended", "ready"] : ["upgrading", "suspended", "ready"]))
    #expect(
      states.map { $0?["failed"] != nil } == (fails ? [false, false, true, false] : [false, false, false]))
    #expect(world.rig.cloud.violations == [])
  }

  private static let slow = FakePackage("com.example.slow", version: "1.0.0") {
    $0.initialize(taking: 5.25) { context, _ in context["made"] = true }
  }

  @Test(
    "a creation that is refused when its time is over leaves nothing: its name and its key are free",
    arguments: ["organization", "account"])
  func refusedCreation(subject: String) async throws {
    let world = try await AppWorld()
    world.rig.cloud.register(Self.slow)
    func suspend(_ isSuspended: Bool) {
      if subject == "account" {
        world.rig.cloud.suspend(account: "owner", isSuspended)
      } else {
        world.rig.cloud.suspend(org: world.org, isSuspended)
      }
    }
    func create() async -> Task<Rig.Reply, any Error> {
      let body =
        #"{"name":"slow","package":"com.example.slow","org":"\#(world.org)","idempotencyKey":"k"}"#
      let first = Task { [rig = world.rig, token = world.token(.owner)] in
        try await rig.send("POST", "/apps", body, token: token)
      }
      while world.rig.clock.nextWake != 5.25 { await Task.yield() }
      return first
    }
    let first = await create()
    suspend(true)
    await world.rig.clock.advance(by: 5.25)
    let refused = try await first.value
    #expect(refused.code == "SUSPENDED")
    #expect(refused.details?["subject"]?.stringValue == subject)
    suspend(false)
    let list = try await world.rig.send("GET", "/apps?package=com.example.slow", token: world.token(.owner))
    #expect(list.json["apps"] == [])
    let second = await create()
    await world.rig.clock.advance(by: 5.25)
    #expect(try await second.value.status == 201)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("what init emits are the app's first events, before those of its calls")
  func firstEvents() async throws {
    let world = try await AppWorld(
      FakePackage("com.example.eager", version: "1.0.0") {
        $0.initialize { context, _ in
          context.emit("Made", ["n": 1])
          context.emit("Made", ["n": 2])
        }
        $0.call("go") { context, _ in
          context.emit("Gone")
          return .null
        }
      })
    try await world.call("go")
    let page = try await world.ask("GET", "/events").json
    let events = page["events"]?.arrayValue ?? []
    #expect(events.map { $0["kind"]?.stringValue } == ["Made", "Made", "Gone"])
    #expect(events.map { $0["data"]?["n"] } == [1, 2, nil])
    #expect(events.map { $0["seq"] } == [0, 0, 1])
    #expect(events[0]["actor"]?.stringValue == world.accountId(.creator))
    var stream = try await world.follow("?cursor=oldest&kinds=Made")
    #expect(try await stream.nextEvent()?.kind == "calimero.ready")
    for number in [1, 2] as [JSONValue] {
      #expect(try await stream.nextEvent()?.json["data"]?["n"] == number)
    }
    #expect(world.rig.cloud.violations == [])
  }

  @Test("an init that emits an event of the node's own traps, and leaves no app")
  func forgedFirstEvent() async throws {
    let world = try await AppWorld()
    world.rig.cloud.register(
      FakePackage("com.example.forger", version: "1.0.0") {
        $0.initialize { context, _ in context.emit("calimero.deleted") }
      })
    let body = #"{"name":"forger","package":"com.example.forger","org":"\#(world.org)"}"#
    let refused = try await world.rig.send("POST", "/apps", body, token: world.token(.owner))
    #expect(refused.code == "METHOD_TRAPPED")
    let list = try await world.rig.send("GET", "/apps?package=com.example.forger", token: world.token(.owner))
    #expect(list.json["apps"] == [])
    #expect(world.rig.cloud.violations == [])
  }
}
