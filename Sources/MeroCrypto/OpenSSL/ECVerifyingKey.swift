#if !canImport(CryptoKit)
  internal import CLibCrypto

  /// Owns an `EC_KEY` that only verifies.
  ///
  /// Sendable unchecked: a key does not change after it is made, and verifying only reads it.
  final class ECVerifyingKey: @unchecked Sendable {
    private let key: OpaquePointer
    private let coordinateSize: Int

    init(_ curve: ECDSA.Curve, x963: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = merokit_ec_public_key(curve.group, x963.pointer, x963.count) else {
        ERR_clear_error()
        throw .invalidKey("a \(curve.name) public key must be a point on the curve")
      }
      self.key = key
      coordinateSize = curve.coordinateSize
    }

    deinit { EC_KEY_free(key) }

    func isValid(
      der signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, hash: HashAlgorithm
    ) -> Bool {
      let digest = HashState.digest(message, with: hash)
      // Longer than any signature, and than an `Int32` may be asked for.
      guard signature.count <= 256 else { return false }
      let valid =
        ECDSA_verify(0, digest, Int32(digest.count), signature.pointer, Int32(signature.count), key) == 1
      if !valid { ERR_clear_error() }
      return valid
    }

    func isValid(
      raw signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, hash: HashAlgorithm
    ) -> Bool {
      let digest = HashState.digest(message, with: hash)
      guard signature.count == 2 * coordinateSize else { return false }
      let valid =
        merokit_ecdsa_is_valid_raw(key, signature.pointer, coordinateSize, digest, digest.count) == 1
      if !valid { ERR_clear_error() }
      return valid
    }
  }

  /// Unsafe only in name: the groups are never freed and never changed, only copied from.
  private enum Group {
    nonisolated(unsafe) static let p256 = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    nonisolated(unsafe) static let p384 = EC_GROUP_new_by_curve_name(NID_secp384r1)
  }

  extension ECDSA.Curve {
    fileprivate var group: OpaquePointer? {
      switch self {
      case .p256: Group.p256
      case .p384: Group.p384
      }
    }
  }
#endif
