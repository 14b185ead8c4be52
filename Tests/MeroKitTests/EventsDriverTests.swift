import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import MeroWire
import Testing

@testable import MeroKit

@Suite("An event stream at work")
struct EventsDriverTests {
  private let clock = FakeClock()

  private func stream(
    _ nodes: ScriptedNodes, from start: EventStart = .now, options: EventOptions = EventOptions(),
    limits: EventStreamMachine.Limits = .init()
  ) -> AppEventStream {
    let machine = EventStreamMachine(
      of: EventSamples.app, from: start, options: options, limits: limits, at: clock.clock.uptime())
    return AppEventStream(
      EventStreamDriver(
        machine,
        client: .init(
          open: { try await nodes.open($0, preferred: $1, after: $2) }, failed: { _ in },
          sessionEnd: { await nodes.sessionEnd() }, noteSeq: { nodes.noted($0) }),
        clock: clock.clock, random: SeededRandom(seed: 1).random))
  }

  @Test("events come exact, in order, and are noted as seen")
  func delivers() async throws {
    let exact: JSONValue = ["id": 9_007_199_254_740_993, "amount": .number(JSONNumber("1E+2")!)]
    let nodes = ScriptedNodes([
      .init(
        [EventSamples.ready(1), EventSamples.event(2, data: exact), EventSamples.event(3)], then: .stayOpen)
    ])
    let stream = stream(nodes)
    var events = stream.makeAsyncIterator()
    let first = try #require(try await events.next())
    #expect(first.data.text == exact.text)
    #expect(try await events.next()?.seq == 3)
    #expect(stream.lastCursor == "c3.0")
    #expect(nodes.seen == [2, 3])
  }

  @Test("it goes on from the last event, at the node it was at or the one after, by how it ended")
  func resumes() async throws {
    let nodes = ScriptedNodes([
      .init([EventSamples.ready(1), EventSamples.event(2)], then: .finish),
      .init(
        [EventSamples.ready(2), EventSamples.event(3)],
        then: .fail(TransportError(kind: .lost, text: "reset", mayHaveBeenSent: true))),
      .init(
        [EventSamples.ready(3), EventSamples.event(3), EventSamples.event(4, kind: NodeEventKind.deleted)],
        then: .stayOpen),
    ])
    var seen: [UInt64] = []
    for try await event in stream(nodes) { seen.append(event.seq) }
    #expect(seen == [2, 3, 4])
    #expect(
      nodes.asked == [
        .init(cursor: nil, preferred: nil, after: nil), .init(cursor: "c2.0", preferred: "n1", after: nil),
        .init(cursor: "c3.0", preferred: nil, after: "n2"),
      ])
  }

  @Test("an answer cut by its sealed session's end is asked for again at the same node")
  func sealedSessionEnds() async throws {
    let nodes = ScriptedNodes([
      .init([EventSamples.ready(1)], then: .hold(SealedError.cutShort)),
      .init([EventSamples.ready(1), EventSamples.event(2)], then: .stayOpen),
    ])
    let stream = stream(nodes)
    let first = Task {
      var events = stream.makeAsyncIterator(); return try await events.next()?.seq
    }
    try await nodes.holding.wait()
    await clock.advance(by: 6)
    nodes.release.open()
    #expect(try await first.value == 2)
    #expect(nodes.asked.last == .init(cursor: "c1.0", preferred: "n1", after: nil))
  }

  @Test("a silent connection is left after 45 seconds for the next node")
  func silence() async throws {
    let nodes = ScriptedNodes([
      .init([EventSamples.ready(1)], then: .stayOpen),
      .init([EventSamples.ready(1), EventSamples.event(2)], then: .stayOpen),
    ])
    let stream = stream(nodes)
    let first = Task {
      var events = stream.makeAsyncIterator(); return try await events.next()?.seq
    }
    await clock.waitForSleepers(1)
    try await nodes.waitForConnections(1)
    await clock.advance(by: 44)
    #expect(nodes.asked.count == 1)
    await clock.advance(by: 2)
    #expect(try await first.value == 2)
    #expect(nodes.asked.last == .init(cursor: "c1.0", preferred: nil, after: "n1"))
    #expect(nodes.closed == 1)
  }

  @Test("leaving the loop closes the connection")
  func leaving() async throws {
    let nodes = ScriptedNodes([.init([EventSamples.ready(1), EventSamples.event(2)], then: .stayOpen)])
    for try await _ in stream(nodes) { break }
    try await nodes.waitForClose()
    #expect(nodes.closed == 1)
  }

  @Test("cancelling the consumer's task ends its wait at once and closes the connection")
  func cancelling() async throws {
    let nodes = ScriptedNodes([.init([EventSamples.ready(1)], then: .stayOpen)])
    let stream = stream(nodes)
    let consumer = Task {
      var events = stream.makeAsyncIterator(); return try await events.next()
    }
    try await nodes.waitForConnections(1)
    consumer.cancel()
    #expect(try await consumer.value == nil)
    try await nodes.waitForClose()
  }

  @Test("signing out throws from a waiting loop and closes the connection")
  func signOut() async throws {
    let nodes = ScriptedNodes([.init([EventSamples.ready(1)], then: .stayOpen)])
    let stream = stream(nodes)
    let consumer = Task {
      var events = stream.makeAsyncIterator(); return try await events.next()
    }
    try await nodes.waitForConnections(1)
    nodes.signOut.open()
    await #expect(throws: CalimeroError.signedOut(.signedOut)) { try await consumer.value }
    try await nodes.waitForClose()
  }

  @Test("a consumer that sleeps keeps at most a queueful in memory, and loses nothing")
  func slowConsumer() async throws {
    let all = (UInt64(2)...100).map { EventSamples.event($0) }
    let nodes = ScriptedNodes(
      [.init([EventSamples.ready(1)] + all, then: .stayOpen)]
        + (0..<20).map { _ in .init(resuming: all) })
    var limits = EventStreamMachine.Limits()
    limits.queue = 10
    let stream = stream(nodes, limits: limits)
    var events = stream.makeAsyncIterator()
    var seen: [UInt64] = []
    for round in 0..<11 {
      for _ in 0..<9 { seen.append(try #require(try await events.next()).seq) }
      // Ten wait in the stream, and one more was read before it stopped.
      #expect(nodes.lastRead <= (seen.last ?? 0) + 11)
      if round.isMultiple(of: 3), let last = seen.last, last + 11 < 100 {
        while nodes.lastRead < last + 11 { await Task.yield() }
        // One that watches for silence, and one that waits for room: long enough for the connection to be given back.
        await clock.waitForSleepers(2)
        await clock.advance(by: 31)
      }
    }
    #expect(seen == all.map(\.seq))
    #expect(nodes.asked.count > 1)
    #expect(nodes.asked.dropFirst().allSatisfy { $0.cursor != nil })
  }

  @Test("the connection's states are told as they change")
  func states() async throws {
    let nodes = ScriptedNodes([
      .init(refusing: CalimeroError.unreachable(Unreachable(failures: []))),
      .init(refusing: CalimeroError.unreachable(Unreachable(failures: []))),
      .init([EventSamples.ready(1), EventSamples.event(2, kind: NodeEventKind.deleted)], then: .stayOpen),
    ])
    let stream = stream(nodes)
    let states = Task { await stream.connection.reduce(into: [String]()) { $0.append($1.word) } }
    await Task.yield()
    clock.autoAdvance = 1
    for try await _ in stream {}
    #expect(await states.value == ["connecting", "waiting", "connecting", "open"])
  }

  @Test("a stream that may be without a connection for a time gives up while it is still being connected")
  func giveUpWhileConnecting() async throws {
    let nodes = ScriptedNodes([.init(neverAnswering: ())])
    let stream = stream(nodes, options: EventOptions(giveUpAfter: 10))
    let end = Locked<(any Error)?>(nil)
    let consumer = Task {
      do { for try await _ in stream {} } catch { end.withLock { $0 = error } }
    }
    try await nodes.waitForConnections(1)
    await clock.waitForSleepers(1)
    await clock.advance(by: 9)
    #expect(end.withLock { $0 == nil })
    await clock.advance(by: 2)
    #expect(await eventually { end.withLock { $0 != nil } })
    #expect(end.withLock { if case CalimeroError.unreachable? = $0 { true } else { false } })
    consumer.cancel()
  }

  @Test("an event that is not one is a decoding error")
  func notAnEvent() async throws {
    let nodes = ScriptedNodes([.init(bytes: Data("data: {\"cursor\":1}\n\n".utf8))])
    await #expect {
      for try await _ in stream(nodes) {}
    } throws: {
      if case CalimeroError.decoding = $0 { true } else { false }
    }
  }

  @Test("an event of more than a mebibyte is a decoding error")
  func tooLarge() async throws {
    let nodes = ScriptedNodes([
      .init(bytes: Data("data: \(String(repeating: "x", count: 1 << 20 + 1))\n\n".utf8))
    ])
    await #expect {
      for try await _ in stream(nodes) {}
    } throws: {
      if case CalimeroError.decoding(let failure) = $0 { failure.isTooLarge } else { false }
    }
  }
}

extension StreamConnection {
  fileprivate var word: String {
    switch self {
    case .connecting: "connecting"
    case .open: "open"
    case .waiting: "waiting"
    }
  }
}

/// Nodes that answer each connection with the next part of a script, and remember what they were asked.
private final class ScriptedNodes: Sendable {
  struct Part: Sendable {
    enum Then: Sendable {
      case finish
      case fail(any Error)
      case stayOpen
      /// Fails when the test opens ``ScriptedNodes/release``.
      case hold(any Error)
    }

    var chunks: [(seq: UInt64, bytes: Data)] = []
    var then = Then.stayOpen
    var refusal: CalimeroError?
    /// Sends what follows the cursor it was asked with.
    var log: [AppEvent]?
    var isSilent = false

    init(_ events: [AppEvent], then: Then) {
      chunks = Self.wire(events)
      self.then = then
    }

    init(bytes: Data) { chunks = [(0, bytes)] }
    init(refusing error: CalimeroError) { refusal = error }
    init(resuming log: [AppEvent]) { self.log = log }
    /// Takes the question and says nothing.
    init(neverAnswering: Void) { isSilent = true }

    static func wire(_ events: some Sequence<AppEvent>) -> [(seq: UInt64, bytes: Data)] {
      events.map { ($0.seq, (try? EventSamples.wire($0)) ?? Data()) }
    }
  }

  struct Question: Sendable, Equatable {
    var cursor: String?
    var preferred: String?
    var after: String?
  }

  private struct State {
    var parts: [Part]
    var asked: [Question] = []
    var seen: [UInt64] = []
    var closed = 0
    var lastRead: UInt64 = 0
  }

  private let state: Locked<State>
  let holding = Gate()
  let release = Gate()
  let signOut = Gate()
  private let firstClose = Gate()

  init(_ parts: [Part]) { state = Locked(State(parts: parts)) }

  var asked: [Question] { state.withLock { $0.asked } }
  var seen: [UInt64] { state.withLock { $0.seen } }
  /// The event that was read from the last connection last.
  var lastRead: UInt64 { state.withLock { $0.lastRead } }
  var closed: Int { state.withLock { $0.closed } }

  func noted(_ seq: UInt64) { state.withLock { $0.seen.append(seq) } }

  func sessionEnd() async -> SignedOutReason? {
    do { try await signOut.wait() } catch { return nil }
    return .signedOut
  }

  func waitForConnections(_ count: Int) async throws {
    while asked.count < count { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
  }

  func waitForClose() async throws { try await firstClose.wait() }

  func open(_ cursor: String?, preferred: NodeHandle?, after: NodeHandle?) async throws -> OpenedStream {
    let (part, number) = state.withLock { state in
      state.asked.append(
        Question(cursor: cursor, preferred: preferred?.url.host, after: after?.url.host))
      return (state.parts.isEmpty ? nil : state.parts.removeFirst(), state.asked.count)
    }
    guard var part else { throw CalimeroError.unreachable(Unreachable(failures: [])) }
    if let refusal = part.refusal { throw refusal }
    if part.isSilent { try await Gate().wait() }
    if let log = part.log {
      let rest = log.drop { "c\($0.seq).\($0.index)" != cursor }.dropFirst()
      part.chunks = Part.wire(rest)
    }
    return OpenedStream(
      node: NodeHandle(url: URL(string: "http://n\(number)")!), status: 200, headers: [:], body: body(part))
  }

  private func body(_ part: Part) -> HTTPBody {
    let chunks = Locked(part.chunks)
    let forever = Gate()
    return HTTPBody(
      next: {
        if let chunk = chunks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
          self.state.withLock { $0.lastRead = chunk.seq }
          return chunk.bytes
        }
        switch part.then {
        case .finish: return nil
        case .fail(let error): throw error
        case .stayOpen:
          do { try await forever.wait() } catch {
            self.close()
            throw error
          }
          return nil
        case .hold(let error):
          self.holding.open()
          try await self.release.wait()
          throw error
        }
      },
      cancel: {
        self.close()
        forever.open(.failure(CancellationError()))
      })
  }

  private func close() {
    state.withLock { $0.closed += 1 }
    firstClose.open()
  }
}
