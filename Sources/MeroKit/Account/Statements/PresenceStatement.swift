import Foundation
import MeroCrypto
import MeroWire

/// What a device signs about its presence in a context (30 §15). Members verify it themselves, so that a relay can drop or
/// delay presence, and not invent any.
public enum PresenceStatement {
  /// A statement as it is posted.
  public struct SignedIntent: Sendable, Hashable, Codable {
    /// The slice in hex; nil to retract.
    public let state: String?
    /// Rises with every statement of a device in a context.
    public let seq: UInt64
    /// Unix milliseconds.
    public let sentAtMs: UInt64
    /// The device's signature, 128 hex.
    public let signature: String
    /// The device's credential, hex.
    public let authorProof: String

    private enum CodingKeys: String, CodingKey { case state, seq, sentAtMs, signature, authorProof }

    /// Writes all five; one that is missing would make the body malformed.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(state, forKey: .state)
      try values.encode(seq, forKey: .seq)
      try values.encode(sentAtMs, forKey: .sentAtMs)
      try values.encode(signature, forKey: .signature)
      try values.encode(authorProof, forKey: .authorProof)
    }

    /// The body.
    package var json: JSONValue {
      [
        "authorProof": .string(authorProof), "sentAtMs": JSONValue(sentAtMs), "seq": JSONValue(seq),
        "signature": .string(signature), "state": state.map { .string($0) } ?? .null,
      ]
    }
  }

  /// What stands for a slice, 32 bytes. An empty slice is something; nil retracts.
  public static func stateHash(_ state: [UInt8]?) -> Data {
    var writer = BorshWriter()
    writer.option(state) { $0.byteList($1) }
    return Data(SHA256.hash(writer.bytes))
  }

  /// What is signed, as it is and not hashed: 131 bytes.
  ///
  /// - Parameter author: the device's public key, 64 hex.
  public static func signingBytes(
    contextId: String, author: String, seq: UInt64, sentAtMs: UInt64, state: [UInt8]?
  ) throws(AccountError) -> Data {
    var writer = BorshWriter()
    writer.fixed("calimero/presence/1".utf8)
    writer.fixed(try HexField.id(contextId, "contextId"))
    writer.fixed(try HexField.id(author, "author"))
    writer.u64(seq)
    writer.u64(sentAtMs)
    writer.fixed(stateHash(state))
    return Data(writer.bytes)
  }

  /// Signs a statement.
  public static func signedIntent(
    contextId: String, state: [UInt8]?, seq: UInt64, sentAtMs: UInt64, keys: DeviceKeys, authorProof: String
  ) throws(AccountError) -> SignedIntent {
    let statement = try signingBytes(
      contextId: contextId, author: keys.signPublicKey, seq: seq, sentAtMs: sentAtMs, state: state)
    return SignedIntent(
      state: state.map { Hex.encode($0) }, seq: seq, sentAtMs: sentAtMs,
      signature: Hex.encode(try keys.sign(Array(statement))), authorProof: authorProof)
  }
}
