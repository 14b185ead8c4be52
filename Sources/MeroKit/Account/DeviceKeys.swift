import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire

/// The keys of one device of an account: one to sign with, and one that others seal to (30 §4.2).
///
/// The secrets stay in this process and in the store they are kept in; only signatures leave. One install of an app is one
/// device: two that share keys share the ledger of their nonces, and get their writes refused.
///
/// ```swift
/// let keys = try DeviceKeys.generate()
/// print(keys.signPublicKey)
/// ```
public struct DeviceKeys: Sendable {
  private let signing: Ed25519.PrivateKey
  private let delivery: X25519.PrivateKey
  /// The public key that signatures are verified with, 64 hex.
  public let signPublicKey: String
  /// The public key that others seal to, 64 hex.
  public let kemPublicKey: String

  /// Keys of these secrets, 32 bytes each.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for another length.
  public init(signSecret: Data, kemSecret: Data) throws(AccountError) {
    do {
      signing = try Ed25519.PrivateKey(seed: signSecret)
      delivery = try X25519.PrivateKey(bytes: kemSecret)
    } catch { throw .invalidInput("the secrets of a device's keys are 32 bytes each") }
    signPublicKey = Hex.encode(signing.publicKey.bytes)
    kemPublicKey = Hex.encode(delivery.publicKey)
  }

  /// New keys.
  public static func generate(random: MeroRandom = .system) throws(AccountError) -> DeviceKeys {
    try DeviceKeys(signSecret: Data(random.bytes(32)), kemSecret: Data(random.bytes(32)))
  }

  /// The secret that is signed with: for a ``RoutingCredential``, which signs for the cloud alone.
  var signSecret: Data { Data(signing.seed) }

  /// The public key that signatures are verified with.
  var signKey: [UInt8] { signing.publicKey.bytes }

  /// Signs a message as it is: a digest, or the bytes themselves, as each format says.
  func sign(_ message: [UInt8]) throws(AccountError) -> [UInt8] {
    do {
      return try signing.sign(message)
    } catch { throw .invalidInput("the device's key could not sign") }
  }
}

extension DeviceKeys: Hashable {
  /// Whether the secrets are the same.
  public static func == (one: DeviceKeys, other: DeviceKeys) -> Bool {
    one.signing.seed == other.signing.seed && one.delivery.bytes == other.delivery.bytes
  }

  /// Hashes the public keys.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(signPublicKey)
    hasher.combine(kemPublicKey)
  }
}

extension DeviceKeys: Codable {
  private enum CodingKeys: String, CodingKey {
    case signSecret = "sign_sk"
    case kemSecret = "kem_sk"
  }

  /// Reads the secrets, as hex.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      signSecret: Data(HexField.id(values.decode(String.self, forKey: .signSecret), "sign_sk")),
      kemSecret: Data(HexField.id(values.decode(String.self, forKey: .kemSecret), "kem_sk")))
  }

  /// Writes the secrets, as hex: for a store that keeps secrets, and nothing else.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Hex.encode(signing.seed), forKey: .signSecret)
    try values.encode(Hex.encode(delivery.bytes), forKey: .kemSecret)
  }
}

extension DeviceKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The public key alone.
  public var description: String { "the keys of device key \(signPublicKey)" }
  /// The public key alone.
  public var debugDescription: String { description }
  /// Nothing, so that no dump shows a secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
