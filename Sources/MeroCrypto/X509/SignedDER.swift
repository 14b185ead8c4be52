import MeroWire

/// What certificates and revocation lists have in common: contents, the algorithm they are signed with, and the
/// signature.
struct SignedDER: Sendable, Hashable {
  /// The bytes that the signature covers, as they stand.
  let toBeSigned: ArraySlice<UInt8>
  let algorithm: X509SignatureAlgorithm
  let signature: ArraySlice<UInt8>
  /// A reader of the contents.
  let contents: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) throws(WireError) {
    var outer = DERReader(bytes)
    var parts = try outer.sequence()
    try outer.finish()
    let element = try parts.element(.sequence)
    toBeSigned = element.encoded
    contents = element.content
    algorithm = try X509SignatureAlgorithm(reading: &parts)
    signature = try parts.bitStringBytes()
    try parts.finish()
  }

  func isSigned(by key: ECDSA.PublicKey) -> Bool {
    key.isValid(der: signature, for: toBeSigned, hash: algorithm.hash)
  }
}

/// The algorithms that a certificate or a revocation list may be signed with.
package enum X509SignatureAlgorithm: Sendable, Hashable {
  case ecdsaSHA256, ecdsaSHA384

  private static let sha256: OID = "1.2.840.10045.4.3.2"
  private static let sha384: OID = "1.2.840.10045.4.3.3"

  package var hash: HashAlgorithm { self == .ecdsaSHA256 ? .sha256 : .sha384 }

  init(reading reader: inout DERReader) throws(WireError) {
    var identifier = try reader.sequence()
    let oid = try identifier.oid()
    // ECDSA's identifiers have no parameters, not even NULL (RFC 5758 §3.2).
    try identifier.finish()
    if oid == Self.sha256 {
      self = .ecdsaSHA256
    } else if oid == Self.sha384 {
      self = .ecdsaSHA384
    } else {
      throw .x509("a signature algorithm other than ECDSA with SHA-256 or SHA-384")
    }
  }
}
