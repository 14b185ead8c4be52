import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: timers")
struct AppTimerTests {
  private static let package = FakePackage("com.example.tick", version: "1.0.0") {
    $0.call("tick") { context, args in
      let count = (context["count"]?.int64 ?? 0) + 1
      context["count"] = JSONValue(count)
      context.emit(
        "Tick", ["count": JSONValue(count), "account": context.account.map { JSONValue.string($0) } ?? .null])
      return .null
    }
    $0.call("everySecondTime") { context, _ in
      guard (context["count"]?.int64 ?? 0) % 2 == 0 else { throw FakePackage.Trap.gas }
      return .null
    }
  }

  private func make(_ world: AppWorld, _ schedule: String, _ method: String = "tick") async throws
    -> JSONValue
  {
    let reply = try await world.ask(
      "POST", "/timers", #"{"method":"\#(method)","schedule":\#(schedule)}"#, as: .manager)
    try #require(reply.status == 201, "\(reply.json)")
    return reply.json
  }

  private func timers(_ world: AppWorld) async throws -> [JSONValue] {
    try await world.ask("GET", "/timers", as: .manager).json["timers"]?.arrayValue ?? []
  }

  @Test("everyMs fires again and again, at once fires once, and no person is behind a run")
  func firing() async throws {
    let world = try await AppWorld(Self.package)
    let every = try await make(world, #"{"everyMs":60000}"#)
    #expect(every["nextAt"] == 1_790_000_060_000)
    #expect(every["args"] == [:])
    #expect(every["enabled"] == true)
    _ = try await make(world, #"{"at":1790000090000}"#)
    await world.rig.clock.advance(by: 200)
    let events = try await world.events("Tick")
    let seconds = events.map { (($0["at"]?.int64 ?? 0) - 1_790_000_000_000) / 1000 }
    #expect(seconds == [60, 90, 120, 180])
    #expect(events.allSatisfy { $0["actor"] == nil && $0["data"]?["account"] == .null })
    let all = try await timers(world)
    #expect(all.map { $0["enabled"] } == [true, false])
    #expect(all[0]["nextAt"] == 1_790_000_240_000)
    #expect(all[0]["lastAt"] == 1_790_000_180_000)
    #expect(all[1]["nextAt"] == nil)
    #expect(all[1]["lastAt"] == 1_790_000_090_000)
    let id = try #require(all[0]["timerId"]?.stringValue)
    #expect(try await world.ask("DELETE", "/timers/\(id)").status == 204)
    #expect(try await world.ask("DELETE", "/timers/\(id)").status == 204)
    await world.rig.clock.advance(by: 200)
    #expect(world.rig.cloud.runs(of: "tick", in: world.app) == 4)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a run that fails is remembered until one succeeds, and stops nothing")
  func failing() async throws {
    let world = try await AppWorld(Self.package)
    try await world.call("tick")
    _ = try await make(world, #"{"everyMs":60000}"#, "everySecondTime")
    await world.rig.clock.advance(by: 60)
    #expect(try await timers(world)[0]["lastError"]?["code"] == "METHOD_TRAPPED")
    #expect(try await timers(world)[0]["lastError"]?["details"]?["reason"] == "gas")
    #expect(try await timers(world)[0]["enabled"] == true)
    try await world.call("tick")
    await world.rig.clock.advance(by: 60)
    #expect(try await timers(world)[0]["lastError"] == nil)
    world.rig.cloud.setState("suspended", ofApp: world.app)
    await world.rig.clock.advance(by: 60)
    world.rig.cloud.setState("ready", ofApp: world.app)
    #expect(try await timers(world)[0]["lastError"]?["code"] == "SUSPENDED")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a schedule is exactly one of three, and one that can come")
  func schedules() async throws {
    let world = try await AppWorld(Self.package)
    for schedule in [
      "{}", #"{"at":1,"everyMs":1000}"#, #"{"everyMs":999}"#, #"{"cron":"* * * *"}"#,
      #"{"cron":"60 * * * *"}"#,
      #"{"cron":"0 0 30 2 *"}"#, #"{"cron":""}"#, #"{"everyMs":9223372036854775807}"#,
    ] {
      let body = #"{"method":"tick","schedule":\#(schedule)}"#
      #expect(try await world.ask("POST", "/timers", body).code == "INVALID_ARGUMENT", "\(schedule)")
    }
    let unknown = #"{"method":"none","schedule":{"everyMs":1000}}"#
    #expect(try await world.ask("POST", "/timers", unknown).code == "METHOD_NOT_FOUND")
    let keyed = #"{"method":"tick","schedule":{"cron":"0 0 * * 1"},"idempotencyKey":"k"}"#
    let first = try await world.ask("POST", "/timers", keyed)
    #expect(try await world.ask("POST", "/timers", keyed).json == first.json)
    #expect(try await timers(world).count == 1)
    // Whatever became of the app, what was made was made.
    world.rig.cloud.setState("creating", ofApp: world.app)
    #expect(try await world.ask("POST", "/timers", keyed).json == first.json)
    world.rig.cloud.setState("ready", ofApp: world.app)
    // 21 September 2026 is a Monday, some hours into it.
    #expect(first.json["nextAt"] == 1_790_553_600_000)
  }

  @Test("a timer that was to fire in the past fires at once and not in the past")
  func past() async throws {
    let world = try await AppWorld(Self.package)
    #expect(try await make(world, #"{"at":0}"#)["nextAt"] == 1_790_000_000_000)
    let events = try await world.events("Tick")
    #expect(events.map { $0["at"] } == [1_790_000_000_000])
    #expect(try await timers(world)[0]["lastAt"] == 1_790_000_000_000)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("runs count as calls of the organization; none is made when those are used up, or it is suspended")
  func refusedRuns() async throws {
    let world = try await AppWorld(Self.package)
    _ = try await make(world, #"{"everyMs":60000}"#)
    world.allow(callsPerDay: 1)
    await world.rig.clock.advance(by: 60)
    #expect(try await timers(world)[0]["lastError"] == nil)
    await world.rig.clock.advance(by: 60)
    #expect(try await timers(world)[0]["lastError"]?["code"] == "QUOTA_EXCEEDED")
    world.allow(callsPerDay: 9)
    world.rig.cloud.suspend(org: world.org)
    await world.rig.clock.advance(by: 60)
    world.rig.cloud.suspend(org: world.org, false)
    let suspended = try await timers(world)[0]
    #expect(suspended["lastError"]?["details"]?["subject"] == "organization")
    #expect(suspended["enabled"] == true)
    #expect(world.rig.cloud.runs(of: "tick", in: world.app) == 1)
    await world.rig.clock.advance(by: 60)
    #expect(try await timers(world)[0]["lastError"] == nil)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a clock that jumps far makes up for a hundred runs and leaves the others out")
  func jump() async throws {
    let world = try await AppWorld(Self.package)
    _ = try await make(world, #"{"everyMs":1000}"#)
    world.rig.clock.jump(by: 600)
    #expect(world.rig.cloud.runs(of: "tick", in: world.app) == 100)
    #expect(try await timers(world)[0]["nextAt"] == 1_790_000_601_000)
  }

  @Test(
    "cron's five fields, in UTC",
    arguments: [
      ("*/15 * * * *", "2026-09-21T14:15"), ("0 9-17/4 * * *", "2026-09-21T17:00"),
      ("30 14 21 9 *", "2026-09-21T14:30"), ("0 0 29 2 *", "2028-02-29T00:00"),
      ("0 0 13 * 5", "2026-09-25T00:00"), ("5,10 3 * * 0", "2026-09-27T03:05"),
      ("5 3 * * 7", "2026-09-27T03:05"), ("0 0 31 12 *", "2026-12-31T00:00"),
    ])
  func cron(text: String, expected: String) throws {
    // 21 September 2026, 14:13:20.
    let schedule = try #require(CronSchedule(text))
    let next = try #require(schedule.next(after: 1_790_000_000_000))
    let parts = expected.split { "-T:".contains($0) }.compactMap { Int64($0) }
    let days: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    let years = parts[0] - 1970
    var day = years * 365 + (years + 1) / 4 + days[Int(parts[1]) - 1] + parts[2] - 1
    if parts[0] % 4 == 0, parts[1] > 2 { day += 1 }
    #expect(next == ((day * 24 + parts[3]) * 60 + parts[4]) * 60_000)
  }
}
