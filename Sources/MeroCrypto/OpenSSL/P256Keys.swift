#if !canImport(CryptoKit)
  internal import CLibCrypto

  struct P256SigningKey: Sendable {
    private let key: EVPKey
    let scalar: [UInt8]
    let publicPoint: [UInt8]

    init(scalar: UnsafeRawBufferPointer) throws(CryptoError) {
      let point = try makeBytes(P256.pointSize) {
        (point: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        guard merokit_p256_point(scalar.pointer, point.pointer) == 1 else {
          ERR_clear_error()
          throw .invalidKey("a P-256 private key must be between 1 and n - 1")
        }
      }
      guard let key = EVPKey(merokit_p256_key(point, scalar.pointer)) else {
        throw .openSSL("make a P-256 key")
      }
      self.key = key
      self.scalar = [UInt8](scalar)
      publicPoint = point
    }

    func sign(_ message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      try key.sign(message, digest: HashAlgorithm.sha256.digest, capacity: 72)
    }
  }

  struct P256VerifyingKey: Sendable {
    private let key: EVPKey

    init(x963: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = EVPKey(merokit_p256_key(x963.pointer, nil)) else {
        ERR_clear_error()
        throw .invalidKey("a P-256 public key must be a point on the curve")
      }
      self.key = key
    }

    func isValid(der signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
      key.isValid(signature, for: message, digest: HashAlgorithm.sha256.digest)
    }

    func isValid(raw signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
      let body =
        derInteger(UnsafeRawBufferPointer(rebasing: signature[..<32]))
        + derInteger(UnsafeRawBufferPointer(rebasing: signature[32...]))
      return ([0x30, UInt8(body.count)] + body).withUnsafeBytes { isValid(der: $0, for: message) }
    }

    /// The shortest DER form of an unsigned number of at most 32 bytes.
    private func derInteger(_ number: UnsafeRawBufferPointer) -> [UInt8] {
      var digits = [UInt8](number.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
  }
#endif
