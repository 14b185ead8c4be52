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
      guard let key = EVPKey(merokit_ec_key(SN_X9_62_prime256v1, point, P256.pointSize, scalar.pointer))
      else {
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
#endif
