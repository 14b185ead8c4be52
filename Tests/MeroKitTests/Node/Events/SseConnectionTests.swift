import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("The shared event stream", .timeLimit(.minutes(5)))
struct SseConnectionTests {
  private func event(_ context: String, _ number: Int) -> JSONValue {
    ["contextId": .string(context), "type": "Test", "data": ["number": JSONValue(number)]]
  }

  private func number(_ event: ContextEvent?) -> Int? { event?.data["number"]?.int }

  @Test("all consumers share one stream, asked for with the bearer and as a stream")
  func shared() async throws {
    let rig = try EventRig(session: NumberedSession())
    var first = rig.sse.events(contextIds: ["a"]).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("7")
    #expect(
      try await rig.node.posts(1) == [
        ["id": "7", "method": "subscribe", "params": ["contextIds": ["a"]]]
      ])
    var second = rig.sse.events(contextIds: ["b"], groupIds: ["g"]).makeAsyncIterator()
    #expect(
      try await rig.node.posts(2)[1]
        == ["id": "7", "method": "subscribe", "params": ["contextIds": ["b"], "groupIds": ["g"]]])
    stream.event(event("b", 1))
    stream.event(event("a", 2))
    stream.event(["groupId": "g", "type": "Test", "data": ["number": 3]])
    stream.event(["groupId": "h", "type": "Test", "data": ["number": 4]])
    stream.event(event("a", 5))
    #expect(number(try await first.next()) == 2)
    #expect(number(try await first.next()) == 5)
    #expect(number(try await second.next()) == 1)
    #expect(number(try await second.next()) == 3)
    #expect(rig.node.streamCount == 1)
    let asked = try #require(rig.node.asked.first)
    #expect(asked.path == "/sse")
    #expect(asked.headers["accept"] == "text/event-stream")
    #expect(asked.headers["authorization"] == "Bearer token0")
    #expect(asked.headers["last-event-id"] == nil)
    #expect(asked.timeout == nil)
    #expect(asked.idleTimeout == 60)
  }

  @Test(
    "a consumer that leaves its loop, and one that is cancelled, end their subscription; the stream stays")
  func leaving() async throws {
    let rig = try EventRig()
    let other = rig.sse.events(contextIds: ["b"])
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    _ = try await rig.node.posts(1)
    do {
      let events = rig.sse.events(contextIds: ["a"])
      _ = try await rig.node.posts(2)
      stream.event(event("a", 1))
      for try await _ in events { break }
    }
    #expect(
      try await rig.node.posts(3)[2] == ["id": "1", "method": "unsubscribe", "params": ["contextIds": ["a"]]])
    let consumer = Task { for try await _ in other {} }
    consumer.cancel()
    try await consumer.value
    #expect(
      try await rig.node.posts(4)[3] == ["id": "1", "method": "unsubscribe", "params": ["contextIds": ["b"]]])
    #expect(rig.node.streamCount == 1)
  }

  @Test("subscribing tells which ids were refused, and a second one who wants the same sends nothing")
  func refusedIds() async throws {
    let rig = try EventRig()
    rig.node.answer { body in
      guard body["params"]?["contextIds"]?[0] == "a" else { return try await EventNode.grantAll(body) }
      return HTTPResponse(
        status: 200,
        body: HTTPBody(Data(#"{"result":{"status":"subscribed","contexts":["a"],"groups":[]}}"#.utf8)))
    }
    async let answer = rig.sse.subscribe(contextIds: ["a", "b"], groupIds: ["g"])
    try await rig.node.stream(0).connect("1")
    #expect(try await answer == SseSubscription(subscribed: ["a"], refused: ["b", "g"]))
    #expect(try await rig.sse.subscribe(contextIds: ["a"]) == SseSubscription(subscribed: ["a"], refused: []))
    #expect(rig.node.posts.count == 1)
    await rig.sse.unsubscribe(contextIds: ["a"])
    await rig.sse.unsubscribe(contextIds: ["a"])
    #expect(try await rig.node.posts(2).last?["method"] == "unsubscribe")
  }

  @Test("who waits for a subscription and is cancelled has subscribed to nothing")
  func cancelledSubscribe() async throws {
    let rig = try EventRig()
    let waiting = Task { try await rig.sse.subscribe(contextIds: ["a"]) }
    let stream = try await rig.node.stream(0)
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    stream.connect("1")
    await rig.waitUntilOnline("1")
    #expect(rig.node.posts == [])
  }

  @Test("after an interruption it subscribes again before it says that it is online, and goes on delivering")
  func reconnects() async throws {
    let rig = try EventRig()
    var events = rig.sse.events(contextIds: ["a"]).makeAsyncIterator()
    let first = try await rig.node.stream(0)
    first.connect("1")
    _ = try await rig.node.posts(1)
    first.event(event("a", 1))
    #expect(number(try await events.next()) == 1)
    #expect(rig.sse.isOnline)
    let answering = Gate()
    rig.node.answer { body in
      try await answering.wait()
      return try await EventNode.grantAll(body)
    }
    first.end(TransportError(kind: .lost, text: "reset", mayHaveBeenSent: true))
    await rig.wait { $0 == .offline(.network("reset")) }
    #expect(!rig.sse.isOnline)
    await rig.clock.passReconnect()
    let second = try await rig.node.stream(1)
    second.connect("2")
    #expect(try await rig.node.posts(2)[1]["id"] == "2")
    #expect(!rig.sse.isOnline)
    answering.open()
    await rig.waitUntilOnline("2")
    #expect(rig.sse.isOnline)
    second.event(event("a", 2))
    #expect(number(try await events.next()) == 2)
  }

  @Test("an old token is renewed, and the stream opened at once and without an error")
  func expiredToken() async throws {
    let rig = try EventRig(session: NumberedSession())
    rig.node.refuse(.status(401, "token_expired"))
    let states = rig.sse.states
    let events = rig.sse.events(contextIds: ["a"])
    try await rig.node.stream(0).connect("1")
    var seen: [SseState] = []
    for await state in states {
      seen.append(state)
      if case .online = state { break }
    }
    #expect(seen == [.connecting, .online(sessionId: "1")])
    #expect(
      rig.node.asked.prefix(2).map { $0.headers["authorization"] } == ["Bearer token0", "Bearer token1"])
    #expect(await rig.session?.refreshes == 1)
    _ = events
  }

  @Test(
    "the vectors' answers to connecting do what the vectors expect",
    arguments: NodeVectors.group("sseConnect"))
  func vectors(vector: NodeVector) async throws {
    let rig = try EventRig(session: NumberedSession())
    let headers = vector.json["response"]?["headers"]?.objectValue?.map {
      ($0.key, $0.value.stringValue ?? "")
    }
    rig.node.refuse(
      HTTPResponse(status: vector.json["response"]?["status"]?.int ?? 0, headers: HTTPHeaders(headers ?? [])))
    let states = rig.sse.states
    let consumer = Task { for try await _ in rig.sse.events(contextIds: ["a"]) {} }
    var error: MeroError?
    for await state in states {
      if state == .connecting { try await rig.node.waitForConnects(1) }
      if case .offline(let found) = state { error = found }
      if case .stopped(let found) = state { error = found }
      if vector.expect["then"] == "reconnect-now" { break }
      if error != nil { break }
    }
    switch vector.expect["then"]?.stringValue {
    case "reconnect-now":
      _ = try await rig.node.stream(0)
      #expect(error == nil)
    case "reconnect-after-3000ms":
      while rig.clock.nextWake != 3 { await Task.yield() }
      await rig.clock.advance(by: 2.9)
      #expect(rig.node.asked.count == 1)
      await rig.clock.advance(by: 0.2)
      _ = try await rig.node.stream(0)
    case "stop":
      let stopped = try #require(error)
      await #expect(throws: stopped) { try await consumer.value }
      await rig.clock.advance(by: 60)
      #expect(rig.node.asked.count == 1)
    case let then: #expect(Bool(false), "unknown \(then ?? "")")
    }
    let name: String? =
      switch error {
      case .http(let error): "http(\(error.status))"
      case .authRevoked(let reason, _): "authRevoked(\(reason))"
      default: nil
      }
    #expect(name == vector.expect["error"]?.stringValue)
    #expect(await rig.session?.refreshes == (vector.expect["refreshOnce"] == true ? 1 : 0))
    #expect(await rig.session?.revocations.isEmpty == (vector.expect["tokensCleared"] != true))
    consumer.cancel()
  }

  @Test("a refusal that will not pass ends every consumer with it; whoever comes later tries again")
  func stops() async throws {
    let rig = try EventRig()
    rig.node.refuse(.status(403, "permission_denied"))
    let consumer = Task { for try await _ in rig.sse.events(contextIds: ["a"]) {} }
    let waiter = Task { try await rig.sse.subscribe(contextIds: ["b"]) }
    let error = await #expect(throws: MeroError.self) { try await consumer.value }
    #expect(error?.httpStatus == 403)
    if case .http(let http)? = error { #expect(http.authError == "permission_denied") }
    await #expect(throws: MeroError.self) { try await waiter.value }
    let late = rig.sse.events(contextIds: ["c"])
    try await rig.node.stream(0).connect("1")
    #expect(try await rig.node.posts(1)[0]["params"] == ["contextIds": ["c"]])
    _ = late
  }

  @Test(
    "closing ends the consumers in peace and the waiters as cancelled, leaves the stream, and can be followed by more"
  )
  func closes() async throws {
    let rig = try EventRig()
    let states = rig.sse.states
    let consumer = Task { for try await _ in rig.sse.events(contextIds: ["a"]) {} }
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    _ = try await rig.node.posts(1)
    rig.node.answer { _ in
      try await Gate().wait()
      return HTTPResponse(status: 500)
    }
    let waiter = Task { try await rig.sse.subscribe(contextIds: ["b"]) }
    _ = try await rig.node.posts(2)
    await rig.sse.close()
    try await consumer.value
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await stream.waitUntilLeft()
    for await _ in states {}
    rig.node.answer(EventNode.grantAll)
    let later = rig.sse.events(contextIds: ["c"])
    let next = try await rig.node.stream(1)
    next.connect("2")
    #expect(
      try await rig.node.posts(3)[2] == ["id": "2", "method": "subscribe", "params": ["contextIds": ["c"]]])
    _ = later
  }

  @Test("a stream that falls silent is left after 60 seconds; comments keep it")
  func silence() async throws {
    let rig = try EventRig()
    let events = rig.sse.events(contextIds: ["a"])
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    await rig.waitUntilOnline("1")
    for _ in 0..<8 {
      await rig.clock.advance(by: 15)
      stream.send(":\n\n")
      await rig.clock.advance(by: 0)
    }
    #expect(rig.sse.isOnline)
    await rig.clock.advance(by: 61)
    try await stream.waitUntilLeft()
    await rig.clock.passReconnect()
    _ = try await rig.node.stream(1)
    _ = events
  }

  @Test("a frame of more than 16 MiB ends the stream, which begins anew; the events before it arrive")
  func tooLarge() async throws {
    let rig = try EventRig()
    var events = rig.sse.events(contextIds: ["a"]).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    stream.event(event("a", 1))
    stream.send("data: " + String(repeating: "x", count: (16 << 20) + 1) + "\n\n")
    #expect(number(try await events.next()) == 1)
    await rig.wait { if case .offline(.decoding) = $0 { true } else { false } }
    await rig.clock.passReconnect()
    let next = try await rig.node.stream(1)
    next.connect("2")
    next.event(event("a", 2))
    #expect(number(try await events.next()) == 2)
  }

  @Test("an answer that is no event stream is reported, not read")
  func notAStream() async throws {
    let rig = try EventRig()
    rig.node.refuse(
      HTTPResponse(status: 200, headers: ["content-type": "text/html"], body: HTTPBody(Data("<html>".utf8))))
    let events = rig.sse.events(contextIds: ["a"])
    await rig.wait {
      if case .offline(.decoding(let text)) = $0 { text.contains("text/html") } else { false }
    }
    _ = events
  }

  @Test("a consumer that does not read keeps the newest 10,000 events")
  func slowConsumer() async throws {
    let rig = try EventRig()
    let slow = rig.sse.events(contextIds: ["a", "slow"])
    var quick = rig.sse.events(contextIds: ["a", "quick"]).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    try await rig.node.waitForTopics("slow", "quick")
    // In parts that fit, or the quick one might fall behind too.
    for part in stride(from: 0, to: 10_100, by: 1010) {
      for number in part..<part + 1010 { stream.event(event("a", number)) }
      for number in part..<part + 1010 { try #require(self.number(try await quick.next()) == number) }
    }
    // An event goes to all its listeners in one step, in no particular order: this one is the last of that step.
    await rig.sse.connect()
    var late = slow.makeAsyncIterator()
    #expect(number(try await late.next()) == 100)
  }

  @Test("a connection that nobody holds any more leaves its stream")
  func dropped() async throws {
    var rig: EventRig? = try EventRig()
    let node = try #require(rig?.node)
    await rig?.sse.connect()
    let stream = try await node.stream(0)
    stream.connect("1")
    await rig?.waitUntilOnline("1")
    rig = nil
    try await stream.waitUntilLeft()
  }

  @Test("changes of version and migrations come alone, as what they are")
  func helpers() async throws {
    let rig = try EventRig()
    var versions = rig.sse.versionChanges(contextIds: ["a"]).makeAsyncIterator()
    var migrations = rig.sse.migrations(namespaceIds: ["n"]).makeAsyncIterator()
    let stream = try await rig.node.stream(0)
    stream.connect("1")
    try await rig.node.waitForTopics("a", "n")
    stream.event(event("a", 1))
    stream.event([
      "contextId": "a", "type": "AppVersionChanged", "data": ["fromVersion": "1.0.0", "toVersion": "2.0.0"],
    ])
    stream.event(["groupId": "n", "type": "MemberJoined", "data": ["memberAccount": "m"]])
    stream.event([
      "groupId": "n", "type": "MigrationProgress",
      "data": ["migrated": 1, "inProgress": 0, "unknown": 0, "failed": 0, "total": 2],
    ])
    #expect(
      try await versions.next()
        == ContextVersionChange(
          contextId: "a", change: AppVersionChange(fromVersion: "1.0.0", toVersion: "2.0.0")))
    let migration = try await migrations.next()
    #expect(migration?.namespaceId == "n")
    guard case .progress(let progress)? = migration?.event else { return #expect(Bool(false), "no progress") }
    #expect(progress.total == 2)
  }
}
