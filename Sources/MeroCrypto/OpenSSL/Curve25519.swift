#if !canImport(CryptoKit)
  internal import CLibCrypto

  struct Ed25519SigningKey: Sendable {
    private let key: EVPKey

    init(seed: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = EVPKey(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed.pointer, seed.count))
      else { throw .openSSL("make an Ed25519 key") }
      self.key = key
    }

    var seed: [UInt8] { key.rawPrivateKey(Ed25519.keySize) }
    var publicKey: [UInt8] { key.rawPublicKey(Ed25519.keySize) }

    func sign(_ message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      try key.sign(message, digest: nil, capacity: Ed25519.signatureSize)
    }
  }

  struct Ed25519VerifyingKey: Sendable {
    private let key: EVPKey

    init(bytes: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = EVPKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes.pointer, bytes.count))
      else { throw .openSSL("make an Ed25519 public key") }
      self.key = key
    }

    func isValid(_ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
      key.isValid(signature, for: message, digest: nil)
    }
  }

  struct X25519AgreementKey: Sendable {
    private let key: EVPKey

    init(bytes: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = EVPKey(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, bytes.pointer, bytes.count))
      else { throw .openSSL("make an X25519 key") }
      self.key = key
    }

    var bytes: [UInt8] { key.rawPrivateKey(X25519.keySize) }
    var publicKey: [UInt8] { key.rawPublicKey(X25519.keySize) }

    func sharedSecret(with publicKey: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      let peer = EVPKey(
        EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, publicKey.pointer, publicKey.count))
      let context = EVP_PKEY_CTX_new(key.pointer, nil)
      defer { EVP_PKEY_CTX_free(context) }
      guard let peer, EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.pointer) == 1
      else { throw .openSSL("agree on an X25519 secret") }
      return try makeBytes(X25519.keySize) { (output: UnsafeMutableRawBufferPointer) throws(CryptoError) in
        var length = X25519.keySize
        guard EVP_PKEY_derive(context, output.pointer, &length) == 1, length == X25519.keySize else {
          // With everything set up, a derivation fails for one reason only: the secret would be zero.
          ERR_clear_error()
          throw .lowOrderPoint
        }
      }
    }
  }
#endif
