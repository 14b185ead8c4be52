import Foundation

/// Where an event stream begins.
public enum EventStart: Sendable, Hashable {
  /// With what happens from now on.
  case now
  /// With the oldest event that is kept.
  case oldest
  /// With the event after this one's cursor; a cursor is good at every node and may be kept for later.
  case after(_ cursor: String)
}

/// How an event stream behaves when things go wrong.
public struct EventOptions: Sendable, Hashable {
  /// What to do when events were dropped by the cluster before they could be read.
  public enum Gap: Sendable, Hashable {
    /// Throw ``CalimeroError/stream(_:)``.
    case fail
    /// Yield an event of kind `calimero.reset`, whose data holds the cursors `oldest` and `latest`, and go on
    /// with the oldest event left.
    case resume
  }

  /// What to do about a gap.
  public var onGap: Gap
  /// Seconds without a connection after which the stream throws ``CalimeroError/unreachable(_:)``; nil for
  /// never.
  public var giveUpAfter: TimeInterval?

  /// Options; by default a gap throws, and the stream never gives up.
  public init(onGap: Gap = .fail, giveUpAfter: TimeInterval? = nil) {
    self.onGap = onGap
    self.giveUpAfter = giveUpAfter
  }
}

/// How an event stream stands.
public enum StreamConnection: Sendable, Hashable {
  /// A node is being asked.
  case connecting
  /// Events arrive as they happen.
  case open
  /// The stream is interrupted and tries again then.
  case waiting(until: Date)
}
