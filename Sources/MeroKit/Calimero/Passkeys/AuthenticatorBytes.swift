import MeroCrypto
import MeroWire

/// The bytes of an authenticator: client data, authenticator data and attestation object, exactly as
/// 50 §6.2–6.4 lay them out.
enum AuthenticatorBytes {
  enum Kind: String {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  /// A new credential's part of the authenticator data.
  struct Attested {
    let credentialId: [UInt8]
    let coseKey: [UInt8]
  }

  static func clientData(_ kind: Kind, challenge: [UInt8], origin: String) -> [UInt8] {
    Array(
      ("{\"type\":\"\(kind.rawValue)\",\"challenge\":\"\(Base64URL.encode(challenge))\","
        + "\"origin\":\"\(escaped(origin))\",\"crossOrigin\":false}").utf8)
  }

  static func authenticatorData(rpId: String, counter: UInt32, attested: Attested? = nil) -> [UInt8] {
    var bytes = SHA256.hash(Array(rpId.utf8))
    // User present and verified; with a new credential attached, AT as well.
    bytes.append(attested == nil ? 0x05 : 0x45)
    bytes += bigEndian(counter)
    if let attested {
      bytes += [UInt8](repeating: 0, count: 16)
      bytes += bigEndian(UInt16(attested.credentialId.count))
      bytes += attested.credentialId
      bytes += attested.coseKey
    }
    return bytes
  }

  /// The CBOR map `fmt: "none"`, `attStmt: {}`, `authData`, in that order.
  static func attestationObject(authenticatorData: [UInt8]) -> [UInt8] {
    let length: [UInt8] =
      authenticatorData.count < 256
      ? [0x58, UInt8(authenticatorData.count)] : [0x59] + bigEndian(UInt16(authenticatorData.count))
    return [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8)
      + [0xA0, 0x68] + Array("authData".utf8) + length + authenticatorData
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
