import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: jobs")
struct AppJobTests {
  private static let package = FakePackage("com.example.work", version: "1.0.0") {
    $0.call("work", taking: 60, steps: 3) { context, args in
      context["done"] = args
      context.emit("Worked", args)
      return args
    }
    $0.call("quick") { _, args in args }
    $0.call("fail") { context, _ in
      context["done"] = "this must be rolled back"
      throw FakePackage.Failure(["reason": "no"])
    }
    $0.view("done") { context, _ in context["done"] ?? .null }
  }

  private func make(_ world: AppWorld, _ body: String) async throws -> String {
    let reply = try await world.ask("POST", "/jobs", body, as: .writer)
    try #require(reply.status == 202, "\(reply.json)")
    #expect(reply.json["state"] == "queued")
    return try #require(reply.json["jobId"]?.stringValue)
  }

  private func job(_ world: AppWorld, _ id: String) async throws -> JSONValue {
    try await world.ask("GET", "/jobs/\(id)", as: .writer).json
  }

  @Test("a job runs for longer than a call may, reports its steps, and its changes are events")
  func done() async throws {
    let world = try await AppWorld(Self.package)
    let id = try await make(world, #"{"method":"work","args":{"n":1}}"#)
    #expect(try await job(world, id)["state"] == "running")
    #expect(try await job(world, id)["progress"] == nil)
    await world.rig.clock.advance(by: 59)
    #expect(try await job(world, id)["state"] == "running")
    let twoOfThree = 2.0 / 3.0
    #expect(try await job(world, id)["progress"]?.double == twoOfThree)
    await world.rig.clock.advance(by: 1)
    let ended = try await job(world, id)
    #expect(ended["state"] == "done")
    #expect(ended["result"] == ["n": 1])
    #expect(ended["startedAt"] == 1_790_000_000_000)
    #expect(ended["finishedAt"] == 1_790_000_060_000)
    #expect(try await world.view("done").json["result"] == ["n": 1])
    let events = try await world.events("calimero.job", "Worked")
    #expect(
      events.map { $0["data"]?["state"] ?? $0["kind"] } == [
        "queued", "running", "running", "running", "Worked", "done",
      ])
    #expect(events[5]["data"] == ended)
    #expect(events[4]["actor"]?.stringValue == world.accountId(.writer))
    #expect(events[4]["seq"] == 1)
    #expect(world.rig.cloud.violations == [])
  }

  @Test(
    "one job of an app runs at a time; one that waits and one that runs can be cancelled, one that ended not")
  func cancelled() async throws {
    let world = try await AppWorld(Self.package)
    let first = try await make(world, #"{"method":"work","args":{"n":1}}"#)
    let second = try await make(world, #"{"method":"work","args":{"n":2}}"#)
    let third = try await make(world, #"{"method":"quick","args":{"n":3}}"#)
    #expect(try await job(world, second)["state"] == "queued")
    #expect(try await world.ask("POST", "/jobs/\(second)/cancel", as: .writer).json["state"] == "cancelled")
    #expect(try await world.ask("POST", "/jobs/\(first)/cancel", as: .writer).json["state"] == "cancelled")
    #expect(try await job(world, third)["state"] == "done")
    #expect(try await world.ask("POST", "/jobs/\(third)/cancel", as: .writer).json["state"] == "done")
    #expect(try await world.ask("POST", "/jobs/\(first)/cancel", as: .writer).json["state"] == "cancelled")
    await world.rig.clock.advance(by: 120)
    #expect(try await world.view("done").json["result"] == .null)
    #expect(try await job(world, second)["startedAt"] == nil)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a job that fails, and one that is out of time, say why and change nothing")
  func failed() async throws {
    let world = try await AppWorld(Self.package)
    let failing = try await make(world, #"{"method":"fail","args":{}}"#)
    let failed = try await job(world, failing)
    #expect(failed["state"] == "failed")
    #expect(failed["error"]?["code"] == "METHOD_FAILED")
    #expect(failed["error"]?["details"]?["error"]?["reason"] == "no")
    let late = try await make(world, #"{"method":"work","args":{},"timeoutMs":30000}"#)
    await world.rig.clock.advance(by: 30)
    let ended = try await job(world, late)
    #expect(ended["error"]?["code"] == "METHOD_TRAPPED")
    #expect(ended["error"]?["details"]?["reason"] == "time")
    #expect(ended["finishedAt"] == 1_790_000_030_000)
    #expect(try await world.view("done").json["result"] == .null)
    #expect(try await world.ask("GET").json["seq"] == 0)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a job has a method that exists and arguments, is made once per key, and is kept for seven days")
  func making() async throws {
    let world = try await AppWorld(Self.package)
    for (body, code) in [
      (#"{"method":"none","args":{}}"#, "METHOD_NOT_FOUND"),
      (#"{"method":"quick","args":1}"#, "INVALID_ARGUMENT"),
      (#"{"method":"quick"}"#, "BAD_REQUEST"),
      (#"{"method":"quick","args":{},"timeoutMs":999}"#, "INVALID_ARGUMENT"),
    ] {
      #expect(try await world.ask("POST", "/jobs", body, as: .writer).code == code, "\(body)")
    }
    let keyed = #"{"method":"quick","args":{},"idempotencyKey":"k"}"#
    let id = try await make(world, keyed)
    #expect(try await make(world, keyed) == id)
    let other = #"{"method":"quick","args":{"n":1},"idempotencyKey":"k"}"#
    #expect(try await world.ask("POST", "/jobs", other, as: .writer).code == "IDEMPOTENCY_KEY_REUSED")
    // Whatever became of the app, what was made was made.
    world.rig.cloud.setState("upgrading", ofApp: world.app)
    #expect(try await world.ask("POST", "/jobs", keyed, as: .writer).json["jobId"]?.stringValue == id)
    world.rig.cloud.setState("ready", ofApp: world.app)
    #expect(world.rig.cloud.runs(of: "quick", in: world.app) == 1)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("jobs wait while an app is suspended")
  func suspended() async throws {
    let world = try await AppWorld(Self.package)
    _ = try await make(world, #"{"method":"work","args":{}}"#)
    let waiting = try await make(world, #"{"method":"quick","args":{}}"#)
    world.rig.cloud.setState("suspended", ofApp: world.app)
    await world.rig.clock.advance(by: 100)
    world.rig.cloud.setState("ready", ofApp: world.app)
    let job = try await job(world, waiting)
    #expect(job["state"] == "done")
    #expect(job["startedAt"] == 1_790_000_100_000)
    let states = try await world.events("calimero.job").map { $0["data"]?["state"] }
    #expect(states == ["queued", "running", "queued", "running", "running", "failed", "running", "done"])
  }

  @Test("jobs wait while their organization is suspended, and one that runs then fails")
  func suspendedOrg() async throws {
    let world = try await AppWorld(Self.package)
    let running = try await make(world, #"{"method":"work","args":{}}"#)
    let waiting = try await make(world, #"{"method":"quick","args":{}}"#)
    #expect(try await job(world, running)["state"] == "running")
    world.rig.cloud.suspend(org: world.org)
    await world.rig.clock.advance(by: 100)
    world.rig.cloud.suspend(org: world.org, false)
    let failed = try await job(world, running)
    #expect(failed["state"] == "failed")
    #expect(failed["error"]?["details"]?["subject"] == "organization")
    let late = try await job(world, waiting)
    #expect(late["state"] == "done")
    #expect(late["startedAt"] == 1_790_000_100_000)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a job fails when whoever began it was suspended meanwhile, or the calls of the day are used up")
  func refusedRuns() async throws {
    let world = try await AppWorld(Self.package)
    let first = try await make(world, #"{"method":"work","args":{}}"#)
    #expect(try await job(world, first)["state"] == "running")
    world.rig.cloud.suspend(account: "writer")
    await world.rig.clock.advance(by: 60)
    world.rig.cloud.suspend(account: "writer", false)
    #expect(try await job(world, first)["error"]?["details"]?["subject"] == "account")
    let second = try await make(world, #"{"method":"work","args":{}}"#)
    #expect(try await job(world, second)["state"] == "running")
    world.allow(callsPerDay: 0)
    await world.rig.clock.advance(by: 60)
    #expect(try await job(world, second)["error"]?["code"] == "QUOTA_EXCEEDED")
    #expect(world.rig.cloud.runs(of: "work", in: world.app) == 0)
    #expect(world.rig.cloud.violations == [])
  }

  @Test("a reader is told that a job is there which it may not see, and of none that there is none (70 §2.8)")
  func existence() async throws {
    let world = try await AppWorld()
    let body = #"{"method":"set","args":{"key":"k","value":1}}"#
    let job = try await world.ask("POST", "/jobs", body, as: .writer).json["jobId"]?.stringValue ?? ""
    for (method, suffix) in [("GET", ""), ("POST", "/cancel")] {
      #expect(try await world.ask(method, "/jobs/\(job)\(suffix)", as: .reader).code == "FORBIDDEN")
      #expect(try await world.ask(method, "/jobs/job_none\(suffix)", as: .reader).code == "NOT_FOUND")
      #expect(try await world.ask(method, "/jobs/\(job)\(suffix)", as: .stranger).code == "NOT_FOUND")
    }
    #expect(world.rig.cloud.violations == [])
  }
}
