/// How the shared event stream stands.
public enum SseState: Sendable, Hashable {
  /// The node is being asked.
  case connecting
  /// Events arrive. After an interruption this comes once everything is subscribed again, so whoever reads state anew now
  /// misses nothing.
  case online(sessionId: String)
  /// Something went wrong; it is tried again by itself.
  case offline(MeroError)
  /// The node will not have it, and would not the next time: the session is over, or the token lacks the permission
  /// `context:subscribe`. New tokens or ``SseConnection/connect()`` try again.
  case stopped(MeroError)
}

/// What a node made of a subscription.
public struct SseSubscription: Sendable, Hashable {
  /// The ids whose events come.
  public let subscribed: [String]
  /// The ids whose events the caller may not see. A node says so only once, when it is asked.
  public let refused: [String]

  /// An answer of these parts.
  public init(subscribed: [String], refused: [String]) {
    self.subscribed = subscribed
    self.refused = refused
  }
}
