#if canImport(CryptoKit)
  import CryptoKit
  import Foundation

  struct ECVerifyingKey: Sendable {
    private enum Key: Sendable {
      case p256(CryptoKit.P256.Signing.PublicKey)
      case p384(CryptoKit.P384.Signing.PublicKey)
    }

    private let key: Key

    init(_ curve: ECDSA.Curve, x963: UnsafeRawBufferPointer) throws(CryptoError) {
      do {
        switch curve {
        case .p256: key = .p256(try CryptoKit.P256.Signing.PublicKey(x963Representation: Data(x963)))
        case .p384: key = .p384(try CryptoKit.P384.Signing.PublicKey(x963Representation: Data(x963)))
        }
      } catch {
        throw .invalidKey("a \(curve.name) public key must be a point on the curve")
      }
    }

    func isValid(
      der signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, hash: HashAlgorithm
    ) -> Bool {
      switch key {
      case .p256(let key):
        guard
          let parsed = try? CryptoKit.P256.Signing.ECDSASignature(derRepresentation: Data(signature)),
          // CryptoKit may read a longer spelling of the same numbers; only the one DER form is a signature.
          parsed.derRepresentation.elementsEqual(signature)
        else { return false }
        return check(message, hash) { key.isValidSignature(parsed, for: $0) }
      case .p384(let key):
        guard
          let parsed = try? CryptoKit.P384.Signing.ECDSASignature(derRepresentation: Data(signature)),
          parsed.derRepresentation.elementsEqual(signature)
        else { return false }
        return check(message, hash) { key.isValidSignature(parsed, for: $0) }
      }
    }

    func isValid(
      raw signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer, hash: HashAlgorithm
    ) -> Bool {
      switch key {
      case .p256(let key):
        guard let parsed = try? CryptoKit.P256.Signing.ECDSASignature(rawRepresentation: Data(signature))
        else {
          return false
        }
        return check(message, hash) { key.isValidSignature(parsed, for: $0) }
      case .p384(let key):
        guard let parsed = try? CryptoKit.P384.Signing.ECDSASignature(rawRepresentation: Data(signature))
        else {
          return false
        }
        return check(message, hash) { key.isValidSignature(parsed, for: $0) }
      }
    }

    private func check(
      _ message: UnsafeRawBufferPointer, _ hash: HashAlgorithm, _ isValid: (any Digest) -> Bool
    ) -> Bool {
      switch hash {
      case .sha256: isValid(CryptoKit.SHA256.hash(data: Data(message)))
      case .sha384: isValid(CryptoKit.SHA384.hash(data: Data(message)))
      case .sha512: isValid(CryptoKit.SHA512.hash(data: Data(message)))
      }
    }
  }
#endif
