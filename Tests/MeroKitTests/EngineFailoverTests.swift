import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Retries and failover against a cluster")
struct EngineFailoverTests {
  @Test(
    "70 §2.27 #4: with the base node down the first call takes one try more, and later ones go straight on")
  func baseDown() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    await rig.wire.end(0)
    _ = try await client.call(app, "send_message", ["message": "one"])
    let calls = rig.cloud.log.requests("app_call")
    #expect(calls.map(\.node) == [1])
    #expect(calls.map(\.attempt) == [2])
    rig.cloud.clearLog()
    rig.wire.begin(0)
    _ = try await client.call(app, "send_message", ["message": "two"])
    #expect(rig.cloud.log.outer.allSatisfy { $0.node == 1 })
    #expect(rig.cloud.log.requests("app_call").map(\.attempt) == [1])
  }

  @Test("70 §2.27 #5: 503 twice, then success: one id, attempts 1 to 3, one key, one run")
  func unavailableTwice() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    rig.cloud.nodes[0].answer(503, "OVERLOADED", operation: "app_call")
    rig.cloud.nodes[1].answer(503, "UNAVAILABLE", operation: "app_call")
    _ = try await client.call(app, "send_message", ["message": "hi"])
    let calls = rig.cloud.log.requests("app_call")
    #expect(calls.map(\.attempt) == [1, 2, 3])
    #expect(calls.map(\.node) == [0, 1, 2])
    #expect(Set(calls.map(\.requestId)).count == 1)
    #expect(Set(calls.map(\.idempotencyKey)).count == 1)
    #expect(calls[0].idempotencyKey?.count == 36)
    #expect(rig.cloud.runs(of: "send_message", in: app) == 1)
  }

  @Test("70 §2.27 #6: a call whose answer is lost is given the kept result, and the method runs once")
  func lostAnswer() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    rig.cloud.nodes[0].loseAnswer(operation: "app_call")
    let outcome = try await client.callOutcome(app, "send_message", ["message": "hi"])
    #expect(outcome.replayed)
    #expect(outcome.result["id"]?.uint64 == 9_007_199_254_740_993)
    #expect(rig.cloud.runs(of: "send_message", in: app) == 1)
    #expect(rig.cloud.log.requests("app_call").map(\.node) == [0, 1])
  }

  @Test(
    "70 §2.27 #6: an unsafe operation whose answer is lost is sent exactly once, and its outcome is unknown")
  func lostUnsafe() async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    rig.cloud.nodes[0].loseAnswer(operation: "org_create")
    let error = await calimeroError { _ = try await client.orgs.create(name: "Globex") }
    guard case .unknownOutcome(let outcome) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(rig.cloud.log.requests("org_create").count == 1)
    #expect(outcome.requestId == rig.cloud.log.requests("org_create").first?.requestId)
    #expect(outcome.operation == "org_create")
    #expect(error?.mayHaveRun == true)
  }

  @Test("70 §2.27 #7: with all nodes down six tries fail within the deadline, and one wait parts the rounds")
  func allDown() async {
    let rig = EngineRig()
    for node in rig.cloud.nodes { await rig.wire.end(node.index) }
    let client = rig.client()
    let error = await calimeroError { _ = try await client.info() }
    guard case .unreachable(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      failure.failures.map { $0.node.port } == rig.cloud.nodes.map(\.url.port)
        + rig.cloud.nodes.map(\.url.port))
    #expect(rig.waits == [0.15000000000000002])
    #expect(error?.mayHaveRun == false)
  }

  @Test(
    "70 §2.27 #7: a single node is tried six times, with waits of 0.2 s doubling to 2 s, half of it random")
  func oneDown() async {
    let rig = EngineRig(nodes: 1)
    await rig.wire.end(0)
    let client = rig.client()
    let began = rig.clock.now
    let error = await calimeroError { _ = try await client.info() }
    guard case .unreachable(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.failures.count == 6)
    let expected: [TimeInterval] = [0.15, 0.3, 0.6, 1.2, 1.5]
    #expect(zip(rig.waits, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(rig.waits.count == 5)
    #expect(rig.clock.now.timeIntervalSince(began) < 30)
  }

  @Test("70 §2.27 #7: a wait that would pass the deadline is not begun")
  func deadline() async {
    let rig = EngineRig(nodes: 1)
    await rig.wire.end(0)
    rig.clock.autoAdvance = 0.35
    let client = rig.client { $0.retry.deadline = 1 }
    let error = await calimeroError { _ = try await client.info() }
    guard case .unreachable(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.failures.count == 3)
    #expect(rig.waits.count == 2)
  }

  @Test("an unsafe request goes to the next node as long as nothing was sent")
  func unsafeFailsOver() async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    rig.cloud.nodes[0].down()
    _ = try await client.orgs.create(name: "Globex")
    #expect(rig.cloud.log.requests("org_create").map(\.node) == [1])
  }

  @Test("a 503 is thrown for an unsafe request and repeated when the caller says it is safe")
  func unsafe503() async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    rig.cloud.nodes[0].answer(503, "OVERLOADED", operation: "org_create")
    let error = await calimeroError { _ = try await client.post("/orgs", body: ["name": "Globex"]) }
    #expect(error?.code == .overloaded)
    #expect(error?.isRetryable == true)
    rig.cloud.clearLog()
    for node in rig.cloud.nodes { node.answer(503, "OVERLOADED", operation: "org_create") }
    let org = try await client.post("/orgs", body: ["name": "Globex"], retrySafe: true)
    #expect(org["name"]?.stringValue == "Globex")
    #expect(rig.cloud.log.requests("org_create").count == 4)
  }

  @Test("a leader that is named and known is next, without a wait; an address outside the ring is ignored")
  func leader() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    rig.cloud.nodes[0].answer(
      503, "NOT_LEADER", operation: "app_call", details: ["node": .string(rig.cloud.urls[2])])
    _ = try await client.call(app, "send_message", ["message": "hi"])
    #expect(rig.cloud.log.requests("app_call").map(\.node) == [0, 2])
    rig.cloud.clearLog()
    rig.cloud.nodes[2].answer(
      503, "NOT_LEADER", operation: "app_call", details: ["node": "https://evil.example"])
    _ = try await client.call(app, "send_message", ["message": "hi"])
    #expect(rig.cloud.log.requests("app_call").map(\.node) == [2, 1])
  }

  @Test(
    "a proxy's page after the request was posted leaves open whether it ran", arguments: [502, 503, 504, 418])
  func proxyPage(status: Int) async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    rig.cloud.nodes[0].proxyAnswer(status)
    _ = try await client.view(app, "get_messages")
    #expect(rig.cloud.log.requests("app_view").map(\.node) == [1])
    rig.cloud.nodes[1].proxyAnswer(status)
    let error = await calimeroError { _ = try await client.orgs.create(name: "Globex") }
    guard case .unknownOutcome = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a page in place of the sealed endpoint proves that nothing was sent", arguments: [404, 405])
  func noEndpoint(status: Int) async throws {
    let rig = EngineRig()
    let (client, _, _) = try await rig.member()
    rig.cloud.nodes[0].proxyAnswer(status)
    _ = try await client.orgs.create(name: "Globex")
    #expect(rig.cloud.log.requests("org_create").map(\.node) == [1])
  }

  @Test("a node that takes no more sessions is waited for once, then left")
  func busy() async throws {
    let rig = EngineRig()
    await rig.cloud.nodes[0].busy(times: 1, retryAfter: 1)
    let client = rig.client()
    _ = try await client.info()
    #expect(rig.cloud.log.inner.map(\.node) == [0])
    let other = rig.client()
    await rig.cloud.nodes[0].busy(times: 2, retryAfter: 1)
    _ = try await other.info()
    #expect(rig.cloud.log.inner.map(\.node) == [0, 1])
  }

  @Test("a short 429 is waited for at the same node, and a long one is thrown")
  func rateLimits() async throws {
    let rig = EngineRig()
    let client = rig.client()
    rig.cloud.nodes[0].answer(429, "RATE_LIMITED", operation: "public_info", retryAfterMs: 1500)
    _ = try await client.info()
    #expect(rig.cloud.log.inner.map(\.node) == [0, 0])
    #expect(rig.waits == [1.5])
    rig.cloud.nodes[0].answer(429, "RATE_LIMITED", operation: "public_info", retryAfterMs: 2001)
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.code == .rateLimited)
  }

  @Test("a call waits for the first request with its key that still runs")
  func inProgress() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    rig.cloud.nodes[0].answer(409, "IDEMPOTENCY_IN_PROGRESS", times: 2, operation: "app_call")
    _ = try await client.call(app, "send_message", ["message": "hi"])
    #expect(rig.cloud.log.requests("app_call").map(\.node) == [0, 0, 0])
    #expect(rig.waits.suffix(2) == [0.2, 0.4])
  }

  @Test(
    "70 §2.27 #16: a view after a call, across a failover to a node that is behind, sees the call; with eventual it may not"
  )
  func readYourWrites() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.call(app, "send_message", ["message": "hi"])
    rig.cloud.nodes[1].lag(changes: 1)
    await rig.wire.end(0)
    let page = try await client.view(app, "get_messages")
    #expect(page["messages"]?.arrayValue?.count == 1)
    #expect(rig.cloud.log.requests("app_view").map(\.node) == [1, 2])
    #expect(rig.cloud.log.requests("app_view").first?.code == "BEHIND")
    let stale = try await client.viewOutcome(
      app, "get_messages", options: ViewOptions(consistency: .eventual))
    #expect(stale.result["messages"]?.arrayValue?.count == 1)
    await rig.wire.end(2)
    let past = try await client.view(app, "get_messages", options: ViewOptions(consistency: .eventual))
    #expect(past["messages"]?.arrayValue?.isEmpty == true)
  }

  @Test("70 §2.27 #26: a response that is cut or tampered with is never data", arguments: [true, false])
  func brokenFrames(cuts: Bool) async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.call(app, "send_message", ["message": "hi"])
    for frame in 0...1 {
      let current = try #require(await client.nodeStates().firstIndex { $0.isCurrent })
      let node = rig.cloud.nodes[current]
      if cuts { await node.cut(afterFrames: frame) } else { await node.tamper(frame: frame) }
      let page = try await client.view(app, "get_messages")
      #expect(page["messages"]?.arrayValue?.count == 1)
    }
    let current = try #require(await client.nodeStates().firstIndex { $0.isCurrent })
    if cuts {
      await rig.cloud.nodes[current].cut(afterFrames: 1)
    } else {
      await rig.cloud.nodes[current].tamper(frame: 1)
    }
    let error = await calimeroError { _ = try await client.orgs.create(name: "Globex") }
    guard case .unknownOutcome = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("70 §2.27 #27: cancelling a task ends its request at once and leaves the client usable")
  func cancel() async throws {
    let rig = EngineRig()
    let client = rig.client()
    _ = try await client.info()
    rig.cloud.nodes[0].silent()
    let request = Task { try await client.info() }
    await rig.clock.waitForSleepers(1)
    request.cancel()
    let error = await calimeroError { _ = try await request.value }
    #expect(error == .cancelled)
    rig.cloud.nodes[0].up()
    rig.cloud.clearLog()
    _ = try await client.info()
    #expect(rig.cloud.log.inner.map(\.node) == [0])
  }

  @Test("70 §2.27 #27: a task that is cancelled while it attests, shakes hands or waits ends at once")
  func cancelEarlier() async throws {
    let rig = EngineRig(nodes: 1)
    rig.cloud.nodes[0].silent()
    let client = rig.client()
    let request = Task { try await client.info() }
    await rig.clock.waitForSleepers(1)
    request.cancel()
    #expect(await calimeroError { _ = try await request.value } == .cancelled)
    rig.cloud.nodes[0].refuse()
    rig.clock.autoAdvance = 0
    let waiting = Task { try await client.info() }
    await rig.clock.waitForSleepers(1)
    waiting.cancel()
    #expect(await calimeroError { _ = try await waiting.value } == .cancelled)
    rig.cloud.nodes[0].up()
    _ = try await client.info()
  }

  @Test(
    "a node that no connection leads to any more is left in time for the others, and what is unsafe is sent to them too"
  )
  func blackHole() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.view(app, "get_messages")
    rig.cloud.nodes[0].blackHole()
    let view = Task { try await client.view(app, "get_messages") }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 10)
    #expect(try await view.value["messages"] != nil)
    rig.cloud.nodes[1].blackHole()
    let create = Task { try await client.orgs.create(name: "Globex") }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 10)
    #expect(try await create.value.name == "Globex")
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test(
    "a node that hangs with a request that may be repeated leaves as much time for another",
    arguments: [true, false])
  func hanging(isView: Bool) async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.view(app, "get_messages")
    rig.cloud.nodes[0].silent()
    let request = Task {
      if isView {
        _ = try await client.view(app, "get_messages")
      } else {
        _ = try await client.call(app, "send_message", ["message": "hi"])
      }
    }
    await rig.clock.waitForSleepers(2)
    // Half of 30 seconds, and of 90.
    await rig.clock.advance(by: isView ? 15 : 45)
    try await request.value
    #expect(rig.cloud.log.requests(isView ? "app_view" : "app_call").last?.node == 1)
  }

  @Test("a node without others has all the time, and what was not answered and changes nothing says so")
  func hangingAlone() async throws {
    let rig = EngineRig(nodes: 1)
    let (client, app, _) = try await rig.member()
    _ = try await client.view(app, "get_messages")
    rig.cloud.nodes[0].delay(milliseconds: 20_000)
    let slow = Task { try await client.view(app, "get_messages") }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 20)
    _ = try await slow.value
    rig.cloud.nodes[0].silent()
    let view = Task { try await client.view(app, "get_messages") }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 30)
    guard case .unknownOutcome(let outcome) = await calimeroError({ _ = try await view.value }) else {
      Issue.record("not unknownOutcome")
      return
    }
    #expect(outcome.changesNothing)
    #expect("\(CalimeroError.unknownOutcome(outcome))".contains("can be repeated"))
  }

  @Test("a try that takes too long goes on at the next node; for an unsafe request it stays open what it did")
  func timeout() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member { $0.timeouts.request = 10 }
    _ = try await client.view(app, "get_messages")
    rig.cloud.nodes[0].silent()
    let view = Task { try await client.view(app, "get_messages") }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 10)
    #expect(try await view.value["messages"] != nil)
    rig.cloud.nodes[1].silent()
    let create = Task { try await client.orgs.create(name: "Globex") }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 10)
    guard case .unknownOutcome = await calimeroError({ _ = try await create.value }) else {
      Issue.record("not unknownOutcome")
      return
    }
  }
}
