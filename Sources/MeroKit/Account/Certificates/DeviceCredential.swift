import Foundation
import MeroCrypto
import MeroWire

/// What an account's root certifies about a device: the parts of a credential (30 §5.1).
///
/// A credential travels as hex under the names credential, authorProof, account proof and certificate. It is public, and
/// ends only by revocation.
public struct DeviceCredential: Sendable, Hashable {
  /// The account's first root key, 64 hex.
  public let rootPublicKey: String
  /// The account, 64 hex.
  public let account: String
  /// The device, 64 hex.
  public let device: String
  /// The key the device signs with, 64 hex.
  public let signPublicKey: String
  /// The key others seal to, 64 hex.
  public let kemPublicKey: String
  /// Which of the account's root keys signed; 0 is the first.
  public let keyEpoch: UInt32
  /// Counts the keys of this device.
  public let deviceEpoch: UInt32
  /// The root's signature, 128 hex.
  public let signature: String
  /// The whole credential, hex in lower case.
  public let text: String

  /// Reads the shape only; see ``DeviceCertificates/verify(_:)``.
  init(reading text: String) throws(CredentialFlaw) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else { throw .notHex }
    guard text.utf8.count == Self.size * 2, let bytes = try? Hex.decode(text, count: Self.size) else {
      throw .length(text.utf8.count)
    }
    guard bytes[0] == Self.genesisVersion else { throw .genesisVersion }
    var cursor = BorshReader(bytes)
    func read() throws(WireError) -> DeviceCredential? {
      _ = try cursor.u8()
      let root = try cursor.fixed(32)
      guard try cursor.u32() == 0 else { return nil }
      return DeviceCredential(
        root: root, account: try cursor.fixed(32), device: try cursor.fixed(32),
        signKey: try cursor.fixed(32),
        kemKey: try cursor.fixed(32), keyEpoch: try cursor.u32(), deviceEpoch: try cursor.u32(),
        signature: try cursor.fixed(64))
    }
    let credential: DeviceCredential?
    do throws(WireError) {
      credential = try read()
    } catch { throw .length(text.utf8.count) }
    guard let credential else { throw .handoffChain }
    self = credential
  }

  init(
    root: [UInt8], account: [UInt8], device: [UInt8], signKey: [UInt8], kemKey: [UInt8], keyEpoch: UInt32,
    deviceEpoch: UInt32, signature: [UInt8]
  ) {
    rootPublicKey = Hex.encode(root)
    self.account = Hex.encode(account)
    self.device = Hex.encode(device)
    signPublicKey = Hex.encode(signKey)
    kemPublicKey = Hex.encode(kemKey)
    self.keyEpoch = keyEpoch
    self.deviceEpoch = deviceEpoch
    self.signature = Hex.encode(signature)
    var writer = BorshWriter()
    writer.u8(Self.genesisVersion)
    writer.fixed(root)
    writer.u32(0)
    for part in [account, device, signKey, kemKey] { writer.fixed(part) }
    writer.u32(keyEpoch)
    writer.u32(deviceEpoch)
    writer.fixed(signature)
    text = Hex.encode(writer.bytes)
  }

  static let genesisVersion: UInt8 = 2
  /// With an empty chain of handoffs; a longer one is refused.
  private static let size = 237
}

/// Why a credential is none, in the order the checks are made (30 §5.2).
package enum CredentialFlaw: Error, Hashable {
  case notHex
  case length(Int)
  case genesisVersion
  case handoffChain
  case accountMismatch
  case deviceNotMinted
  case badSignature

  /// The flaw in words.
  var text: String {
    switch self {
    case .notHex: "the credential has a character that is not hex"
    case .length(let count): "a credential has 474 hex digits, this one has \(count)"
    case .genesisVersion: "the credential is of another version of accounts"
    case .handoffChain: "the credential's account has changed its root key, which is not supported"
    case .accountMismatch: "the credential names an account that its root key does not make"
    case .deviceNotMinted: "the credential's device was not made for its account"
    case .badSignature: "the credential's signature does not verify"
    }
  }
}
