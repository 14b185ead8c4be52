#if !canImport(CryptoKit)
  internal import CLibCrypto

  // What the backend over OpenSSL 3 shares: keys that free themselves, and errors that leave nothing behind.

  extension CryptoError {
    /// The error of a failed call. OpenSSL queues reports per thread; one that stays would be taken for the next
    /// failure of whatever runs on this thread, the TLS of URLSession included.
    static func openSSL(_ operation: String) -> CryptoError {
      ERR_clear_error()
      return .backend(operation)
    }
  }

  extension UnsafeRawBufferPointer {
    var pointer: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
  }

  extension UnsafeMutableRawBufferPointer {
    var pointer: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
  }

  /// Owns an `EVP_PKEY`.
  ///
  /// Sendable unchecked: a key does not change after it is made, and OpenSSL counts its references atomically, so
  /// operations on many threads may share it. Each operation has a context of its own.
  final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    init?(_ pointer: OpaquePointer?) {
      guard let pointer else { return nil }
      self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Signs in one step; `digest` is nil for Ed25519, which hashes by itself.
    func sign(
      _ message: UnsafeRawBufferPointer, digest: OpaquePointer?, capacity: Int
    ) throws(CryptoError) -> [UInt8] {
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var length = capacity
      let signature = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
        let done =
          EVP_DigestSignInit(context, nil, digest, nil, pointer) == 1
          && EVP_DigestSign(context, buffer.baseAddress, &length, message.pointer, message.count) == 1
        initialized = done ? length : 0
      }
      if signature.isEmpty { throw .openSSL("sign") }
      return signature
    }

    func isValid(
      _ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, digest: OpaquePointer?
    ) -> Bool {
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      let valid =
        EVP_DigestVerifyInit(context, nil, digest, nil, pointer) == 1
        && EVP_DigestVerify(context, signature.pointer, signature.count, message.pointer, message.count) == 1
      if !valid { ERR_clear_error() }
      return valid
    }

    func rawPublicKey(_ count: Int) -> [UInt8] {
      raw(count) { EVP_PKEY_get_raw_public_key(pointer, $0, &$1) }
    }

    func rawPrivateKey(_ count: Int) -> [UInt8] {
      raw(count) { EVP_PKEY_get_raw_private_key(pointer, $0, &$1) }
    }

    private func raw(_ count: Int, _ get: (UnsafeMutablePointer<UInt8>?, inout Int) -> Int32) -> [UInt8] {
      makeBytes(count) { output in
        var length = count
        let done = get(output.pointer, &length)
        // The key was made from exactly these bytes, so only a broken library gets here.
        precondition(done == 1 && length == count, "OpenSSL does not give back the key it was given")
      }
    }
  }

  func constantTimeDifference(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int
  ) -> Int32 {
    CRYPTO_memcmp(one, other, count)
  }
#endif
