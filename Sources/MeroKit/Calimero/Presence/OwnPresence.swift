import Foundation
import MeroWire

/// What a session says of itself in one app, without its requests and its time: what is sent next, with which version,
/// and who may go on sending (70 §2.17). Pure: times and outcomes come in, what to do comes out.
///
/// Only what was set last counts. What was set before may still be on its way: it is cancelled, nothing follows from
/// how it ends, and its version is too old for a node that receives it late.
struct OwnPresence: Sendable {
  /// One entry to send; a null state takes it away.
  struct Statement: Sendable, Hashable {
    let state: JSONValue
    let version: UInt64
    /// Which `set` it belongs to.
    let turn: Int
    /// Whether somebody waits for how it ends.
    let isFirst: Bool
    let sentAt: TimeInterval
  }

  enum Outcome: Sendable, Hashable {
    /// The node took it.
    case taken
    /// No node was reached, or it was busy: the next one covers it.
    case missed
    /// It is refused, and so would be the next one.
    case refused(CalimeroError)
    /// Whoever set it waits no longer.
    case cancelled
  }

  enum Input: Sendable, Hashable {
    case set(JSONValue)
    case clear
    case ended(Statement, Outcome)
    /// It is time to send again.
    case due(turn: Int)
    /// The app goes to the background.
    case pause
    /// The app comes back.
    case resume
    /// Nothing is said any more, until something is set again.
    case close
  }

  enum Effect: Sendable, Hashable {
    /// Whatever is on its way, or waited for, is not needed any more.
    case cancel
    case put(Statement)
    /// Say `due` after so many seconds.
    case wait(turn: Int, seconds: TimeInterval)
    /// Tell those who listen to failures.
    case report(CalimeroError)
  }

  struct Moment: Sendable {
    /// Unix milliseconds.
    let milliseconds: UInt64
    let uptime: TimeInterval
  }

  /// Seconds from one statement to the next; nodes forget an entry after 7.
  static let renewal: TimeInterval = 2.5

  private var turn = 0
  private var lastVersion: UInt64 = 0
  /// What is said again and again; nil when nothing is.
  private var state: JSONValue?
  private var isPaused = false

  /// Whether nothing was set or cleared since.
  func isCurrent(_ statement: Statement) -> Bool { statement.turn == turn }

  mutating func handle(_ input: Input, at now: Moment) -> [Effect] {
    switch input {
    case .set(.null), .clear:
      begin(nil)
      return [.cancel, .put(statement(.null, isFirst: true, now))]
    case .set(let state):
      begin(state)
      return isPaused ? [.cancel] : [.cancel, .put(statement(state, isFirst: true, now))]
    case .ended(let statement, let outcome): return ended(statement, outcome, now)
    case .due(let turn):
      guard turn == self.turn, let state, !isPaused else { return [] }
      return [.put(statement(state, isFirst: false, now))]
    case .pause:
      guard !isPaused else { return [] }
      defer { isPaused = true }
      return takeAway(now)
    case .resume:
      guard isPaused else { return [] }
      isPaused = false
      guard let state else { return [] }
      turn += 1
      return [.cancel, .put(statement(state, isFirst: false, now))]
    case .close:
      let effects = takeAway(now)
      state = nil
      return effects
    }
  }

  private mutating func begin(_ state: JSONValue?) {
    turn += 1
    self.state = state
  }

  /// Says that the session left, if it was there.
  private mutating func takeAway(_ now: Moment) -> [Effect] {
    turn += 1
    return state == nil || isPaused ? [.cancel] : [.cancel, .put(statement(.null, isFirst: false, now))]
  }

  private mutating func ended(_ statement: Statement, _ outcome: Outcome, _ now: Moment) -> [Effect] {
    guard isCurrent(statement), state != nil, !isPaused else { return [] }
    switch outcome {
    case .taken, .missed:
      return [.wait(turn: turn, seconds: max(0, statement.sentAt + Self.renewal - now.uptime))]
    case .refused(let error):
      state = nil
      return statement.isFirst ? [] : [.report(error)]
    case .cancelled:
      state = nil
      return []
    }
  }

  /// The next statement. Its version is the clock's, so that it is above those of an earlier run, and rises when the
  /// clock does not.
  private mutating func statement(_ state: JSONValue, isFirst: Bool, _ now: Moment) -> Statement {
    lastVersion = max(now.milliseconds, lastVersion &+ 1)
    return Statement(state: state, version: lastVersion, turn: turn, isFirst: isFirst, sentAt: now.uptime)
  }
}

extension OwnPresence.Outcome {
  /// What follows from how a request ended.
  init(_ failure: CalimeroError?) {
    switch failure {
    case nil: self = .taken
    case .unreachable, .unknownOutcome: self = .missed
    case .api(let refusal) where refusal.status == 429 || refusal.status >= 500: self = .missed
    case .cancelled: self = .cancelled
    case let failure?: self = .refused(failure)
    }
  }
}
