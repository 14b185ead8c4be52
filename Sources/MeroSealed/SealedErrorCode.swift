/// The word by which a node names its refusal of an envelope. Open: an unknown word is kept.
public struct SealedErrorCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The word as the node sent it.
  public let rawValue: String

  /// The code that is spelled `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The same as `rawValue`.
  public var description: String { rawValue }

  /// The envelope's version is not the node's.
  public static let unsupportedVersion = SealedErrorCode(rawValue: "unsupported_version")
  /// The envelope, or the request inside it, is not well formed.
  public static let malformed = SealedErrorCode(rawValue: "malformed")
  /// The envelope does not open with the session's key.
  public static let undecryptable = SealedErrorCode(rawValue: "undecryptable")
  /// The request's id was used before, or is older than the node remembers.
  public static let replayedRequest = SealedErrorCode(rawValue: "replayed_request")
  /// The handshake names a key the node no longer holds, so it must be attested again.
  public static let staleTransportKey = SealedErrorCode(rawValue: "stale_transport_key")
  /// The node does not know the session (any more).
  public static let unknownSession = SealedErrorCode(rawValue: "unknown_session")
  /// The envelope is larger than 64 MiB.
  public static let tooLarge = SealedErrorCode(rawValue: "too_large")
  /// The node serves this route only inside an envelope.
  public static let sealedRequired = SealedErrorCode(rawValue: "sealed_required")
  /// The node takes no more handshakes for the moment.
  public static let busy = SealedErrorCode(rawValue: "busy")
  /// The node leaves authentication to a proxy that cannot see inside an envelope.
  public static let sealedRouteUnguarded = SealedErrorCode(rawValue: "sealed_route_unguarded")
}
