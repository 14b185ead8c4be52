import MeroCrypto
import MeroWire

/// One passkey in software: its key and whom it is for. Pure: the same input gives the same bytes.
struct SoftCredential: Sendable {
  /// The key of either algorithm.
  enum Key: Sendable {
    case es256(P256.PrivateKey)
    case ed25519(Ed25519.PrivateKey)

    init(_ algorithm: SoftPasskey.Algorithm, secret: [UInt8]) throws {
      switch algorithm {
      case .es256: self = .es256(try P256.PrivateKey(scalar: secret))
      case .ed25519: self = .ed25519(try Ed25519.PrivateKey(seed: secret))
      }
    }

    var secret: [UInt8] {
      switch self {
      case .es256(let key): key.scalar
      case .ed25519(let key): key.seed
      }
    }

    var algorithm: SoftPasskey.Algorithm {
      switch self {
      case .es256: .es256
      case .ed25519: .ed25519
      }
    }

    /// The public key as a COSE map.
    var cose: [UInt8] {
      switch self {
      case .es256(let key):
        [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + key.publicKey.x
          + [0x22, 0x58, 0x20] + key.publicKey.y
      case .ed25519(let key):
        [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + key.publicKey.bytes
      }
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
      switch self {
      case .es256(let key): try key.sign(message)
      case .ed25519(let key): try key.sign(message)
      }
    }
  }

  let id: [UInt8]
  let rpId: String
  /// The user handle as the cluster wrote it, base64url.
  let userHandle: String
  let userName: String
  let key: Key
  var counter: UInt32

  var idText: String { Base64URL.encode(id) }

  func registration(challenge: [UInt8], origin: String) -> RegistrationCredential {
    let data = AuthenticatorBytes.authenticatorData(
      rpId: rpId, counter: counter, attested: .init(credentialId: id, coseKey: key.cose))
    return RegistrationCredential(
      id: idText, rawId: idText, type: "public-key",
      response: .init(
        clientDataJSON: Base64URL.encode(
          AuthenticatorBytes.clientData(.create, challenge: challenge, origin: origin)),
        attestationObject: Base64URL.encode(AuthenticatorBytes.attestationObject(authenticatorData: data)),
        transports: ["internal"]),
      authenticatorAttachment: "platform", clientExtensionResults: [:])
  }

  func assertion(challenge: [UInt8], origin: String) throws -> AssertionCredential {
    let clientData = AuthenticatorBytes.clientData(.get, challenge: challenge, origin: origin)
    let data = AuthenticatorBytes.authenticatorData(rpId: rpId, counter: counter)
    let signature = try key.sign(data + SHA256.hash(clientData))
    return AssertionCredential(
      id: idText, rawId: idText, type: "public-key",
      response: .init(
        clientDataJSON: Base64URL.encode(clientData), authenticatorData: Base64URL.encode(data),
        signature: Base64URL.encode(signature), userHandle: userHandle),
      authenticatorAttachment: "platform", clientExtensionResults: [:])
  }
}
