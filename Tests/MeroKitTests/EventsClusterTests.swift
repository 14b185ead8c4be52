import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Events against a cluster")
struct EventsClusterTests {
  /// Collects a stream's events in a task of its own.
  private final class Collector: Sendable {
    let events = Locked<[AppEvent]>([])
    let stream: AppEventStream
    let task: Task<Void, any Error>

    init(_ stream: AppEventStream) {
      let events = events
      self.stream = stream
      task = Task { for try await event in stream { events.withLock { $0.append(event) } } }
    }

    /// Whether it stands: what happens from now on will come.
    func isOpen() async -> Bool { await eventually { stream.lastCursor != nil } }

    var count: Int { events.withLock { $0.count } }
    var numbers: [Int64] { events.withLock { $0.compactMap { $0.data["n"]?.int64 } } }
  }

  @Test(
    "70 §2.27 #14: 1,000 events come in order, each once, across a lost connection, a node's end, a sealed session's end and a token refresh, and go on with a new client at another node"
  )
  func thousandEvents() async throws {
    let rig = SessionRig()
    let producer = rig.client()
    let app = try await rig.app(producer)
    // The hour below passes faster than a client can hear comments; silence is another test's subject.
    let consumer = rig.client { $0.timeouts.streamIdle = 100_000 }
    try await consumer.signIn(rig.passkey)
    let collector = Collector(consumer.events(app))
    #expect(await collector.isOpen())
    func produce(_ count: Int64, until total: Int) async throws {
      _ = try await producer.call(app, "count", ["count": JSONValue(count)])
      #expect(await eventually { collector.count == total })
    }

    try await produce(200, until: 200)
    rig.cloud.nodes[0].dropStreams(.cut)
    try await produce(200, until: 400)
    for node in rig.cloud.nodes { node.dropStreams(.ended) }
    try await produce(200, until: 600)
    // An hour ends the sealed session, and its response without an end frame; the token is over as well by then.
    rig.cloud.clearLog()
    await rig.clock.advance(by: 3600)
    try await produce(200, until: 800)
    let refreshes = rig.cloud.log.requests("auth_refresh").count
    #expect(refreshes == 2, "one of each client")
    let cursor = try #require(collector.stream.lastCursor)
    collector.task.cancel()
    try await collector.task.value
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })

    _ = try await producer.call(app, "count", ["count": 200])
    let elsewhere = rig.client(nodes: [2])
    try await elsewhere.signIn(rig.passkey)
    let rest = Collector(elsewhere.events(app, from: .after(cursor)))
    #expect(await eventually { rest.count == 200 })
    rest.task.cancel()

    #expect(collector.numbers + rest.numbers == Array(0..<1000))
    let places = (collector.events.withLock { $0 } + rest.events.withLock { $0 }).map {
      ($0.seq, $0.index)
    }
    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 })
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
    #expect(rig.cloud.lapses == [])
  }

  @Test("70 §2.27 #14: a node that goes away in the middle costs nothing but its connection")
  func nodeGoesAway() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let collector = Collector(client.events(app))
    #expect(await collector.isOpen())
    await rig.wire.end(0)
    _ = try await client.call(app, "count", ["count": 10])
    #expect(await eventually { collector.count == 10 })
    await rig.wire.restart(1)
    _ = try await client.call(app, "count", ["count": 10])
    #expect(await eventually { collector.count == 20 })
    #expect(collector.numbers == Array(0..<20))
    collector.task.cancel()
  }

  @Test("while one node cannot be trusted, a stream waits for the others instead of giving up")
  func untrustedNode() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let collector = Collector(client.events(app))
    #expect(await collector.isOpen())
    // The nodes hold new keys, so they are attested anew, and one of them fails.
    for node in rig.cloud.nodes { await node.restart() }
    rig.cloud.nodes[0].badQuote(.wrongNonce)
    for node in rig.cloud.nodes.dropFirst() { node.refuse() }
    for _ in 0..<20 { await rig.clock.advance(by: 1) }
    for node in rig.cloud.nodes.dropFirst() { node.up() }
    for _ in 0..<60 where rig.cloud.openStreams(of: app) == 0 { await rig.clock.advance(by: 1) }
    _ = try await client.call(app, "count", ["count": 3])
    #expect(await eventually { collector.count == 3 })
    collector.task.cancel()
  }

  @Test("when no node can be trusted, a stream says so")
  func untrustedCluster() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let collector = Collector(client.events(app))
    #expect(await collector.isOpen())
    for node in rig.cloud.nodes { node.badQuote(.wrongNonce) }
    for node in rig.cloud.nodes { await node.restart() }
    for _ in 0..<60 where rig.cloud.openStreams(of: app) > 0 { await rig.clock.advance(by: 1) }
    await #expect {
      try await collector.task.value
    } throws: {
      if case CalimeroError.attestation = $0 { true } else { false }
    }
  }

  @Test("a frozen connection is left for the next node, where the events are")
  func frozen() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let collector = Collector(client.events(app))
    #expect(await collector.isOpen())
    rig.cloud.nodes[0].dropStreams(.frozen)
    _ = try await client.call(app, "count", ["count": 10])
    await rig.clock.advance(by: 46)
    #expect(await eventually { collector.count == 10 })
    #expect(rig.cloud.log.requests("app_event_stream").map(\.node) == [0, 1])
    collector.task.cancel()
  }

  @Test("70 §2.27 #15: CURSOR_EXPIRED throws, or yields calimero.reset and goes on from the oldest")
  func cursorExpired() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    _ = try await client.call(app, "count", ["count": 1])
    let cursor = try await client.eventPage(app).cursor
    _ = try await client.call(app, "count", ["count": 9])
    rig.cloud.forgetEvents(of: app, keeping: 3)

    await #expect {
      for try await _ in client.events(app, from: .after(cursor)) {}
    } throws: {
      if case CalimeroError.stream(.cursorExpired(let oldest)) = $0 { oldest != nil } else { false }
    }
    var kinds: [String] = []
    var numbers: [Int64] = []
    for try await event in client.events(
      app, from: .after(cursor), options: EventOptions(onGap: .resume))
    {
      kinds.append(event.kind)
      if let number = event.data["n"]?.int64 { numbers.append(number) }
      if numbers.count == 3 { break }
    }
    #expect(kinds == ["calimero.reset", "Number", "Number", "Number"])
    #expect(numbers == [7, 8, 9])
  }

  @Test(
    "70 §2.27 #15: a consumer that sleeps loses nothing, and no more than 1,000 events wait for it")
  func sleeper() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let stream = client.events(app, from: .oldest)
    var events = stream.makeAsyncIterator()
    for _ in 0..<10 { _ = try await client.call(app, "count", ["count": 300]) }
    var numbers: [Int64] = []
    numbers.append(try #require(try await events.next()?.data["n"]?.int64))
    // Nothing is taken for longer than the stream keeps a connection it does not read from.
    for _ in 0..<10_000 where rig.cloud.openStreams(of: app) > 0 { await rig.clock.advance(by: 1) }
    #expect(rig.cloud.openStreams(of: app) == 0)
    while numbers.count < 3000 {
      numbers.append(try #require(try await events.next()?.data["n"]?.int64))
    }
    #expect(numbers == Array(0..<3000))
    #expect(rig.cloud.log.requests("app_event_stream").count > 1)
  }

  @Test("signing out ends streams with signedOut")
  func signOut() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let collector = Collector(client.events(app))
    #expect(await collector.isOpen())
    await client.signOut()
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await collector.task.value }
  }

  @Test("a session that another device revokes ends an open stream with signedOut(.revoked), every time")
  func revokedElsewhere() async throws {
    let rig = SessionRig()
    let store = MemorySessionStore()
    let other = rig.client()
    let app = try await rig.app(other)
    for _ in 0..<10 {
      let client = rig.client(store: store)
      try await client.signIn(rig.passkey)
      let collector = Collector(client.events(app))
      #expect(await collector.isOpen())
      let session = try #require(await store.load()).session.sessionId
      try await other.auth.sessionRevoke(session: session)
      // Also where the node lets a stream go on: its next connection tells.
      for node in rig.cloud.nodes { node.dropStreams(.ended) }
      await #expect(throws: CalimeroError.signedOut(.revoked)) { try await collector.task.value }
      #expect(await eventually { await store.load() == nil })
    }
  }

  @Test("signing in again as another account ends the streams of the first; as the same one it does not")
  func otherAccount() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let collector = Collector(client.events(app))
    #expect(await collector.isOpen())
    try await client.signIn(rig.passkey)
    _ = try await client.call(app, "count")
    #expect(await eventually { collector.count == 1 })
    try await client.signUp(SoftPasskey(), name: "bob")
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await collector.task.value }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
    #expect(await client.account?.name == "bob")
  }

  @Test("a stream of an app that is not there is refused")
  func unknownApp() async throws {
    let rig = SessionRig()
    let client = rig.client()
    _ = try await rig.app(client)
    await #expect {
      for try await _ in client.events("app_00000000000000000000000000") {}
    } throws: {
      ($0 as? CalimeroError)?.code == .notFound
    }
  }

  @Test("a stream feeds the position that views are read at")
  func feedsPosition() async throws {
    let rig = SessionRig()
    let writer = rig.client()
    let app = try await rig.app(writer)
    let reader = rig.client(nodes: [0, 1])
    try await reader.signIn(rig.passkey)
    let stream = reader.events(app)
    let first = Task {
      for try await event in stream { return event.seq }
      return 0
    }
    #expect(await eventually { rig.cloud.openStreams(of: app) == 1 })
    _ = try await writer.call(app, "count")
    let seq = try await first.value
    #expect(await reader.core.settings.position(of: app) == seq)
  }

  @Test("pages begin with the oldest event, go on after a cursor and keep to kinds")
  func pages() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    _ = try await client.call(app, "count", ["count": 5])
    let first = try await client.eventPage(app, kinds: ["Number"], limit: 3)
    #expect(first.events.map { $0.data["n"]?.int64 } == [0, 1, 2])
    #expect(first.more)
    let second = try await client.eventPage(app, after: first.cursor, kinds: ["Number"])
    #expect(second.events.map { $0.data["n"]?.int64 } == [3, 4])
    #expect(!second.more)
    #expect(try await client.eventPage(app, kinds: ["Other"]).events.isEmpty)
  }

  @Test("what cannot be asked is not sent", arguments: [0, 501])
  func badLimits(limit: Int) async throws {
    let rig = SessionRig()
    let client = rig.client()
    for body: () async throws -> Void in [
      { _ = try await client.eventPage("app_1", limit: limit) },
      { _ = try await client.eventPage("app_1", wait: 26) },
      { _ = try await client.eventPage("app_1", kinds: ["a,b"]) },
      { for try await _ in client.events("..") {} },
      { for try await _ in client.events("app_1", kinds: []) {} },
    ] {
      await #expect {
        try await body()
      } throws: {
        if case CalimeroError.invalidInput = $0 { true } else { false }
      }
    }
    #expect(rig.cloud.log.outer.isEmpty)
  }
}
