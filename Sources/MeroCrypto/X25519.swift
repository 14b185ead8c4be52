import Foundation

/// X25519 key agreement (RFC 7748).
package enum X25519 {
  package static let keySize = 32

  package struct PrivateKey: Sendable {
    private let key: X25519AgreementKey
    package let publicKey: [UInt8]

    package init(bytes: some ContiguousBytes) throws(CryptoError) {
      key = try withBytes(bytes) {
        (bytes: UnsafeRawBufferPointer) throws(CryptoError) -> X25519AgreementKey in
        try bytes.require(X25519.keySize, "an X25519 private key")
        return try X25519AgreementKey(bytes: bytes)
      }
      publicKey = key.publicKey
    }

    /// A new key from the system's randomness.
    package init() throws(CryptoError) {
      try self.init(bytes: SecureRandom.bytes(X25519.keySize))
    }

    package var bytes: [UInt8] { key.bytes }

    /// The 32 bytes agreed with the owner of `publicKey`.
    ///
    /// A key of low order makes the result zero whatever our key is: whoever sent it would know the secret without
    /// owning anything. That is refused here, not left to the backend, so that every platform answers alike.
    package func sharedSecret(with publicKey: some ContiguousBytes) throws(CryptoError) -> [UInt8] {
      let secret = try withBytes(publicKey) {
        (publicKey: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
        try publicKey.require(X25519.keySize, "an X25519 public key")
        return try key.sharedSecret(with: publicKey)
      }
      if ConstantTime.isZero(secret) { throw .lowOrderPoint }
      return secret
    }
  }
}
