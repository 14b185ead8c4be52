import Foundation
import MeroCrypto
import MeroWire

/// What a device signs to log in at a node: which node, from which app, over the node's own challenge (30 §13).
public struct LoginStatement: Sendable, Hashable {
  /// The node's key, 64 hex: from a pin or an attestation, never from the party that is logged in to.
  public var node: String
  /// The app.
  public var audience: LoginAudience
  /// What the node asked to be signed, 64 hex.
  public var challenge: String
  /// The public half of a key made for this session, 64 hex.
  public var sessionKey: String
  /// Unix seconds.
  public var issuedAt: UInt64
  /// Unix seconds.
  public var expiresAt: UInt64

  /// A statement of these parts.
  public init(
    node: String, audience: LoginAudience, challenge: String, sessionKey: String, issuedAt: UInt64,
    expiresAt: UInt64
  ) {
    self.node = node
    self.audience = audience
    self.challenge = challenge
    self.sessionKey = sessionKey
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// How long a statement is good, in seconds.
  public static let lifetime: UInt64 = 300

  /// What the device signs, 32 bytes.
  public func preimage(keys: DeviceKeys) throws(AccountError) -> Data {
    Data(
      domainHash(
        "calimero.auth.login.v1",
        [
          try HexField.id(node, "node"), audience.part, try HexField.id(challenge, "challenge"),
          try HexField.id(sessionKey, "sessionKey"), keys.signKey, LittleEndian.bytes(issuedAt),
          LittleEndian.bytes(expiresAt),
        ]))
  }

  /// The statement without its signature.
  public func unsigned(keys: DeviceKeys) throws(AccountError) -> Data {
    var writer = BorshWriter()
    writer.fixed(try HexField.id(node, "node"))
    audience.write(to: &writer)
    writer.fixed(try HexField.id(challenge, "challenge"))
    writer.fixed(try HexField.id(sessionKey, "sessionKey"))
    writer.fixed(keys.signKey)
    writer.u64(issuedAt)
    writer.u64(expiresAt)
    return Data(writer.bytes)
  }

  /// The signed statement, as it is sent: hex.
  public func signed(keys: DeviceKeys) throws(AccountError) -> String {
    let signature = try keys.sign(Array(try preimage(keys: keys)))
    return Hex.encode(try unsigned(keys: keys) + signature)
  }
}
