/// The presence of one device in its contexts, without its requests and its time: what is sent next, with which number, and
/// who may go on sending (40 §12). Pure: times and outcomes come in, what to do comes out.
///
/// In each context only what was set last counts. Whatever was set before may still be on its way; when it arrives, nothing
/// follows from it.
struct RelayPresenceMachine: Sendable {
  /// One statement to post.
  struct Statement: Sendable, Hashable {
    let contextId: String
    let state: [UInt8]?
    let seq: UInt64
    let sentAtMs: UInt64
    /// Which `set` it belongs to.
    let turn: Int
  }

  enum Outcome: Sendable, Hashable {
    /// The relay took it.
    case taken
    /// The relay was away or busy: the next statement covers it.
    case missed
    /// The relay will not have it, nor the next one.
    case refused
    /// Whoever set it waits no longer.
    case cancelled
  }

  enum Input: Sendable, Hashable {
    /// A slice is set, or with nil retracted.
    case set([UInt8]?, contextId: String)
    case ended(Statement, Outcome)
    /// It is time to send again.
    case due(contextId: String, turn: Int)
    case close
  }

  enum Effect: Sendable, Hashable {
    case post(Statement)
    /// Say `due` after ``resendInterval``.
    case wait(contextId: String, turn: Int)
    /// Wait no longer, and leave a repetition that is on its way.
    case stop(contextId: String)
  }

  /// Nodes forget a slice 7 seconds after they last heard of it.
  static let resendInterval = 2.5

  private struct Slot {
    var turn = 0
    var lastSeq: UInt64 = 0
    /// What is repeated; nil when nothing is.
    var state: [UInt8]?
  }

  private var slots: [String: Slot] = [:]

  /// - Parameter now: Unix milliseconds.
  mutating func handle(_ input: Input, at now: UInt64) -> [Effect] {
    switch input {
    case .set(let state, let context): return set(state, context, now)
    case .ended(let statement, let outcome): return ended(statement, outcome)
    case .due(let context, let turn):
      guard let slot = slots[context], slot.turn == turn, let state = slot.state else { return [] }
      return [.post(statement(state, context, now))]
    case .close:
      let contexts = slots.keys.sorted()
      for context in contexts { begin(nil, context) }
      return contexts.map { .stop(contextId: $0) }
    }
  }

  private mutating func set(_ state: [UInt8]?, _ context: String, _ now: UInt64) -> [Effect] {
    begin(state, context)
    return [.stop(contextId: context), .post(statement(state, context, now))]
  }

  private mutating func begin(_ state: [UInt8]?, _ context: String) {
    slots[context, default: Slot()].turn += 1
    slots[context]?.state = state
  }

  private mutating func ended(_ statement: Statement, _ outcome: Outcome) -> [Effect] {
    let context = statement.contextId
    guard let slot = slots[context], slot.turn == statement.turn, slot.state != nil else { return [] }
    switch outcome {
    case .taken, .missed: return [.wait(contextId: context, turn: slot.turn)]
    case .refused, .cancelled:
      slots[context]?.state = nil
      return [.stop(contextId: context)]
    }
  }

  /// The next statement. Its number is the clock's, so that no relay has seen it, and rises when the clock does not.
  private mutating func statement(_ state: [UInt8]?, _ context: String, _ now: UInt64) -> Statement {
    var slot = slots[context, default: Slot()]
    slot.lastSeq = max(now, slot.lastSeq &+ 1)
    slots[context] = slot
    return Statement(
      contextId: context, state: state, seq: slot.lastSeq, sentAtMs: now, turn: slot.turn)
  }
}
