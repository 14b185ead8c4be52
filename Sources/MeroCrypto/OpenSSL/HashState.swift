#if !canImport(CryptoKit)
  internal import CLibCrypto

  /// Algorithms are looked up once: a look-up by name costs more than hashing a short message.
  ///
  /// Unsafe only in name: the pointers are never freed, what the digests point to never changes, and the HMAC
  /// contexts, which have no key, are only ever copied.
  private enum Fetched {
    nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) static let sha384 = EVP_MD_fetch(nil, "SHA2-384", nil)
    nonisolated(unsafe) static let sha512 = EVP_MD_fetch(nil, "SHA2-512", nil)
    nonisolated(unsafe) static let hmacSHA256 = merokit_hmac_context("SHA2-256")
    nonisolated(unsafe) static let hmacSHA384 = merokit_hmac_context("SHA2-384")
    nonisolated(unsafe) static let hmacSHA512 = merokit_hmac_context("SHA2-512")
  }

  extension HashAlgorithm {
    var digest: OpaquePointer? {
      switch self {
      case .sha256: Fetched.sha256
      case .sha384: Fetched.sha384
      case .sha512: Fetched.sha512
      }
    }

    fileprivate var hmac: OpaquePointer? {
      switch self {
      case .sha256: Fetched.hmacSHA256
      case .sha384: Fetched.hmacSHA384
      case .sha512: Fetched.hmacSHA512
      }
    }
  }

  /// A running hash over an `EVP_MD_CTX`.
  ///
  /// Sendable unchecked: `IncrementalHash` changes a state only while it is its single owner.
  final class HashState: @unchecked Sendable {
    private let algorithm: HashAlgorithm
    private let context = EVP_MD_CTX_new()

    init(_ algorithm: HashAlgorithm) {
      self.algorithm = algorithm
      Self.check(EVP_DigestInit_ex2(context, algorithm.digest, nil))
    }

    init(copying other: HashState) {
      algorithm = other.algorithm
      Self.check(EVP_MD_CTX_copy_ex(context, other.context))
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
      Self.check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    func finalize() -> [UInt8] {
      makeBytes(algorithm.digestSize) { Self.check(EVP_DigestFinal_ex(context, $0.pointer, nil)) }
    }

    static func digest(_ bytes: UnsafeRawBufferPointer, with algorithm: HashAlgorithm) -> [UInt8] {
      makeBytes(algorithm.digestSize) { output in
        check(EVP_Digest(bytes.baseAddress, bytes.count, output.pointer, nil, algorithm.digest, nil))
      }
    }

    static func hmac(
      _ data: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, with algorithm: HashAlgorithm
    ) -> [UInt8] {
      let context = EVP_MAC_CTX_dup(algorithm.hmac)
      defer { EVP_MAC_CTX_free(context) }
      // A null key means "keep the key that is set", so an empty key needs an address.
      withUnsafeBytes(of: UInt8(0)) { empty in
        check(EVP_MAC_init(context, key.pointer ?? empty.pointer, key.count, nil))
      }
      check(EVP_MAC_update(context, data.pointer, data.count))
      return makeBytes(algorithm.digestSize) { output in
        var length = output.count
        check(EVP_MAC_final(context, output.pointer, &length, output.count))
      }
    }

    /// Hashing takes any bytes of any length; it fails only when memory or the library itself is missing.
    private static func check(_ result: Int32) {
      precondition(result == 1, "OpenSSL cannot hash: its default provider is missing or memory ran out")
    }
  }
#endif
