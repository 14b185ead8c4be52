import Foundation
import MeroWire

/// An X.509 certificate, version 3, of a P-256 or P-384 key (RFC 5280).
///
/// Reading is strict: anything that is not in the one form of DER, an extension that is there twice, and a critical one
/// that nobody here acts on are refused. Reading alone says nothing about trust; that is for ``CertificatePath``.
package final class Certificate: Sendable, Hashable {
  /// The whole certificate, as it was given.
  package let encoded: [UInt8]
  /// The magnitude of the serial number.
  package let serialNumber: ArraySlice<UInt8>
  package let issuer: DistinguishedName
  package let subject: DistinguishedName
  package let notBefore: Date
  package let notAfter: Date
  package let publicKey: ECDSA.PublicKey
  package let basicConstraints: BasicConstraints?
  package let keyUsage: KeyUsage?
  package let extendedKeyUsage: [OID]?
  package let subjectAlternativeNames: [GeneralName]?
  package let subjectKeyIdentifier: ArraySlice<UInt8>?
  package let authorityKeyIdentifier: ArraySlice<UInt8>?
  /// All extensions, those named above included.
  package let extensions: Extensions

  private let signed: SignedDER

  /// - Throws: `X509Error.malformed`.
  package convenience init(der bytes: [UInt8]) throws(X509Error) {
    do throws(WireError) {
      try self.init(reading: bytes)
    } catch {
      throw .malformed("a certificate cannot be read: \(error.reason)")
    }
  }

  private init(reading bytes: [UInt8]) throws(WireError) {
    encoded = bytes
    signed = try SignedDER(bytes)
    var fields = DERReader(signed.contents)
    guard var version = try fields.explicit(0), try version.int64() == 2, version.isAtEnd else {
      throw .x509("not of version 3")
    }
    serialNumber = try fields.unsignedInteger()
    // An algorithm that the signature does not cover could be swapped.
    guard try X509SignatureAlgorithm(reading: &fields) == signed.algorithm else {
      throw .x509("the two signature algorithms differ")
    }
    issuer = try DistinguishedName(reading: &fields)
    if issuer.isEmpty { throw .x509("the issuer has no name") }
    var validity = try fields.sequence()
    notBefore = try validity.time()
    notAfter = try validity.time()
    try validity.finish()
    subject = try DistinguishedName(reading: &fields)
    publicKey = try ECDSA.PublicKey(reading: &fields)
    if var list = try fields.explicit(3) {
      extensions = try Extensions(reading: &list, known: OID.knownInCertificates)
      try list.finish()
    } else {
      extensions = .none
    }
    // Unique identifiers, which would stand before the extensions, are in use nowhere.
    try fields.finish()
    basicConstraints = try extensions.basicConstraints()
    keyUsage = try extensions.keyUsage()
    extendedKeyUsage = try extensions.extendedKeyUsage()
    subjectAlternativeNames = try extensions.subjectAlternativeNames()
    subjectKeyIdentifier = try extensions.subjectKeyIdentifier()
    authorityKeyIdentifier = try extensions.authorityKeyIdentifier()
  }

  package var signatureAlgorithm: X509SignatureAlgorithm { signed.algorithm }

  package func isSigned(by key: ECDSA.PublicKey) -> Bool { signed.isSigned(by: key) }

  package func isValid(at time: Date) -> Bool { notBefore <= time && time <= notAfter }

  package var isAuthority: Bool { basicConstraints?.isAuthority ?? false }
  var isSelfIssued: Bool { issuer == subject }

  /// What to call it in a text for people.
  package var label: String { subject.commonName.map { "“\($0)”" } ?? "the certificate" }

  package static func == (one: Certificate, other: Certificate) -> Bool { one.encoded == other.encoded }
  package func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}

extension ECDSA.PublicKey {
  private static let ellipticCurveKey: OID = "1.2.840.10045.2.1"
  private static let p256: OID = "1.2.840.10045.3.1.7"
  private static let p384: OID = "1.3.132.0.34"

  /// A SubjectPublicKeyInfo.
  package init(reading reader: inout DERReader) throws(WireError) {
    var info = try reader.sequence()
    var algorithm = try info.sequence()
    guard try algorithm.oid() == Self.ellipticCurveKey else {
      throw .x509("the key is of no kind that is supported")
    }
    let name = try algorithm.oid()
    try algorithm.finish()
    guard let curve = name == Self.p256 ? ECDSA.Curve.p256 : name == Self.p384 ? .p384 : nil else {
      throw .x509("the key is on a curve that is not supported")
    }
    let point = try info.bitStringBytes()
    try info.finish()
    do {
      try self.init(curve, x963: point)
    } catch {
      throw .x509(error.description)
    }
  }
}
