import Foundation
import MeroWire

/// An event stream without its connections: what was received, what waits for the consumer, and what to do when
/// a connection ends (70 §2.16). Pure: times, random numbers and events come in.
struct EventStreamMachine: Sendable {
  struct Limits: Sendable {
    /// Seconds without a byte after which a connection is dead.
    var idle: TimeInterval = 45
    /// How many events wait for the consumer before reading stops.
    var queue = 1000
    /// Seconds of not reading after which the connection is given back.
    var pause: TimeInterval = 30
    /// A connection that lasted this many seconds starts the count of failures anew.
    var settled: TimeInterval = 30
    /// A connection cut after at least this many seconds was cut by its sealed session's end.
    var sealedLife: TimeInterval = 5
  }

  /// What whoever drives the stream does next.
  enum Step: Sendable, Hashable {
    case connect(Attempt)
    /// Nothing, until this time on the monotonic clock.
    case wait(until: TimeInterval)
    /// Nothing, until ``hasRoomToReturn``.
    case waitForRoom
    case finish
  }

  struct Attempt: Sendable, Hashable {
    enum Node: Sendable, Hashable {
      case any
      /// The one of the last connection.
      case same
      /// The one after that.
      case next
    }

    /// Events after this one; from now on without.
    let cursor: String?
    let node: Node
  }

  /// How a connection ended, or why there was none.
  enum End: Sendable, Hashable {
    /// The node ended its answer properly.
    case finished
    /// The answer stopped without its end frame.
    case cut
    /// Nothing came for too long.
    case idle
    /// The consumer took nothing for too long.
    case slow
    /// The connection broke.
    case lost(String)
    /// The node, or the client on the way to one, refused.
    case failed(CalimeroError)
  }

  /// What the consumer gets.
  enum Taken: Sendable, Hashable {
    case event(AppEvent)
    case nothingYet
    case end(CalimeroError?)
  }

  /// Waits after failures in a row, in seconds; the last one for all further ones.
  static let waits: [TimeInterval] = [0, 0.25, 0.5, 1, 2, 4, 8, 15, 30]

  /// The longest that a node's own word keeps the stream waiting: one that asks for years must not be obeyed.
  static let longestRetryAfter: TimeInterval = 30

  private enum Outcome: Sendable { case finished(CalimeroError?) }

  let limits: Limits
  private let app: String
  private let options: EventOptions

  private var inbox: EventInbox
  private var outcome: Outcome?

  // The connection, and the next one.
  private var openedAt: TimeInterval?
  private var heardAt: TimeInterval?
  private var isPaused = false
  private var node = Attempt.Node.any
  private var waitUntil: TimeInterval
  private var returnsWithRoom = false
  private var disconnectedSince: TimeInterval

  // What went wrong since the last connection that lasted.
  private var failures = 0
  private var quickEnds = 0
  private var gapsInARow = 0
  private var causes: [Unreachable.Failure] = []

  init(
    of app: String, from start: EventStart, options: EventOptions, limits: Limits = Limits(),
    at now: TimeInterval
  ) {
    self.app = app
    self.options = options
    self.limits = limits
    waitUntil = now
    disconnectedSince = now
    inbox = EventInbox(from: start)
  }

  /// The cursor of the last event the consumer has, or where the stream began.
  var lastCursor: String? { inbox.consumed }

  // MARK: What to do next

  func step(at now: TimeInterval) -> Step {
    if outcome != nil { return .finish }
    if waitsForRoom { return .waitForRoom }
    if now < waitUntil { return .wait(until: min(waitUntil, giveUpAt ?? waitUntil)) }
    return .connect(Attempt(cursor: returnsWithRoom ? inbox.consumed : inbox.received, node: node))
  }

  private var giveUpAt: TimeInterval? { options.giveUpAfter.map { disconnectedSince + $0 } }

  /// When the stream is over if it has no connection by then; never while it has one.
  var endsUnconnectedAt: TimeInterval { isOpen ? .infinity : giveUpAt ?? .infinity }

  /// Whether the stream has gone without a connection for as long as it may; it is over then.
  mutating func givesUp(at now: TimeInterval) -> Bool {
    guard outcome == nil, openedAt == nil, !waitsForRoom, let giveUpAt, giveUpAt <= now else { return false }
    finish(.unreachable(Unreachable(failures: causes, operation: "app_event_stream")))
    return true
  }

  /// When the connection counts as dead; nil while there is none, or while it is not read from.
  var deadAt: TimeInterval? { isPaused ? nil : heardAt.map { $0 + limits.idle } }

  private var waitsForRoom: Bool { returnsWithRoom && !hasRoomToReturn }

  /// A connection is wanted from now on: the consumer has begun, or has room again. Until now none was missed.
  mutating func wanted(at now: TimeInterval) { disconnectedSince = now }

  // MARK: The connection

  /// Whether there is one.
  var isOpen: Bool { openedAt != nil }

  /// Whether the last connection ended in a way that speaks against its node.
  var leavesNode: Bool { outcome == nil && node == .next }

  mutating func opened(at now: TimeInterval) {
    openedAt = now
    heardAt = now
    returnsWithRoom = false
    gapsInARow = 0
  }

  /// Bytes came, a comment's for example.
  mutating func heard(at now: TimeInterval) { heardAt = now }

  /// Reading stopped or went on, because the consumer had enough waiting.
  mutating func paused(_ isPaused: Bool, at now: TimeInterval) {
    self.isPaused = isPaused
    heardAt = now
  }

  mutating func receive(_ event: AppEvent) {
    guard outcome == nil else { return }
    inbox.put(event)
    if event.kind == NodeEventKind.deleted { finish(nil) }
  }

  /// A connection ended, or could not be made. `unit` is a random number in `0 ..< 1`.
  mutating func ended(
    _ end: End, at now: TimeInterval, wallClock: Date, unit: Double, from url: URL? = nil
  ) {
    let life = openedAt.map { now - $0 }
    if openedAt != nil { disconnectedSince = now }
    openedAt = nil
    heardAt = nil
    isPaused = false
    guard outcome == nil else { return }
    if let life, life >= limits.settled {
      failures = 0
      causes = []
    }
    // A connection that there never was says nothing about how long the ones last that there are: a node that by turns lets a
    // cursor expire and ends its answer would otherwise be asked without a pause.
    if let life { quickEnds = end == .finished && life < 1 ? quickEnds + 1 : 0 }
    switch end {
    // A node that ends every answer at once would otherwise be asked without a pause.
    case .finished where quickEnds > 3: lost("ended at once", now, unit, url)
    case .finished: go(to: .same, at: now)
    case .cut where (life ?? 0) >= limits.sealedLife: go(to: .same, at: now)
    case .cut: lost("cut", now, unit, url)
    case .idle: go(to: .next, at: now)
    case .slow:
      returnsWithRoom = true
      go(to: .same, at: now)
    case .lost(let cause): lost(cause, now, unit, url)
    case .failed(.api(let refusal)): refused(refusal, now, wallClock, unit, url)
    case .failed(.unreachable(let failure)):
      causes += failure.failures
      lost(nil, now, unit, url)
    case .failed(.unknownOutcome(let unknown)): lost(unknown.cause, now, unit, unknown.node ?? url)
    case .failed(.signedOut(let reason)): signedOut(reason)
    case .failed(.cancelled): finish(nil)
    case .failed(let error): finish(error)
    }
  }

  private mutating func go(to node: Attempt.Node, at time: TimeInterval) {
    self.node = node
    waitUntil = time
  }

  private mutating func lost(
    _ cause: String?, _ now: TimeInterval, _ unit: Double, _ url: URL?, atLeast: TimeInterval? = nil
  ) {
    if let cause, let url { causes.append(Unreachable.Failure(node: url, cause: cause)) }
    causes = causes.suffix(20)
    let wait = Self.waits[min(failures, Self.waits.count - 1)] * (0.8 + 0.4 * unit)
    failures += 1
    go(to: .next, at: now + max(wait, atLeast ?? 0))
  }

  private mutating func refused(
    _ refusal: APIError, _ now: TimeInterval, _ wallClock: Date, _ unit: Double, _ url: URL?
  ) {
    switch (refusal.status, refusal.code) {
    case (410, .cursorExpired): gap(refusal, now, wallClock, unit, url)
    case (400, .invalidCursor): finish(.stream(.invalidCursor))
    case (429, _), (500..., _):
      lost(
        "\(refusal.status) \(refusal.code)", now, unit, refusal.node ?? url,
        atLeast: refusal.retryAfter.map { min($0, Self.longestRetryAfter) })
    default: finish(.api(refusal))
    }
  }

  /// Events after the cursor are gone.
  private mutating func gap(
    _ refusal: APIError, _ now: TimeInterval, _ wallClock: Date, _ unit: Double, _ url: URL?
  ) {
    guard options.onGap == .resume, let oldest = refusal.details?["oldest"]?.stringValue else {
      finish(.stream(.cursorExpired(oldest: refusal.details?["oldest"]?.stringValue)))
      return
    }
    gapsInARow += 1
    // The oldest cursor can expire on the way to the node, though not every time.
    guard gapsInARow == 1 else { return lost("its cursors expire at once", now, unit, url) }
    inbox.putGap(
      in: app, oldest: oldest, latest: refusal.details?["latest"] ?? .null,
      at: Int64(wallClock.timeIntervalSince1970 * 1000))
    go(to: .same, at: now)
  }

  // MARK: The consumer

  /// How many events wait.
  var waiting: Int { inbox.count }

  /// Whether reading has to stop.
  var isFull: Bool { waiting >= limits.queue }

  /// Whether a connection that was given back is worth having again.
  var hasRoomToReturn: Bool { waiting <= limits.queue / 2 }

  mutating func take() -> Taken {
    if let event = inbox.take() { return .event(event) }
    if case .finished(let error) = outcome { return .end(error) }
    return .nothingYet
  }

  // MARK: The end

  /// The error was thrown; nothing more comes.
  mutating func tookEnd() { outcome = .finished(nil) }

  /// The session is over: what waits is of somebody who is no longer here.
  mutating func signedOut(_ reason: SignedOutReason) {
    guard outcome == nil else { return }
    inbox.removeAll()
    finish(.signedOut(reason))
  }

  /// The consumer went away.
  mutating func close() {
    if outcome == nil { finish(nil) }
  }

  private mutating func finish(_ error: CalimeroError?) { outcome = .finished(error) }
}
