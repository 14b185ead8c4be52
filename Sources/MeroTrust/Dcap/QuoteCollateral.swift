import Foundation
import MeroWire

/// What Intel signed about the platform under a quote, as a node hands it on (50 §2.2).
///
/// Nothing of it is trusted for having come from there: every part is signed by a key that leads to the root.
package struct QuoteCollateral: Sendable, Hashable {
  /// Larger than any part Intel publishes.
  private static let largestMember = 1024 * 1024

  package var rootCACRL: [UInt8]
  package var pckCRL: [UInt8]
  package var tcbInfoIssuerChain: String
  /// The JSON text exactly as it was signed.
  package var tcbInfo: String
  package var tcbInfoSignature: [UInt8]
  package var qeIdentityIssuerChain: String
  /// The JSON text exactly as it was signed.
  package var qeIdentity: String
  package var qeIdentitySignature: [UInt8]
  /// Used instead of the chain in the quote when it is there.
  package var pckCertificateChain: String?

  /// - Throws: `TrustError.refused` for a missing member, one of another type, and one that is too large.
  package init(parsing value: JSONValue) throws(TrustError) {
    guard let object = value.objectValue else {
      throw .refused(.collateral, "the collateral is not a JSON object")
    }
    // The chain above the PCK list is not needed: the quote's own chain holds the authority that issued the list.
    _ = try Self.text(object, "pck_crl_issuer_chain")
    rootCACRL = try Self.bytes(object, "root_ca_crl")
    pckCRL = try Self.bytes(object, "pck_crl")
    tcbInfoIssuerChain = try Self.text(object, "tcb_info_issuer_chain")
    tcbInfo = try Self.text(object, "tcb_info")
    tcbInfoSignature = try Self.bytes(object, "tcb_info_signature")
    qeIdentityIssuerChain = try Self.text(object, "qe_identity_issuer_chain")
    qeIdentity = try Self.text(object, "qe_identity")
    qeIdentitySignature = try Self.bytes(object, "qe_identity_signature")
    let chain = object["pck_certificate_chain"]
    pckCertificateChain =
      chain == nil || chain?.isNull == true ? nil : try Self.text(object, "pck_certificate_chain")
  }

  private static func member(_ object: JSONObject, _ name: String) throws(TrustError) -> JSONValue {
    guard let value = object[name] else {
      throw .refused(.collateral, "the collateral has no \(name)")
    }
    return value
  }

  private static func text(_ object: JSONObject, _ name: String) throws(TrustError) -> String {
    guard let text = try member(object, name).stringValue, text.utf8.count <= largestMember else {
      throw .refused(.collateral, "the collateral's \(name) is no text, or too large")
    }
    return text
  }

  /// Bytes come as hex, or as an array of numbers.
  private static func bytes(_ object: JSONObject, _ name: String) throws(TrustError) -> [UInt8] {
    switch try member(object, name) {
    case .string(let text) where text.utf8.count <= 2 * largestMember:
      if let bytes = try? Hex.decode(text) { return bytes }
    case .array(let elements) where elements.count <= largestMember:
      let bytes = elements.compactMap { $0.int.flatMap(UInt8.init(exactly:)) }
      if bytes.count == elements.count { return bytes }
    default: break
    }
    throw .refused(.collateral, "the collateral's \(name) is neither hex nor a list of bytes, or too large")
  }
}
