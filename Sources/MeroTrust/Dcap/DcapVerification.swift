import Foundation
import MeroCrypto

/// Checks TDX quotes against collateral, as of a given time (50 §3): whether the quote is genuine, and how current the
/// platform under it is. What runs in the trust domain, and whether that status will do, is for a policy to say.
///
/// ```swift
/// let verdict = try DcapVerification().verify(quote, collateral, at: Date())
/// print(verdict.status, verdict.advisories, verdict.report.measurements)
/// ```
package struct DcapVerification: Sendable {
  private let root: Certificate

  package init(root: QuoteRoot = .intel) {
    self.root = root.certificate
  }

  /// - Parameter time: only its whole seconds count.
  /// - Throws: `TrustError.refused`, with the step and what was wrong there.
  package func verify(
    _ bytes: [UInt8], _ collateral: QuoteCollateral, at time: Date
  ) throws(TrustError) -> DcapVerdict {
    let time = Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
    let quote = try TDXQuote(bytes)
    try quote.header.requireIntelECDSA()
    let pki = try IntelPKI(root: root, rootCRL: collateral.rootCACRL, at: time)
    let statements = try IntelStatements(collateral, pki, at: time)
    let platform = try pki.platform(try Self.chain(of: quote, collateral), pckCRL: collateral.pckCRL)
    let values = try PCKPlatform(platform.key)
    try Self.require(values, isOfKind: statements.tcbInfo)
    try Self.requireSignatures(quote, platformKey: platform.key.publicKey)
    let levels = try MatchedLevels(quote, values, statements)
    let status = try levels.status(quote.report, statements.tcbInfo)
    guard status != .revoked else {
      throw .refused(.notRevoked, "the platform, its TDX module or its quoting enclave is revoked")
    }
    try TDAttributes.require(quote.report)
    return DcapVerdict(
      quote: quote, status: status, advisories: levels.advisories,
      platform: PlatformReport(
        fmspc: [UInt8](values.fmspc), status: levels.platformStatus, tcbDate: levels.platform.date,
        moduleStatus: levels.module?.status, quotingEnclaveStatus: levels.qe.status,
        collateralFrom: statements.issuedAt,
        collateralUntil: [
          statements.validUntil, pki.validUntil, platform.listedUntil, platform.key.notAfter,
          platform.authority.notAfter,
        ].reduce(.distantFuture, min)))
  }

  private static func chain(
    of quote: TDXQuote, _ collateral: QuoteCollateral
  ) throws(TrustError) -> ArraySlice<UInt8> {
    let type = quote.signature.certificationType
    guard (1...QuoteSignature.pckChain).contains(type) else {
      throw .refused(.pckChain, "the quote certifies its platform in an unknown way (\(type))")
    }
    if let chain = collateral.pckCertificateChain { return Array(chain.utf8)[...] }
    guard type == QuoteSignature.pckChain else {
      throw .refused(.pckChain, "neither the quote nor the collateral has the platform's certificate")
    }
    return quote.signature.certificationData
  }

  private static func require(_ platform: PCKPlatform, isOfKind info: TCBInfo) throws(TrustError) {
    guard platform.fmspc.elementsEqual(info.fmspc), platform.pceId.elementsEqual(info.pceId) else {
      throw .refused(.tcbInfo, "the TCB info is about another kind of platform")
    }
  }

  /// The three links from the platform's key to the quote (50 §3.2 steps 6, 7 and 9).
  private static func requireSignatures(
    _ quote: TDXQuote, platformKey: ECDSA.PublicKey
  ) throws(TrustError) {
    let signature = quote.signature
    guard platformKey.isValid(raw: signature.qeReportSignature, for: signature.qeReport.bytes) else {
      throw .refused(.qeReportSignature, "the platform's key did not sign the quoting enclave's report")
    }
    let vouched = SHA256.hash([UInt8](signature.attestationKey) + signature.qeAuthenticationData)
    guard signature.qeReport.reportData.prefix(32).elementsEqual(vouched) else {
      throw .refused(.qeReportData, "the quoting enclave vouches for another key")
    }
    guard let key = try? ECDSA.PublicKey(.p256, x963: [0x04] + signature.attestationKey) else {
      throw .refused(.quoteSignature, "the key that signed the quote is not a key")
    }
    guard key.isValid(raw: signature.signature, for: quote.signedBytes) else {
      throw .refused(.quoteSignature, "the quote's signature does not hold: a byte of it was changed")
    }
  }
}

/// What a verified quote says.
package struct DcapVerdict: Sendable, Hashable {
  package let quote: TDXQuote
  /// One word for the platform and its parts; never revoked.
  package let status: TCBStatus
  /// Those of the platform's level, then the TDX module's, then the quoting enclave's, each once.
  package let advisories: [String]
  package let platform: PlatformReport

  package var report: TDReport { quote.report }

  /// The steps that lead here, in order.
  package static let stages: [TrustStage] = [
    .quoteFormat, .collateral, .revocationLists, .tcbInfo, .qeIdentity, .pckChain, .qeReportSignature,
    .qeReportData, .quoteSignature, .qeReport, .tcbLevel, .tdxModule, .notRevoked, .tdAttributes,
  ]
}
