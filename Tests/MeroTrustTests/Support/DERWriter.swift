import Foundation
import MeroCrypto

/// Writes the DER that certificates and revocation lists are made of.
enum DER {
  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length = [UInt8(content.count & 0xFF)]
    if content.count >= 0x80 {
      if content.count > 0xFF { length.insert(UInt8(content.count >> 8), at: 0) }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag] + length + content
  }

  static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
  static func set(_ parts: [UInt8]...) -> [UInt8] { element(0x31, parts.flatMap { $0 }) }
  static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] { element(0xA0 | number, content) }
  static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
  static func bits(_ content: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + content) }
  static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
  static func oid(_ id: OID) -> [UInt8] { element(0x06, Array(id.content)) }
  static let yes: [UInt8] = [0x01, 0x01, 0xFF]

  static func integer(_ number: Int) -> [UInt8] {
    var digits = [UInt8(number & 0xFF)]
    var rest = number >> 8
    while rest > 0 {
      digits.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    return element(0x02, (digits[0] >= 0x80 ? [0] : []) + digits)
  }

  static func time(_ date: Date) -> [UInt8] {
    let digits = ISO8601DateFormatter().string(from: date).filter(\.isNumber)
    return element(0x18, Array("\(digits)Z".utf8))
  }

  static func name(_ commonName: String) -> [UInt8] {
    sequence(set(sequence(oid("2.5.4.3"), text(commonName))), set(sequence(oid("2.5.4.10"), text("Tests"))))
  }

  static func `extension`(_ id: OID, critical: Bool = false, _ value: [UInt8]) -> [UInt8] {
    sequence(oid(id), critical ? yes : [], octets(value))
  }

  static let ecdsaSHA256 = sequence(oid("1.2.840.10045.4.3.2"))

  static func signed(_ contents: [UInt8], by key: P256.PrivateKey, algorithm: [UInt8] = ecdsaSHA256) throws
    -> [UInt8]
  {
    sequence(contents, algorithm, bits(try key.sign(contents)))
  }
}

/// A certificate before it is signed; everything in it can be changed.
struct CertificateDraft {
  var serialNumber = 1
  var issuer: String
  var subject: String
  var from = Date(timeIntervalSince1970: 1_600_000_000)
  var until = Date(timeIntervalSince1970: 2_000_000_000)
  var key: P256.PublicKey
  var isAuthority = false
  var pathLength: Int?
  /// The content bits; nil leaves the extension out.
  var keyUsage: UInt8?
  var more: [[UInt8]] = []
  var algorithm = DER.ecdsaSHA256
  var version = DER.explicit(0, DER.integer(2))

  func signed(by signer: P256.PrivateKey) throws -> [UInt8] {
    var extensions = more
    if isAuthority {
      let limit = pathLength.map(DER.integer) ?? []
      extensions.append(DER.extension(.basicConstraints, critical: true, DER.sequence(DER.yes, limit)))
    }
    if let keyUsage {
      let value = DER.bits([keyUsage], unused: UInt8(keyUsage.trailingZeroBitCount))
      extensions.append(DER.extension(.keyUsage, critical: true, value))
    }
    let contents = DER.sequence(
      version, DER.integer(serialNumber), algorithm, DER.name(issuer),
      DER.sequence(DER.time(from), DER.time(until)), DER.name(subject),
      DER.sequence(
        DER.sequence(DER.oid("1.2.840.10045.2.1"), DER.oid("1.2.840.10045.3.1.7")), DER.bits(key.x963)),
      extensions.isEmpty ? [] : DER.explicit(3, DER.element(0x30, extensions.flatMap { $0 })))
    return try DER.signed(contents, by: signer, algorithm: algorithm)
  }

  func certificate(signedBy signer: P256.PrivateKey) throws -> Certificate {
    try Certificate(der: try signed(by: signer))
  }
}

/// A revocation list before it is signed.
struct RevocationDraft {
  var issuer: String
  var serialNumbers: [Int] = []
  var until = Date(timeIntervalSince1970: 2_000_000_000)
  var entryExtensions: [UInt8] = []
  var extensions: [[UInt8]] = [DER.extension(.revocationListNumber, DER.integer(7))]

  func signed(by signer: P256.PrivateKey) throws -> [UInt8] {
    let entries = serialNumbers.map { number in
      DER.sequence(DER.integer(number), DER.time(Date(timeIntervalSince1970: 1_700_000_000)), entryExtensions)
    }
    let contents = DER.sequence(
      DER.integer(1), DER.ecdsaSHA256, DER.name(issuer),
      DER.time(Date(timeIntervalSince1970: 1_600_000_000)), DER.time(until),
      entries.isEmpty ? [] : DER.element(0x30, entries.flatMap { $0 }),
      extensions.isEmpty ? [] : DER.explicit(0, DER.element(0x30, extensions.flatMap { $0 })))
    return try DER.signed(contents, by: signer)
  }
}

func pem(_ certificates: [[UInt8]]) -> String {
  certificates.map {
    let body = Data($0).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----\n"
  }.joined()
}
