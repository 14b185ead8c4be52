import Foundation

/// ECDSA over P-256 with SHA-256 (FIPS 186).
package enum P256 {
  package static let scalarSize = 32
  package static let pointSize = 65
  package static let rawSignatureSize = 64

  package struct PrivateKey: Sendable {
    private let key: P256SigningKey
    package let publicKey: PublicKey

    /// - Throws: `invalidKey` for a scalar that is not 32 bytes or not between 1 and n - 1.
    package init(scalar: some ContiguousBytes) throws(CryptoError) {
      key = try withBytes(scalar) { (scalar: UnsafeRawBufferPointer) throws(CryptoError) -> P256SigningKey in
        try scalar.require(P256.scalarSize, "a P-256 private key")
        return try P256SigningKey(scalar: scalar)
      }
      publicKey = try PublicKey(x963: key.publicPoint)
    }

    /// A new key from the system's randomness. A draw outside of 1 ... n - 1 (one in 2^32) is drawn again.
    package init() throws(CryptoError) {
      while true {
        do throws(CryptoError) {
          try self.init(scalar: SecureRandom.bytes(P256.scalarSize))
          return
        } catch .invalidKey {
          continue
        }
      }
    }

    package var scalar: [UInt8] { key.scalar }

    /// The DER form of a signature over SHA-256 of `message`.
    package func sign(_ message: some ContiguousBytes) throws(CryptoError) -> [UInt8] {
      try withBytes(message) { (message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
        try key.sign(message)
      }
    }
  }

  package struct PublicKey: Sendable, Hashable {
    private let key: ECDSA.PublicKey

    /// - Throws: `invalidKey` unless the 65 bytes are an uncompressed point on the curve.
    package init(x963: some ContiguousBytes) throws(CryptoError) {
      key = try ECDSA.PublicKey(.p256, x963: x963)
    }

    package init(x: some ContiguousBytes, y: some ContiguousBytes) throws(CryptoError) {
      let point = try withBytes(x, y) {
        (x: UnsafeRawBufferPointer, y: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] in
        try x.require(P256.scalarSize, "the x coordinate of a P-256 point")
        try y.require(P256.scalarSize, "the y coordinate of a P-256 point")
        return [0x04] + x + y
      }
      try self.init(x963: point)
    }

    /// `04`, x, y: 65 bytes.
    package var x963: [UInt8] { key.x963 }
    package var x: [UInt8] { Array(x963[1..<33]) }
    package var y: [UInt8] { Array(x963[33...]) }

    /// Whether the DER sequence of r and s signs SHA-256 of `message`.
    package func isValid(der signature: some ContiguousBytes, for message: some ContiguousBytes) -> Bool {
      key.isValid(der: signature, for: message)
    }

    /// Whether `r || s`, 32 big-endian bytes each, signs SHA-256 of `message`.
    package func isValid(raw signature: some ContiguousBytes, for message: some ContiguousBytes) -> Bool {
      key.isValid(raw: signature, for: message)
    }
  }
}
