import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

/// A client and a node that speaks for itself.
struct FakeNodeRig {
  let node: FakeNode
  let clock: FakeClock
  let mero: Mero
  let revocations = Locked<[String]>([])

  /// - Parameter permissions: of the session; nil for the owner's own.
  init(permissions: [String]? = nil) async {
    clock = FakeClock()
    node = FakeNode(clock: clock.clock, seed: 7)
    let revocations = revocations
    mero = Mero(
      config: MeroConfig(
        baseURL: node.url, onAuthRevoked: { reason in revocations.withLock { $0.append(reason) } },
        clock: clock.clock),
      transport: node.transport)
    let session =
      permissions.map { node.makeSession(permissions: $0) } ?? (node.accessToken, node.refreshToken)
    await mero.setTokenData(
      TokenData(
        accessToken: session.0, refreshToken: session.1, expiresAt: clock.now.addingTimeInterval(3600)))
  }
}

@Suite("Events of a node", .timeLimit(.minutes(5)))
struct NodeEventsTests {
  @Test(
    "a session that ends while the stream is down stops it: consumers get the reason, the owner is told once")
  func revoked() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    var states = await rig.mero.sse.states.makeAsyncIterator()
    let consumer = Task { for try await _ in rig.mero.events(contextIds: [context]) {} }
    try await states.waitUntilOnline()
    rig.node.revokeFamily()
    rig.node.dropStreams(.cut)
    try await states.wait { if case .offline = $0 { true } else { false } }
    await rig.clock.passReconnect()
    let error = await #expect(throws: MeroError.self) { try await consumer.value }
    guard case .authRevoked? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(await rig.mero.isAuthenticated == false)
    #expect(rig.revocations.withLock { $0.count } == 1)
    #expect(await rig.mero.sse.isOnline == false)
    // A new login is a new beginning.
    var again = await rig.mero.sse.states.makeAsyncIterator()
    try await rig.mero.authenticate(
      Credentials(username: FakeNode.username, password: FakeNode.password))
    try await again.waitUntilOnline()
  }

  @Test(
    "100,000 events through 100 lost connections: each that was sent comes once and in order, and what happened meanwhile is gone"
  )
  func manyInterruptions() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    var states = await rig.mero.sse.states.makeAsyncIterator()
    var events = rig.mero.events(contextIds: [context]).makeAsyncIterator()
    try await rig.mero.sse.subscribe(contextIds: [context])
    var pushed = 0
    func push(_ count: Int) {
      for _ in 0..<count {
        rig.node.push(.ofContext(context, "Test", ["number": JSONValue(pushed)]))
        pushed += 1
      }
    }
    var session = try await states.nextSession(after: nil)
    var missed = 0
    for round in 1...101 {
      push(990)
      // Nobody is back before the wait has passed.
      rig.clock.autoAdvance = 0
      switch round % 10 {
      // As a node does that starts anew; it does not know either who missed what then.
      case 0: rig.node.forgetStreamSessions()
      case let rest: rig.node.dropStreams(rest.isMultiple(of: 2) ? .cut : .ended)
      }
      push(10)
      let sent = rig.node.sentEvents
      let delivered = sent.filter { $0.delivered.contains(session) }.map { $0.data["number"]?.int }
      missed += sent.count { $0.missed.contains(session) }
      rig.node.clearSentEvents()
      try #require(delivered.count == 990)
      for number in delivered {
        let next = try await events.next()
        try #require(next?.data["number"]?.int == number)
      }
      await rig.clock.passReconnect()
      session = try await states.nextSession(after: session)
    }
    #expect(pushed == 101_000)
    #expect(missed == 910)
    #expect(rig.node.streamCalls == 102)
    // Nothing of what was missed comes later.
    push(1)
    #expect(try await events.next()?.data["number"]?.int == 101_000)
  }

  @Test("a session that ends at another request stops the open stream too")
  func revokedElsewhere() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    var states = await rig.mero.sse.states.makeAsyncIterator()
    let consumer = Task { for try await _ in rig.mero.events(contextIds: [context]) {} }
    try await states.waitUntilOnline()
    rig.node.revokeFamily()
    await #expect(throws: MeroError.self) { try await rig.mero.rpc.syncStatus(context) }
    await #expect(throws: MeroError.self) { try await consumer.value }
    #expect(rig.revocations.withLock { $0.count } == 1)
  }

  @Test("an access token that expired while the stream was open is renewed when it is opened again")
  func expired() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    var states = await rig.mero.sse.states.makeAsyncIterator()
    var events = rig.mero.events(contextIds: [context]).makeAsyncIterator()
    try await rig.mero.sse.subscribe(contextIds: [context])
    rig.node.expireAccessToken()
    rig.node.push(.ofContext(context, "Test", ["number": 1]))
    #expect(try await events.next()?.data["number"] == 1)
    try await states.waitUntilOnline()
    rig.node.dropStreams(.cut)
    try await states.wait { if case .offline = $0 { true } else { false } }
    await rig.clock.passReconnect()
    try await states.waitUntilOnline()
    #expect(rig.node.refreshCalls == 1)
    rig.node.push(.ofContext(context, "Test", ["number": 2]))
    #expect(try await events.next()?.data["number"] == 2)
  }

  @Test("a session without context:subscribe gets 403 permission_denied, and the stream is not tried again")
  func notPermitted() async throws {
    let rig = await FakeNodeRig(permissions: ["context:execute"])
    let context = rig.node.makeContext()
    var events = rig.mero.events(contextIds: [context]).makeAsyncIterator()
    let error = await #expect(throws: MeroError.self) { try await events.next() }
    guard case .http(let http)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(http.status == 403 && http.authError == "permission_denied")
    await rig.clock.advance(by: 60)
    #expect(rig.node.requests("GET /sse").count == 1)
  }

  @Test("contexts that are unknown, or of others, are refused, and those of the node come")
  func refusedIds() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    let unknown = String(repeating: "ab", count: 32)
    let answer = try await rig.mero.sse.subscribe(contextIds: [context, unknown], groupIds: [unknown])
    #expect(answer == SseSubscription(subscribed: [context], refused: [unknown, unknown]))
  }

  @Test("what a method changes and emits comes as a state mutation; leaving the loop ends the subscription")
  func contractEvents() async throws {
    let rig = await FakeNodeRig()
    let context = rig.node.makeContext()
    try await rig.mero.sse.subscribe(contextIds: [context])
    do {
      let events = rig.mero.events(contextIds: [context])
      let _: JSONValue = try await rig.mero.rpc.execute(
        contextId: context, method: "send_message", argsJson: ["message": "hi"])
      for try await event in events {
        let mutation = try #require(event.stateMutation)
        #expect(mutation.newRoot.utf8.count == 64)
        #expect(mutation.events?.isEmpty == false)
        #expect(mutation.events?.first?.json != nil)
        break
      }
    }
    await rig.mero.sse.unsubscribe(contextIds: [context])
    while !rig.node.subscriptions.isEmpty { await Task.yield() }
  }
}

extension AsyncStream<SseState>.Iterator {
  mutating func wait(for isWanted: (SseState) -> Bool) async throws {
    while let state = await next() {
      if isWanted(state) { return }
    }
    throw MeroError.network("the states have ended")
  }

  /// The session of the next connection.
  mutating func nextSession(after last: String?) async throws -> String {
    while let state = await next() {
      if case .online(let session) = state, session != last { return session }
    }
    throw MeroError.network("the states have ended")
  }

  mutating func waitUntilOnline() async throws {
    try await wait { if case .online = $0 { true } else { false } }
  }
}
