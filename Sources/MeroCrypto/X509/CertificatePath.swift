import Foundation

/// Finds and checks the way from an end certificate up to a trust anchor (RFC 5280 §6, 50 §3.3).
package enum CertificatePath {
  /// The path: the end certificate first, the anchor last.
  ///
  /// The certificates may come in any order, with or without the anchor among them. Exactly one of them must not be an
  /// authority: that one is the end. Every other must stand on the way; a self-issued one that is not the anchor
  /// is another root, and is refused rather than passed over.
  ///
  /// - Throws: `X509Error`; revocation is for the caller to look at.
  package static func verify(
    _ certificates: [Certificate], to anchor: Certificate, at time: Date
  ) throws(X509Error) -> [Certificate] {
    var rest = certificates.filter { $0 != anchor }
    guard let end = rest.firstIndex(where: { !$0.isAuthority }) else {
      throw .untrusted("the chain has no end certificate, only authorities")
    }
    var path = [rest.remove(at: end)]
    while path[path.count - 1].issuer != anchor.subject {
      let current = path[path.count - 1]
      guard let next = rest.firstIndex(where: { $0.subject == current.issuer }) else {
        throw .untrusted("the issuer of \(current.label) is missing")
      }
      path.append(rest.remove(at: next))
    }
    path.append(anchor)
    guard rest.allSatisfy({ $0.subject == anchor.subject && $0.publicKey == anchor.publicKey }) else {
      throw .untrusted("a certificate does not belong to the chain that ends at the pinned root")
    }
    try check(path, at: time)
    return path
  }

  private static func check(_ path: [Certificate], at time: Date) throws(X509Error) {
    var authoritiesBelow = 0
    for (position, certificate) in path.enumerated() {
      guard certificate.isValid(at: time) else {
        throw .outOfDate(
          "\(certificate.label) is valid from \(X509Error.text(certificate.notBefore)) to "
            + "\(X509Error.text(certificate.notAfter)), and it is \(X509Error.text(time))")
      }
      guard position > 0 else { continue }
      guard let constraints = certificate.basicConstraints, constraints.isAuthority else {
        throw .untrusted("\(certificate.label) is no authority")
      }
      guard certificate.keyUsage?.contains(.certificateSign) == true else {
        throw .untrusted("the key of \(certificate.label) may not sign certificates")
      }
      guard authoritiesBelow <= constraints.pathLength ?? .max else {
        throw .untrusted("too many authorities stand below \(certificate.label)")
      }
      let below = path[position - 1]
      guard below.isSigned(by: certificate.publicKey) else {
        throw .untrusted("\(below.label) is not signed by \(certificate.label)")
      }
      if !certificate.isSelfIssued { authoritiesBelow += 1 }
    }
  }
}
