import Foundation
import MeroCrypto

/// Writes the DER that certificates and revocation lists are made of.
package enum DER {
  package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length = [UInt8(content.count & 0xFF)]
    if content.count >= 0x80 {
      if content.count > 0xFF { length.insert(UInt8(content.count >> 8), at: 0) }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  package static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
  package static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
  package static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    element(0xA0 | number, content)
  }
  package static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
  package static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] {
    element(0x03, [unused] + content)
  }
  package static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
  package static func oid(_ id: OID) -> [UInt8] { element(0x06, Array(id.content)) }
  package static let yes: [UInt8] = [0x01, 0x01, 0xFF]

  package static func integer(_ number: Int) -> [UInt8] {
    var digits = [UInt8(number & 0xFF)]
    var rest = number >> 8
    while rest > 0 {
      digits.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return element(0x02, (digits[0] >= 0x80 ? [0] : []) + digits)
  }

  package static func time(_ date: Date) -> [UInt8] {
    let digits = ISO8601DateFormatter().string(from: date).filter(\.isNumber)
    return element(0x18, Array("\(digits)Z".utf8))
  }

  /// A name of this common name; the empty one, which certificates of the release signer have, has no parts.
  package static func name(_ commonName: String) -> [UInt8] {
    if commonName.isEmpty { return sequence() }
    return sequence(
      set(sequence(oid("2.5.4.3"), text(commonName))), set(sequence(oid("2.5.4.10"), text("Tests"))))
  }

  package static func `extension`(_ id: OID, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    sequence(oid(id), critical ? yes : [], octets(value))
  }

  /// A SubjectPublicKeyInfo.
  package static func publicKey(_ key: P256.PublicKey) -> [UInt8] {
    sequence(sequence(oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")), bits(key.x963))
  }

  package static let ecdsaSHA256 = sequence(oid("1.2.840.10045.4.3.2"))

  package static func signed(_ contents: [UInt8], by key: P256.PrivateKey, algorithm: [UInt8] = ecdsaSHA256)
    throws
    -> [UInt8]
  {
    sequence(contents, algorithm, bits(try key.sign(contents)))
  }
}

/// Certificates as PEM text, in this order.
package func pem(_ certificates: [[UInt8]]) -> String {
  certificates.map {
    let body = Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
  }.joined()
}
