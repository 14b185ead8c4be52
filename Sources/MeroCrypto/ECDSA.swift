import Foundation

/// Checking ECDSA signatures (FIPS 186) over the two curves that certificates use.
package enum ECDSA {
  package enum Curve: Sendable, Hashable {
    case p256, p384

    package var coordinateSize: Int { self == .p256 ? 32 : 48 }
    package var pointSize: Int { 1 + 2 * coordinateSize }
    package var name: String { self == .p256 ? "P-256" : "P-384" }
  }

  package struct PublicKey: Sendable, Hashable {
    package let curve: Curve
    /// `04`, x, y.
    package let x963: [UInt8]
    private let key: ECVerifyingKey

    /// - Throws: `invalidKey` unless the bytes are an uncompressed point on the curve.
    package init(_ curve: Curve, x963: some ContiguousBytes) throws(CryptoError) {
      let (point, key) = try withBytes(x963) {
        (point: UnsafeRawBufferPointer) throws(CryptoError) -> ([UInt8], ECVerifyingKey) in
        try point.require(curve.pointSize, "a \(curve.name) public key")
        if point[0] != 0x04 { throw .invalidKey("a \(curve.name) public key must be an uncompressed point") }
        return ([UInt8](point), try ECVerifyingKey(curve, x963: point))
      }
      self.curve = curve
      self.x963 = point
      self.key = key
    }

    /// Whether the DER sequence of r and s signs the hash of `message`.
    package func isValid(
      der signature: some ContiguousBytes, for message: some ContiguousBytes, hash: HashAlgorithm = .sha256
    ) -> Bool {
      withBytes(signature, message) { key.isValid(der: $0, for: $1, hash: hash) }
    }

    /// Whether `r || s`, big-endian and as long as the curve's coordinates each, signs the hash of `message`.
    package func isValid(
      raw signature: some ContiguousBytes, for message: some ContiguousBytes, hash: HashAlgorithm = .sha256
    ) -> Bool {
      withBytes(signature, message) { signature, message in
        signature.count == 2 * curve.coordinateSize && key.isValid(raw: signature, for: message, hash: hash)
      }
    }

    package static func == (one: PublicKey, other: PublicKey) -> Bool {
      one.curve == other.curve && one.x963 == other.x963
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(x963) }
  }
}
