#if !canImport(CryptoKit)
  internal import CLibCrypto
  import Foundation

  /// Looked up once, never freed or changed; unsafe only in name.
  private nonisolated(unsafe) let aes256GCM = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// An AES-256 key with cipher contexts that have it expanded already.
  ///
  /// Expanding the key and building a context costs as much as sealing some kilobytes. So a context is lent to one
  /// operation at a time and goes back to a short list; as many operations as like may run side by side.
  ///
  /// Sendable unchecked: `lock` protects `idle`, a lent context belongs to one operation, and `key` changes only in
  /// `deinit`.
  final class AESGCMKey: @unchecked Sendable {
    private var key: [UInt8]
    private var idle: [OpaquePointer] = []
    private let lock = NSLock()
    private static let idleLimit = 4

    init(_ key: UnsafeRawBufferPointer) {
      self.key = [UInt8](key)
    }

    deinit {
      for context in idle { EVP_CIPHER_CTX_free(context) }
      key.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    }

    func seal(
      _ plaintext: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
      authenticating header: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
      let context = try borrow()
      guard
        start(context, nonce, header, encrypting: true),
        process(context, plaintext, into: output.pointer),
        finish(context),
        EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagSize),
          output.baseAddress.map { $0 + plaintext.count })
          == 1
      else {
        EVP_CIPHER_CTX_free(context)
        throw .openSSL("seal a message")
      }
      giveBack(context)
    }

    func open(
      _ sealed: UnsafeRawBufferPointer, nonce: UnsafeRawBufferPointer,
      authenticating header: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptoError) {
      let context = try borrow()
      let count = sealed.count - AESGCM.tagSize
      // The tag is handed over first: opening in place must not depend on what the output overwrites.
      let tag = UnsafeMutableRawPointer(mutating: sealed.baseAddress.map { $0 + count })
      guard
        start(context, nonce, header, encrypting: false),
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagSize), tag) == 1,
        process(context, UnsafeRawBufferPointer(rebasing: sealed[..<count]), into: output.pointer)
      else {
        EVP_CIPHER_CTX_free(context)
        OPENSSL_cleanse(output.baseAddress, output.count)
        throw .openSSL("open a message")
      }
      let authentic = finish(context)
      giveBack(context)
      if !authentic {
        ERR_clear_error()
        OPENSSL_cleanse(output.baseAddress, output.count)
        throw .authenticationFailed
      }
    }

    private func start(
      _ context: OpaquePointer, _ nonce: UnsafeRawBufferPointer, _ header: UnsafeRawBufferPointer,
      encrypting: Bool
    ) -> Bool {
      EVP_CipherInit_ex2(context, nil, nil, nonce.pointer, encrypting ? 1 : 0, nil) == 1
        && process(context, header, into: nil)
    }

    /// OpenSSL takes lengths as `int`; longer input goes in pieces. Without an output it is authenticated only.
    private func process(
      _ context: OpaquePointer, _ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
      var done = 0
      while done < input.count {
        let piece = min(input.count - done, 1 << 30)
        var written: Int32 = 0
        guard
          EVP_CipherUpdate(
            context, output.map { $0 + done }, &written, input.pointer.map { $0 + done }, Int32(piece)) == 1
        else { return false }
        done += piece
      }
      return true
    }

    /// GCM writes nothing at the end, but OpenSSL wants a place where it could.
    private func finish(_ context: OpaquePointer) -> Bool {
      var written: Int32 = 0
      return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) {
        EVP_CipherFinal_ex(context, $0.pointer, &written) == 1
      }
    }

    private func borrow() throws(CryptoError) -> OpaquePointer {
      lock.lock()
      let lent = idle.popLast()
      lock.unlock()
      if let lent { return lent }
      guard let context = EVP_CIPHER_CTX_new() else { throw .openSSL("make a cipher context") }
      guard EVP_CipherInit_ex2(context, aes256GCM, key, nil, 1, nil) == 1 else {
        EVP_CIPHER_CTX_free(context)
        throw .openSSL("set an AES key")
      }
      return context
    }

    private func giveBack(_ context: OpaquePointer) {
      lock.lock()
      let keep = idle.count < Self.idleLimit
      if keep { idle.append(context) }
      lock.unlock()
      if !keep { EVP_CIPHER_CTX_free(context) }
    }
  }
#endif
