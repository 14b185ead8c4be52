import Foundation
import MeroCrypto
import MeroWire

/// Where collateral comes from when a node sends none (50 §3.13). There is no built-in one: nodes send it.
public protocol CollateralSource: Sendable {
  /// The collateral for a kind of platform, in the form that a node sends it.
  ///
  /// - Parameters:
  ///   - fmspc: the kind of platform, 12 hex digits.
  ///   - authority: the word for the kind of authority under which its key is certified: `platform` or `processor`.
  /// - Throws: any error; it counts as ``TrustError/unavailable(_:)``.
  func collateral(fmspc: String, authority: String) async throws -> JSONValue
}

/// What has to be known of a platform to look up its collateral. The quote says it of itself, and nothing of it is
/// verified yet: a lie only leads to collateral that does not fit.
struct CollateralQuestion: Hashable {
  let fmspc: String
  let authority: String

  init(_ bytes: [UInt8]) throws(TrustError) {
    let signature = try TDXQuote(bytes).signature
    let leaf = try refusing(at: .pckChain) { () throws(X509Error) -> Certificate? in
      signature.certificationType == QuoteSignature.pckChain
        ? try PEM.certificates(in: signature.certificationData).first { !$0.isAuthority } : nil
    }
    guard let leaf else { throw .refused(.collateral, "the quote does not say whose collateral to look up") }
    fmspc = Hex.encode(try PCKPlatform(leaf).fmspc)
    authority = leaf.issuer.commonName?.contains("Processor") == true ? "processor" : "platform"
  }
}
