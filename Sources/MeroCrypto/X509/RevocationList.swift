import Foundation
import MeroWire

/// A certificate revocation list, version 2 (RFC 5280 §5): complete, and about its own issuer's certificates only.
///
/// Lists that are only about changes, about some certificates or about somebody else's say so in a critical extension,
/// which this reader refuses like every critical one.
package struct RevocationList: Sendable {
  package let issuer: DistinguishedName
  package let thisUpdate: Date
  package let nextUpdate: Date
  private let serialNumbers: [ArraySlice<UInt8>]
  private let signed: SignedDER

  /// - Throws: `X509Error.malformed`.
  package init(der bytes: [UInt8]) throws(X509Error) {
    do throws(WireError) {
      try self.init(reading: bytes)
    } catch {
      throw .malformed("a revocation list cannot be read: \(error.reason)")
    }
  }

  private init(reading bytes: [UInt8]) throws(WireError) {
    signed = try SignedDER(bytes)
    var fields = DERReader(signed.contents)
    guard try fields.int64() == 1 else { throw .x509("not of version 2") }
    guard try X509SignatureAlgorithm(reading: &fields) == signed.algorithm else {
      throw .x509("the two signature algorithms differ")
    }
    issuer = try DistinguishedName(reading: &fields)
    thisUpdate = try fields.time()
    nextUpdate = try fields.time()
    serialNumbers = fields.nextTag == .sequence ? try Self.entries(try fields.sequence()) : []
    if var extensions = try fields.explicit(0) {
      _ = try Extensions(reading: &extensions, known: [.revocationListNumber, .authorityKeyIdentifier])
      try extensions.finish()
    }
    try fields.finish()
  }

  private static func entries(_ list: DERReader) throws(WireError) -> [ArraySlice<UInt8>] {
    var list = list
    var serialNumbers: [ArraySlice<UInt8>] = []
    while !list.isAtEnd {
      var entry = try list.sequence()
      serialNumbers.append(try entry.unsignedInteger())
      // When it was revoked decides nothing: it is not good now.
      let time = try entry.element()
      guard time.tag == .utcTime || time.tag == .generalizedTime else {
        throw .x509("an entry has no time")
      }
      if !entry.isAtEnd { _ = try Extensions(reading: &entry, known: []) }
      try entry.finish()
    }
    return serialNumbers
  }

  package var signatureAlgorithm: X509SignatureAlgorithm { signed.algorithm }

  /// Requires that `authority` issued the list and that it is still the current one.
  package func verify(issuedBy authority: Certificate, at time: Date) throws(X509Error) {
    let label = "the revocation list of \(authority.label)"
    guard issuer == authority.subject else { throw .untrusted("\(label) names another issuer") }
    guard authority.keyUsage?.contains(.revocationListSign) == true else {
      throw .untrusted("the key of \(authority.label) may not sign revocation lists")
    }
    guard signed.isSigned(by: authority.publicKey) else { throw .untrusted("\(label) is not signed by it") }
    guard time < nextUpdate else {
      throw .outOfDate(
        "\(label) was good until \(X509Error.text(nextUpdate)), and it is \(X509Error.text(time))")
    }
  }

  /// Refuses a certificate of this list's issuer that is on the list.
  package func requireGood(_ certificate: Certificate) throws(X509Error) {
    guard !serialNumbers.contains(certificate.serialNumber) else {
      throw .revoked("\(certificate.label) is revoked")
    }
  }
}
