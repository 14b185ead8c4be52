import Foundation
import MeroHTTP

/// What went to a cluster's nodes, so that a test can count tries and prove that nothing went out unsealed.
public struct FakeCloudLog: Sendable {
  /// A request a node took out of its envelope.
  public struct Inner: Sendable, Hashable {
    /// The node, from 0.
    public let node: Int
    /// What `x-calimero-attempt` said; 0 when it was missing.
    public let attempt: Int
    /// What `x-calimero-request-id` said, or the id the node made.
    public let requestId: String
    /// The method.
    public let method: String
    /// The inner path with its query.
    public let path: String
    /// The document's operation, or `nil` when there is none.
    public let operation: String?
    /// The idempotency key in the body, if any.
    public let idempotencyKey: String?
    /// The status of the answer; `nil` while there is none, and for good when the connection was dropped instead.
    public internal(set) var status: Int?
    /// The code of a refusal.
    public internal(set) var code: String?
  }

  /// A request as it arrived at a node's door.
  public struct Outer: Sendable, Hashable {
    /// The node, from 0.
    public let node: Int
    /// The method.
    public let method: String
    /// The path with its query.
    public let path: String
    /// Whether it went to one of the two sealed endpoints with the sealed content type.
    public let isSealed: Bool
    /// The status of the answer; `nil` when there was none.
    public internal(set) var status: Int?
  }

  /// Requests inside envelopes, in the order they were opened.
  public internal(set) var inner: [Inner] = []
  /// Requests at the door, in the order they came.
  public internal(set) var outer: [Outer] = []

  /// The inner requests of one operation, such as `app_call`.
  public func requests(_ operation: String) -> [Inner] {
    inner.filter { $0.operation == operation }
  }
}

/// Keeps the log. The oldest half is given up when it has grown very long.
final class LogKeeper: Sendable {
  struct Ticket: Sendable {
    fileprivate let number: Int
  }

  private struct State {
    var log = FakeCloudLog()
    var droppedInner = 0
    var droppedOuter = 0
  }

  private static let most = 100_000
  private let state = Locked(State())

  var log: FakeCloudLog { state.withLock { $0.log } }

  func clear() {
    state.withLock { state in
      state.droppedInner += state.log.inner.count
      state.droppedOuter += state.log.outer.count
      state.log = FakeCloudLog()
    }
  }

  func enter(_ entry: FakeCloudLog.Inner) -> Ticket {
    state.withLock { state in
      if state.log.inner.count >= Self.most {
        state.log.inner.removeFirst(Self.most / 2)
        state.droppedInner += Self.most / 2
      }
      state.log.inner.append(entry)
      return Ticket(number: state.droppedInner + state.log.inner.count - 1)
    }
  }

  func enter(_ entry: FakeCloudLog.Outer) -> Ticket {
    state.withLock { state in
      if state.log.outer.count >= Self.most {
        state.log.outer.removeFirst(Self.most / 2)
        state.droppedOuter += Self.most / 2
      }
      state.log.outer.append(entry)
      return Ticket(number: state.droppedOuter + state.log.outer.count - 1)
    }
  }

  func answered(inner ticket: Ticket, status: Int, code: String?) {
    state.withLock { state in
      let index = ticket.number - state.droppedInner
      guard state.log.inner.indices.contains(index) else { return }
      state.log.inner[index].status = status
      state.log.inner[index].code = code
    }
  }

  func answered(outer ticket: Ticket, status: Int) {
    state.withLock { state in
      let index = ticket.number - state.droppedOuter
      guard state.log.outer.indices.contains(index) else { return }
      state.log.outer[index].status = status
    }
  }
}
