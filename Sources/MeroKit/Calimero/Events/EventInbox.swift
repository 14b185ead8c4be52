import MeroWire

/// What an event stream received and its consumer has not taken yet: in the app's one order, each event once,
/// with the two cursors that follow from it (70 §2.16).
struct EventInbox: Sendable {
  /// An event's place in the app's order.
  private struct Place: Sendable, Comparable {
    let seq: UInt64
    let index: Int32

    init(_ event: AppEvent) {
      seq = event.seq
      index = event.index
    }

    static func < (left: Place, right: Place) -> Bool { (left.seq, left.index) < (right.seq, right.index) }
  }

  private static let oldest = "oldest"

  private var queue: [AppEvent] = []
  private var queueStart = 0
  private var lastPlace: Place?
  /// What a connection resumes after that is to bring what is new.
  private(set) var received: String?
  /// The cursor of the last event taken, or where the stream began.
  private(set) var consumed: String?

  init(from start: EventStart) {
    switch start {
    case .now: break
    case .oldest: received = Self.oldest
    case .after(let cursor):
      received = cursor
      consumed = cursor
    }
  }

  /// How many events wait.
  var count: Int { queue.count - queueStart }

  mutating func put(_ event: AppEvent) {
    switch event.kind {
    case NodeEventKind.ready:
      // Where the stream begins: without it, an interruption before the first event would lose what came in
      // between.
      if received == nil || received == Self.oldest { received = event.cursor }
      if consumed == nil { consumed = event.cursor }
    case let kind where NodeEventKind.presence.contains(kind):
      queue.append(event)
    case NodeEventKind.reset:
      queue.append(event)
      received = event.cursor
      lastPlace = max(lastPlace ?? Place(event), Place(event))
    default:
      // After a reconnect a node may send what was sent before.
      if let lastPlace, Place(event) <= lastPlace { return }
      lastPlace = Place(event)
      received = event.cursor
      queue.append(event)
    }
  }

  /// Puts in, for events that are gone, one that says so; the stream goes on with the oldest there is.
  mutating func putGap(in app: String, oldest: String, latest: JSONValue, at milliseconds: Int64) {
    // Nothing came since the one before, which the new one stands for too.
    if count > 0, queue.last?.kind == NodeEventKind.reset { queue.removeLast() }
    queue.append(
      AppEvent(
        cursor: oldest, seq: lastPlace?.seq ?? 0, index: lastPlace?.index ?? 0, kind: NodeEventKind.reset,
        appId: app, at: milliseconds, data: ["oldest": .string(oldest), "latest": latest]))
    received = oldest
  }

  mutating func take() -> AppEvent? {
    guard queueStart < queue.count else { return nil }
    let event = queue[queueStart]
    queueStart += 1
    if queueStart > 256, queueStart * 2 > queue.count {
      queue.removeFirst(queueStart)
      queueStart = 0
    }
    if !NodeEventKind.presence.contains(event.kind) { consumed = event.cursor }
    return event
  }

  mutating func removeAll() {
    queue = []
    queueStart = 0
  }
}
