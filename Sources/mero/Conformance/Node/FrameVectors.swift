import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire

extension NodeGroup {
  /// Frames of the event stream: each vector's bytes are what a node sends for what is expected, and what the client
  /// delivers when it reads them, however they are cut, is what is expected.
  static let frames = NodeGroup(name: "sse") { file, run in
    await NodeCases(["4": FrameVector.wires.keys.sorted()]).check("sse", in: file, &run) { name, object in
      try await FrameVector(name, object).check()
    }
  }
}

/// Bytes of an event stream and what has to come of them.
private struct FrameVector {
  /// How a case is written on the wire.
  enum Wire {
    /// One frame with the name `message`, if it `isNamed`, and a number, if it has one, in lines that end like this.
    case frame(number: Int?, isNamed: Bool = true, lineEnd: String = "\n")
    /// These bytes, which mean nothing.
    case nothing(String)
  }

  static let wires: [String: Wire] = [
    "sse-connect": .frame(number: 0),
    "sse-keepalive-comment": .nothing(":\n\n:\n\n"),
    "sse-state-mutation": .frame(number: 1),
    "sse-state-mutation-no-events": .frame(number: 2),
    "sse-sync-status": .frame(number: 3),
    "sse-app-version-changed": .frame(number: 4),
    "sse-xcall-denied": .frame(number: 5),
    "sse-ephemeral-live": .frame(number: 6),
    "sse-ephemeral-replay-relayed": .frame(number: 7),
    "sse-ephemeral-removed": .frame(number: 8),
    "sse-ephemeral-undecodable": .frame(number: 9),
    "sse-member-joined": .frame(number: 10),
    "sse-member-removed-no-role": .frame(number: 11),
    "sse-migration-progress": .frame(number: 12),
    "sse-cascade-progress": .frame(number: 13),
    "sse-top-level-byte-array": .frame(number: nil),
    "sse-unknown-kind-and-field": .frame(number: nil),
    "sse-close": .frame(number: 14),
    "sse-garbage": .nothing(
      "data: not json\n\ndata:\n\nevent: message\n\nevent: message\ndata: {\"type\":\"heartbeat\"}\n\n"
        + "event: message\ndata: {\"error\":{\"type\":\"InternalError\",\"data\":{}}}\n\n"),
    "sse-split-utf8-crlf": .frame(number: 15, lineEnd: "\r\n"),
    "sse-multi-line-data": .frame(number: nil, isNamed: false),
  ]

  private let name: String
  private let wire: Wire
  private let raw: Data
  private let cuts: [Int]
  private let expected: Expectation

  init(_ name: String, _ object: VectorObject) throws {
    guard let wire = Self.wires[name] else { throw Mismatch("there is no case \(name)") }
    self.name = name
    self.wire = wire
    raw = Data(try object.text("raw").utf8)
    cuts = object.has("splitAtBytes") ? try object.numbers("splitAtBytes") : []
    expected = try Expectation(try object.objects("expect"))
  }

  /// What has to come of the bytes.
  private struct Expectation {
    var session: String?
    var closeReason: String?
    var reopensAfter: TimeInterval = 3
    var event: ExpectedEvent?
    var presence: ExpectedPresence?
    /// What the frame holds, as a node writes it.
    var frame: JSONValue?

    init(_ list: [VectorObject]) throws {
      // Presence comes after its event in the file, and the event is made of it.
      if let object = list.first(where: { $0.has("presence") }) {
        presence = try ExpectedPresence(try object.object("presence"))
      }
      for object in list {
        if object.has("event") {
          event = try ExpectedEvent(try object.object("event"), presence: presence)
          frame = event.map { ["result": $0.event.payload] }
        } else if object.has("connect") {
          let connect = try object.object("connect")
          session = try connect.text("sessionId")
          frame = [
            "reconnect": .bool(try connect.flag("reconnect")), "session_id": .string(session ?? ""),
            "type": "connect",
          ]
          try connect.finish()
        } else if object.has("close") {
          let close = try object.object("close")
          closeReason = try close.text("reason")
          reopensAfter = TimeInterval(try close.number("reconnectAfterMs")) / 1000
          frame = ["reason": .string(closeReason ?? ""), "type": "close"]
          try close.finish()
        }
        try object.finish()
      }
      let kinds = list.flatMap(\.keys)
      try require(Set(kinds).count == kinds.count, "there is more than one of a kind")
    }
  }

  func check() async throws {
    try checkBytes()
    var chunkings = [[raw], raw.map { Data([$0]) }]
    if !cuts.isEmpty { chunkings.append(try pieces()) }
    for chunks in chunkings {
      try await checkEvents(chunks)
      if expected.session == nil { try await checkPresence(chunks) }
    }
  }

  /// The bytes cut where the vector says, which is inside of a character.
  private func pieces() throws -> [Data] {
    var pieces: [Data] = []
    var start = 0
    for cut in cuts {
      try require(raw.indices.contains(cut) && cut >= start, "there is no byte \(cut) to cut at")
      try require(raw[cut] & 0xC0 == 0x80, "the cut at \(cut) is not inside of a character")
      pieces.append(raw[start..<cut])
      start = cut
    }
    return pieces + [raw[start...]]
  }

  // MARK: The node's side

  /// Whether a node that has to say what is expected sends these bytes.
  private func checkBytes() throws {
    switch wire {
    case .nothing(let text):
      try require("what means nothing", String(decoding: raw, as: UTF8.self), is: text)
      try require(expected.frame == nil, "something is expected of it")
    case .frame(let number, let isNamed, let lineEnd): try checkFrame(number, isNamed, lineEnd)
    }
  }

  private func checkFrame(_ number: Int?, _ isNamed: Bool, _ lineEnd: String) throws {
    let text = String(decoding: raw, as: UTF8.self)
    let lines = text.components(separatedBy: lineEnd)
    try require(lines.count > 1 && lines.suffix(2) == ["", ""], "the frame has no end")
    let names = lines.dropLast(2).map { line in line.prefix { $0 != ":" } }
    var parser = SSEParser(maxEventBytes: SseFrame.limit)
    let frames = try parser.feed(raw)
    try require("the number of frames", frames.count, is: 1)
    try require(!parser.finish(), "something is left after the frame")
    let frame = frames[0]
    try require("the name", frame.event, is: isNamed ? "message" : nil)
    try require("the id", frame.id, is: number.map { "\(VectorName.session)-\($0)" })
    try require("the time to wait", frame.retry, is: expected.session == nil ? nil : 3000)
    let isKnown = names.allSatisfy { ["event", "id", "retry", "data"].contains($0) }
    try require(isKnown, "there is a line that no frame of a node has")
    try require("what the frame holds", try JSONValue(parsing: frame.data), is: try content())
  }

  /// What the frame holds, as a node writes it.
  private func content() throws -> JSONValue {
    guard let frame = expected.frame else { throw Mismatch("nothing is expected of it") }
    guard let event = expected.event?.event, var result = event.payload.objectValue else { return frame }
    switch name {
    case "sse-unknown-kind-and-field": result["extra"] = true
    case "sse-top-level-byte-array": result["data"] = .array(event.data.data().map { JSONValue($0) })
    default: break
    }
    return ["result": .object(result)]
  }

  // MARK: The client's side

  /// What the client makes of a stream that consists of these pieces.
  private struct Outcome<Element: Sendable>: Sendable {
    var delivered: [Element] = []
    var sessions: [String] = []
    var posted: [JSONValue] = []
    var end: MeroError?
    var reopenedAfter: TimeInterval = 0
  }

  private func checkEvents(_ chunks: [Data]) async throws {
    let event = expected.event?.event
    let ids = event.map { ($0.contextId, $0.groupId) } ?? (VectorName.context, nil)
    let contexts = ids.1 == nil ? [ids.0] : []
    let groups = ids.1.map { [$0] } ?? []
    let connects = expected.session != nil
    let outcome = try await awaiting {
      try await Self.read(chunks, sendsConnect: !connects) {
        $0.events(contextIds: contexts, groupIds: groups)
      }
    }
    try checkStream(outcome)
    try require("the number of events", outcome.delivered.count, is: event == nil ? 0 : 1)
    guard let expected = expected.event else { return }
    guard var actual = outcome.delivered.first else { return }
    if name == "sse-unknown-kind-and-field", var payload = actual.payload.objectValue {
      try require("the member that is not known", payload["extra"], is: true)
      payload.removeValue(forKey: "extra")
      actual = ContextEvent(
        contextId: actual.contextId, kind: actual.kind, payload: .object(payload), groupId: actual.groupId)
    }
    try expected.check(actual)
  }

  private func checkPresence(_ chunks: [Data]) async throws {
    let context = expected.event?.event.contextId ?? ""
    let outcome = try await awaiting {
      let ephemeral = context.isEmpty ? VectorName.context : context
      return try await Self.read(chunks, sendsConnect: true) {
        await $0.ephemeral.subscribe(contextId: ephemeral, as: JSONValue.self)
      }
    }
    try checkStream(outcome)
    try require("the presence", outcome.delivered, is: expected.presence.map { [$0.entry] } ?? [])
  }

  private func checkStream<T>(_ outcome: Outcome<T>) throws {
    let session = expected.session ?? VectorName.session
    try require("the session", outcome.sessions, is: [session])
    try require("the session that is subscribed", outcome.posted.map { $0["id"] }, is: [.string(session)])
    try require("the session", session, is: VectorName.session)
    guard case .network(let text)? = outcome.end else {
      throw Mismatch("the stream has ended with \(outcome.end.map { "\($0)" } ?? "nothing")")
    }
    let end = expected.closeReason.map { "closed the event stream: \($0)" } ?? "ended the event stream"
    try require(text.hasSuffix(end), "the end is told as: \(text)")
    try require("the wait for the next stream", outcome.reopenedAfter, is: expected.reopensAfter)
  }

  private static func read<Element: Sendable>(
    _ chunks: [Data], sendsConnect: Bool,
    _ follow: @Sendable (Mero) async -> AsyncThrowingStream<Element, any Error>
  ) async throws -> Outcome<Element> {
    let node = VectorStreams()
    // The wait for the next stream passes by itself; the watch over a silent one, which is longer, does not.
    let clock = FakeClock(autoAdvance: 9)
    let begin = clock.now
    let mero = Mero.of(node, clock: clock.clock)
    let states = node.follow(await mero.sse)
    defer { states.cancel() }
    let stream = await follow(mero)
    let reader = Task {
      var elements: [Element] = []
      for try await element in stream { elements.append(element) }
      return elements
    }
    defer { reader.cancel() }
    var outcome = Outcome<Element>()
    var isReopened = false
    var isWritten = false
    for await happening in node.happenings {
      switch happening {
      case .opened(1): if sendsConnect { node.connect(VectorName.session) } else { chunks.forEach(node.send) }
      case .opened: isReopened = true
      case .posted(let body): outcome.posted.append(body)
      case .state(.online(let session)): outcome.sessions.append(session)
      case .state(.offline(let error)), .state(.stopped(let error)): outcome.end = outcome.end ?? error
      case .state(.connecting), .subscribed: break
      }
      // From here on nobody is missing who has to hear of it.
      if !isWritten, !outcome.posted.isEmpty, !outcome.sessions.isEmpty {
        isWritten = true
        if sendsConnect { chunks.forEach(node.send) }
        node.end()
      }
      if isReopened, outcome.end != nil { break }
    }
    outcome.reopenedAfter = clock.now.timeIntervalSince(begin)
    await mero.close()
    outcome.delivered = try await reader.value
    return outcome
  }
}
