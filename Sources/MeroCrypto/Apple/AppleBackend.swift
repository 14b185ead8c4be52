#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  // CryptoKit behind the names of the OpenSSL backend. Lengths are checked by the callers; nothing is decided here.

  struct Ed25519SigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    init(seed: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: Data(seed)) else {
        throw .backend("make an Ed25519 key")
      }
      self.key = key
    }

    var seed: [UInt8] { [UInt8](key.rawRepresentation) }
    var publicKey: [UInt8] { [UInt8](key.publicKey.rawRepresentation) }

    func sign(_ message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      guard let signature = try? key.signature(for: Data(message)) else { throw .backend("sign") }
      return [UInt8](signature)
    }
  }

  struct Ed25519VerifyingKey: Sendable {
    private let key: Curve25519.Signing.PublicKey

    init(bytes: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(bytes)) else {
        throw .backend("make an Ed25519 public key")
      }
      self.key = key
    }

    func isValid(_ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
      key.isValidSignature(Data(signature), for: Data(message))
    }
  }

  struct X25519AgreementKey: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    init(bytes: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: Data(bytes)) else {
        throw .backend("make an X25519 key")
      }
      self.key = key
    }

    var bytes: [UInt8] { [UInt8](key.rawRepresentation) }
    var publicKey: [UInt8] { [UInt8](key.publicKey.rawRepresentation) }

    func sharedSecret(with publicKey: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      guard let peer = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(publicKey)) else {
        throw .backend("agree on an X25519 secret")
      }
      // With keys of the right length an agreement fails for one reason only: the secret would be zero.
      guard let secret = try? key.sharedSecretFromKeyAgreement(with: peer) else { throw .lowOrderPoint }
      return secret.withUnsafeBytes { [UInt8]($0) }
    }
  }

  struct P256SigningKey: Sendable {
    private let key: CryptoKit.P256.Signing.PrivateKey

    init(scalar: UnsafeRawBufferPointer) throws(CryptoError) {
      guard let key = try? CryptoKit.P256.Signing.PrivateKey(rawRepresentation: Data(scalar)) else {
        throw .invalidKey("a P-256 private key must be between 1 and n - 1")
      }
      self.key = key
    }

    var scalar: [UInt8] { [UInt8](key.rawRepresentation) }
    var publicPoint: [UInt8] { [UInt8](key.publicKey.x963Representation) }

    func sign(_ message: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      guard let signature = try? key.signature(for: Data(message)) else { throw .backend("sign") }
      return [UInt8](signature.derRepresentation)
    }
  }

  func constantTimeDifference(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int
  ) -> Int32 {
    timingsafe_bcmp(one, other, count)
  }
#endif
