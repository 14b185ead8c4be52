/// A session with the cloud, connected to its relay as far as that goes (40 §5.5).
///
/// Writing needs the relay alone. Reading and live events need a session at the relay, which it gives only after it has
/// proven its key; ``readNote`` says why there is none.
public struct CloudConnection: Sendable {
  /// The session.
  public let session: CloudSession
  /// Writes through the relay; nil while there is none.
  public let relay: RelayClient?
  /// Reads at the relay, and its events, under a session of the account; nil without one.
  public let mero: Mero?
  /// The key that the relay has proven, 64 hex.
  public let nodeKey: String?
  /// Why nothing can be read, in words to show; nil when it can.
  public let readNote: String?
  /// Presence: writing it needs the relay alone, reading it needs ``mero``.
  public let presence: RelayPresenceClient?

  /// A connection of these parts.
  public init(
    session: CloudSession, relay: RelayClient? = nil, mero: Mero? = nil, nodeKey: String? = nil,
    readNote: String? = nil, presence: RelayPresenceClient? = nil
  ) {
    self.session = session
    self.relay = relay
    self.mero = mero
    self.nodeKey = nodeKey
    self.readNote = readNote
    self.presence = presence
  }
}
