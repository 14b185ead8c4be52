import MeroCrypto
import MeroWire

/// A passkey's public key as a COSE key carries it: ES256 or EdDSA over Ed25519.
enum PasskeyKey: Sendable {
  case es256(P256.PublicKey)
  case edDSA(Ed25519.PublicKey)

  /// Algorithm numbers the cluster offers, best first.
  static let offered: [Int64] = [-7, -8]

  var algorithm: Int64 {
    switch self {
    case .es256: return -7
    case .edDSA: return -8
    }
  }

  /// `nil` for a key of another kind, and for one that is not on its curve.
  init?(cose: AttestationObjectReader.Item) {
    guard case .integer(let kind)? = cose[1], case .integer(let algorithm)? = cose[3],
      case .integer(let curve)? = cose[-1], case .bytes(let x)? = cose[-2]
    else { return nil }
    switch (kind, algorithm, curve) {
    case (2, -7, 1):
      guard case .bytes(let y)? = cose[-3], x.count == 32, y.count == 32,
        let key = try? P256.PublicKey(x: x, y: y)
      else { return nil }
      self = .es256(key)
    case (1, -8, 6):
      guard let key = try? Ed25519.PublicKey(bytes: x) else { return nil }
      self = .edDSA(key)
    default:
      return nil
    }
  }

  func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    switch self {
    case .es256(let key): return key.isValid(der: signature, for: message)
    case .edDSA(let key): return key.isValid(signature, for: message)
    }
  }
}

extension PasskeyKey {
  /// The key as it is kept.
  var written: JSONValue {
    switch self {
    case .es256(let key): return ["es256": .string(Base64URL.encode(key.x963))]
    case .edDSA(let key): return ["edDSA": .string(Base64URL.encode(key.bytes))]
    }
  }

  /// Reads what ``written`` gave.
  init(written: JSONValue) throws {
    if let text = written["es256"]?.stringValue {
      self = .es256(try P256.PublicKey(x963: Base64URL.decode(text)))
    } else {
      self = .edDSA(try Ed25519.PublicKey(bytes: Base64URL.decode(written["edDSA"]?.stringValue ?? "")))
    }
  }
}
