#if !canImport(CryptoKit)
  internal import CLibCrypto

  struct ECVerifyingKey: Sendable {
    private let key: EVPKey
    private let coordinateSize: Int

    init(_ curve: ECDSA.Curve, x963: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = EVPKey(merokit_ec_public_key(curve.pattern, x963.pointer, x963.count)) else {
        ERR_clear_error()
        throw .invalidKey("a \(curve.name) public key must be a point on the curve")
      }
      self.key = key
      coordinateSize = curve.coordinateSize
    }

    func isValid(
      der signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, hash: HashAlgorithm
    ) -> Bool {
      key.isValid(signature, forDigest: HashState.digest(message, with: hash))
    }

    func isValid(
      raw signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, hash: HashAlgorithm
    ) -> Bool {
      let body =
        derInteger(UnsafeRawBufferPointer(rebasing: signature[..<coordinateSize]))
        + derInteger(UnsafeRawBufferPointer(rebasing: signature[coordinateSize...]))
      return ([0x30, UInt8(body.count)] + body).withUnsafeBytes { isValid(der: $0, for: message, hash: hash) }
    }

    /// The shortest DER form of an unsigned number of at most 48 bytes.
    private func derInteger(_ number: UnsafeRawBufferPointer) -> [UInt8] {
      var digits = [UInt8](number.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
  }

  /// Unsafe only in name: the keys are never freed and never changed, only copied from.
  private enum Pattern {
    nonisolated(unsafe) static let p256 = merokit_ec_pattern(SN_X9_62_prime256v1, NID_X9_62_prime256v1)
    nonisolated(unsafe) static let p384 = merokit_ec_pattern(SN_secp384r1, NID_secp384r1)
  }

  extension ECDSA.Curve {
    fileprivate var pattern: OpaquePointer? {
      switch self {
      case .p256: Pattern.p256
      case .p384: Pattern.p384
      }
    }
  }
#endif
