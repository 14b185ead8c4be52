import Foundation

/// Ed25519 signatures (RFC 8032) with 32-byte seeds and public keys and 64-byte signatures.
///
/// The same key and message give the same signature on Linux only; CryptoKit adds randomness. Both verify everywhere.
package enum Ed25519 {
  package static let keySize = 32
  package static let signatureSize = 64

  package struct PrivateKey: Sendable {
    private let key: Ed25519SigningKey
    package let publicKey: PublicKey

    package init(seed: some ContiguousBytes) throws(CryptoError) {
      key = try withBytes(seed) { (seed: UnsafeRawBufferPointer) throws(CryptoError) -> Ed25519SigningKey in
        try seed.require(Ed25519.keySize, "an Ed25519 seed")
        return try Ed25519SigningKey(seed: seed)
      }
      publicKey = try PublicKey(bytes: key.publicKey)
    }

    /// A new key from the system's randomness.
    package init() throws(CryptoError) {
      try self.init(seed: SecureRandom.bytes(Ed25519.keySize))
    }

    package var seed: [UInt8] { key.seed }

    package func sign(_ message: some ContiguousBytes) throws(CryptoError) -> [UInt8] {
      try withBytes(message) { (message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
        try key.sign(message)
      }
    }
  }

  package struct PublicKey: Sendable, Hashable {
    package let bytes: [UInt8]
    private let key: Ed25519VerifyingKey

    package init(bytes: some ContiguousBytes) throws(CryptoError) {
      let (copy, key) = try withBytes(bytes) {
        (bytes: UnsafeRawBufferPointer) throws(CryptoError) -> ([UInt8], Ed25519VerifyingKey) in
        try bytes.require(Ed25519.keySize, "an Ed25519 public key")
        return ([UInt8](bytes), try Ed25519VerifyingKey(bytes: bytes))
      }
      self.bytes = copy
      self.key = key
    }

    package func isValid(_ signature: some ContiguousBytes, for message: some ContiguousBytes) -> Bool {
      withBytes(signature, message) { signature, message in
        signature.count == Ed25519.signatureSize && key.isValid(signature, for: message)
      }
    }

    package static func == (one: PublicKey, other: PublicKey) -> Bool { one.bytes == other.bytes }
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  }
}
