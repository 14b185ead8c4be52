import Foundation
import MeroCrypto
import MeroWire

/// Warrants: one device's permission for one executor to do one exact thing once (30 §6).
///
/// A warrant is sent as the bytes that were signed; it cannot be made again from JSON. Whoever signs is always this device:
/// the device's key is taken from the secret that signs, and is no input.
public enum Warrants {
  /// Who acts for whom, until when, and with which number: what every warrant says.
  public struct Terms: Sendable, Hashable {
    /// The account whose device signs, 64 hex.
    public var authorAccount: String
    /// The relay's account, 64 hex.
    public var executor: String
    /// The one key of the relay that may spend the warrant, 64 hex.
    public var executorKey: String
    /// Spent once for this device in one ledger.
    public var nonce: UInt64
    /// Unix seconds; the named second still counts.
    public var notAfter: UInt64
    /// Heads of the account's log that the author saw, 64 hex each, at most 64. Empty for who follows no log.
    public var accountHeads: [String]
    /// Heads of the group's governance that the author saw, 64 hex each, at most 64.
    public var governanceFloor: [String]

    /// Terms of these parts.
    public init(
      authorAccount: String, executor: String, executorKey: String, nonce: UInt64, notAfter: UInt64,
      accountHeads: [String] = [], governanceFloor: [String] = []
    ) {
      self.authorAccount = authorAccount
      self.executor = executor
      self.executorKey = executorKey
      self.nonce = nonce
      self.notAfter = notAfter
      self.accountHeads = accountHeads
      self.governanceFloor = governanceFloor
    }
  }

  /// A signed warrant and what it is made of. Signatures may differ from one signing to the next; everything else does not.
  public struct Signed: Sendable, Hashable {
    /// What the device signed, 32 bytes.
    public let preimage: Data
    /// The warrant without its signature.
    public let unsigned: Data
    /// The device's signature, 64 bytes.
    public let signature: Data

    /// The warrant as it is sent: hex of the bytes and the signature.
    public var text: String { Hex.encode(unsigned + signature) }
  }

  /// Longer labels and versions are refused, in bytes of UTF-8.
  static let textLimit = 256
  /// More heads are refused.
  static let headLimit = 64

  static func check(_ text: String, _ name: String) throws(AccountError) {
    guard text.utf8.count <= textLimit else {
      throw .invalidInput("\(name) has more than \(textLimit) bytes")
    }
  }

  /// The terms as bytes.
  struct Parties {
    let author, executor, executorKey: [UInt8]
    let accountHeads, governanceFloor: [[UInt8]]

    init(_ terms: Terms) throws(AccountError) {
      author = try HexField.id(terms.authorAccount, "authorAccount")
      executor = try HexField.id(terms.executor, "executor")
      executorKey = try HexField.id(terms.executorKey, "executorKey")
      accountHeads = try Self.heads(terms.accountHeads, "accountHeads")
      governanceFloor = try Self.heads(terms.governanceFloor, "governanceFloor")
    }

    private static func heads(_ heads: [String], _ name: String) throws(AccountError) -> [[UInt8]] {
      guard heads.count <= headLimit else {
        throw .invalidInput("\(name) has more than \(headLimit) entries")
      }
      var list: [[UInt8]] = []
      for head in heads { list.append(try HexField.id(head, name)) }
      return list
    }
  }

  /// Signs what `write` wrote, which is everything before the signature.
  static func sign(_ writer: WarrantWriter, domain: String, keys: DeviceKeys) throws(AccountError) -> Signed {
    let preimage = domainHash(domain, writer.parts)
    let signature = try keys.sign(preimage)
    return Signed(
      preimage: Data(preimage), unsigned: Data(writer.wire.bytes), signature: Data(signature))
  }

  /// The text of arguments that is hashed and sent.
  static func canonical(_ value: JSONValue) throws(AccountError) -> [UInt8] {
    do throws(WireError) {
      return try CanonicalJSON.data(value)
    } catch { throw AccountError(error) }
  }
}
