import MeroCrypto
import MeroWire

/// What a wallet signs with an account's root, besides certificates (30 §5.4).
package enum RootStatements {
  /// A statement and its parts.
  package struct Signed: Sendable, Hashable {
    package let payload: [UInt8]
    package let signature: [UInt8]
    /// As it travels.
    package let bytes: [UInt8]
  }

  /// Revokes a device for good.
  package static func revocation(
    rootSeed: [UInt8], account: [UInt8], device: [UInt8], keyEpoch: UInt32 = 0
  ) throws(CryptoError) -> Signed {
    let root = try Ed25519.PrivateKey(seed: rootSeed)
    let epoch = bytes(of: keyEpoch)
    let payload = domainHash("calimero.device.revocation.v1", [account, device, epoch])
    let signature = try root.sign(payload)
    // The account's first key, and no key after it.
    let genesis: [UInt8] = [2] + root.publicKey.bytes + bytes(of: 0)
    return Signed(
      payload: payload, signature: signature, bytes: genesis + account + device + epoch + signature)
  }

  /// Hands the account over to another root key.
  package static func handoff(
    rootSeed: [UInt8], account: [UInt8], fromEpoch: UInt32, newRootKey: [UInt8]
  ) throws(CryptoError) -> Signed {
    let epoch = bytes(of: fromEpoch)
    let payload = domainHash("calimero.account.handoff.v1", [account, epoch, newRootKey])
    let signature = try Ed25519.PrivateKey(seed: rootSeed).sign(payload)
    return Signed(payload: payload, signature: signature, bytes: account + epoch + newRootKey + signature)
  }

  private static func bytes(of value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
