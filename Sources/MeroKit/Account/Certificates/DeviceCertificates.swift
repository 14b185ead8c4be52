import Foundation
import MeroCrypto
import MeroWire

/// Reads, verifies and, for fixtures, makes the credentials of devices (30 §5).
///
/// ```swift
/// let credential = try DeviceCertificates.verify(text)
/// guard credential.signPublicKey == keys.signPublicKey else { … }   // it must be about this device
/// ```
public enum DeviceCertificates {
  /// Reads a credential's parts. Nothing is verified.
  ///
  /// - Throws: ``AccountError/credentialRejected(_:)`` for something of another shape.
  public static func parse(_ credential: String) throws(AccountError) -> DeviceCredential {
    do throws(CredentialFlaw) {
      return try DeviceCredential(reading: credential)
    } catch { throw .credentialRejected(error.text) }
  }

  /// Reads a credential and verifies that it is consistent: the account is the root key's, the device was made for the
  /// account, and the root signed it.
  ///
  /// Anybody can make a consistent credential of an account of their own. That it is the right account, and certifies the
  /// keys of this app, is for the caller to check.
  ///
  /// - Throws: ``AccountError/credentialRejected(_:)`` naming the check that failed.
  @discardableResult
  public static func verify(_ credential: String) throws(AccountError) -> DeviceCredential {
    do throws(CredentialFlaw) {
      return try verified(credential)
    } catch { throw .credentialRejected(error.text) }
  }

  package static func verified(_ text: String) throws(CredentialFlaw) -> DeviceCredential {
    let credential = try DeviceCredential(reading: text)
    func bytes(_ text: String) -> [UInt8] { (try? Hex.decode(text)) ?? [] }
    let root = bytes(credential.rootPublicKey)
    guard bytes(credential.account) == account(ofRoot: root) else { throw .accountMismatch }
    let device = bytes(credential.device)
    guard device == mint(account: bytes(credential.account), nonce: Array(device.prefix(16))) else {
      throw .deviceNotMinted
    }
    let payload = payload(
      account: bytes(credential.account), device: device, signKey: bytes(credential.signPublicKey),
      kemKey: bytes(credential.kemPublicKey), keyEpoch: credential.keyEpoch,
      deviceEpoch: credential.deviceEpoch)
    guard let key = try? Ed25519.PublicKey(bytes: root),
      key.isValid(bytes(credential.signature), for: payload)
    else { throw .badSignature }
    return credential
  }

  /// The account that a root key makes, 64 hex.
  public static func account(forRootPublicKey key: String) throws(AccountError) -> String {
    Hex.encode(account(ofRoot: try HexField.id(key, "the root key")))
  }

  /// The device that a nonce of 16 bytes makes for an account, 64 hex.
  public static func mintDeviceId(account: String, nonce: String) throws(AccountError) -> String {
    Hex.encode(
      mint(account: try HexField.id(account, "account"), nonce: try HexField.bytes(nonce, 16, "the nonce")))
  }

  /// What a root signs to certify a device, 32 bytes.
  public static func payload(
    account: String, device: String, signPublicKey: String, kemPublicKey: String, keyEpoch: UInt32 = 0,
    deviceEpoch: UInt32 = 0
  ) throws(AccountError) -> Data {
    Data(
      payload(
        account: try HexField.id(account, "account"), device: try HexField.id(device, "device"),
        signKey: try HexField.id(signPublicKey, "the signing key"),
        kemKey: try HexField.id(kemPublicKey, "the delivery key"), keyEpoch: keyEpoch,
        deviceEpoch: deviceEpoch))
  }

  /// Certifies a device with an account's root: for fixtures and fakes, since an app never holds a root.
  ///
  /// - Parameter rootSeed: 32 bytes.
  public static func certify(
    rootSeed: Data, device: String, signPublicKey: String, kemPublicKey: String, deviceEpoch: UInt32 = 0
  ) throws(AccountError) -> String {
    let device = try HexField.id(device, "device")
    let signKey = try HexField.id(signPublicKey, "the signing key")
    let kemKey = try HexField.id(kemPublicKey, "the delivery key")
    let root: Ed25519.PrivateKey
    let signature: [UInt8]
    let account: [UInt8]
    do {
      root = try Ed25519.PrivateKey(seed: rootSeed)
      account = Self.account(ofRoot: root.publicKey.bytes)
      signature = try root.sign(
        payload(
          account: account, device: device, signKey: signKey, kemKey: kemKey, keyEpoch: 0,
          deviceEpoch: deviceEpoch))
    } catch { throw .invalidInput("a root's seed is 32 bytes") }
    return DeviceCredential(
      root: root.publicKey.bytes, account: account, device: device, signKey: signKey, kemKey: kemKey,
      keyEpoch: 0, deviceEpoch: deviceEpoch, signature: signature
    ).text
  }

  private static func account(ofRoot key: [UInt8]) -> [UInt8] {
    domainHash("calimero.account.genesis.v1", [[DeviceCredential.genesisVersion] + key])
  }

  private static func mint(account: [UInt8], nonce: [UInt8]) -> [UInt8] {
    nonce + domainHash("calimero.device.id.v1", [account, nonce]).prefix(16)
  }

  private static func payload(
    account: [UInt8], device: [UInt8], signKey: [UInt8], kemKey: [UInt8], keyEpoch: UInt32,
    deviceEpoch: UInt32
  ) -> [UInt8] {
    domainHash(
      "calimero.device.cert.v1",
      [account, device, signKey, kemKey, LittleEndian.bytes(keyEpoch), LittleEndian.bytes(deviceEpoch)])
  }
}

/// Integers as parts of what is hashed.
enum LittleEndian {
  static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
