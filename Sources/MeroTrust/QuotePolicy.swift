import MeroCrypto
import MeroHTTP

/// Decides about a node's quote (50 §4, 70 §2.5).
package enum QuotePolicy {
  /// Accepts the evidence under `policy` or throws `TrustError`; what `verifier` throws passes through.
  ///
  /// A mock quote is decided here. A real one is `verifier`'s to check; its verdict is then held to the policy, and the
  /// report data is compared here too, because a quote that is genuine but made for somebody else's question is what
  /// an attacker in the middle would present.
  package static func verify(
    _ evidence: QuoteEvidence, policy: TeePolicy, verifier: (any QuoteVerifier)?, clock: MeroClock
  ) async throws -> TrustReport {
    guard evidence.expectedReportData.count == ReportData.size,
      evidence.expectedReportData.starts(with: evidence.nonce)
    else { throw TrustError.refused(.reportData, "the expected report data does not begin with the nonce") }
    if MockQuote.isMock(evidence.quote) {
      guard policy.acceptsMock(host: evidence.host) else {
        throw TrustError.refused(
          .mockRefused,
          "\(evidence.host) answered with a mock quote, which this policy does not accept from there")
      }
      try require(try MockQuote.reportData(of: evidence.quote), evidence)
      return TrustReport(isMock: true, release: evidence.release, verifiedAt: clock.now())
    }
    guard let verifier else {
      throw TrustError.refused(
        .quoteInvalid,
        "\(evidence.host) answered with a real TDX quote; verifying one needs a QuoteVerifier, and none is set"
      )
    }
    try require(try TDXQuote.reportData(of: evidence.quote), evidence)
    let report = try await verifier.verify(evidence)
    try hold(report, to: policy)
    return report
  }

  private static func require(_ reportData: [UInt8], _ evidence: QuoteEvidence) throws(TrustError) {
    guard ConstantTime.equal(reportData, evidence.expectedReportData) else {
      throw .refused(.reportData, "the quote of \(evidence.host) commits to another nonce, key or cluster")
    }
  }

  private static func hold(_ report: TrustReport, to policy: TeePolicy) throws(TrustError) {
    guard !report.isMock else {
      throw .refused(.quoteInvalid, "the verifier took a quote that is not a mock one for a mock one")
    }
    guard report.status != .revoked else { throw .refused(.tcbStatus, "the platform is revoked") }
    guard let accepted = policy.acceptedStatuses else { return }
    guard let status = report.status else {
      throw .refused(.tcbStatus, "the verifier does not say what state the platform is in")
    }
    guard accepted.contains(status) else {
      throw .refused(
        .tcbStatus,
        "the platform is \(status), and only \(accepted.map(\.rawValue).joined(separator: ", ")) is accepted")
    }
  }
}

/// Where a TDX quote keeps its report data (50 §3.1). Says nothing about whether the quote is genuine.
enum TDXQuote {
  static func reportData(of quote: [UInt8]) throws(TrustError) -> [UInt8] {
    let body: Int
    switch littleEndian(quote, 0, 2) {
    case 4:
      body = 48
    case 5:
      // Version 5 says which report follows, and how long it is: 1.0 or 1.5.
      guard
        (littleEndian(quote, 48, 2) == 2 && littleEndian(quote, 50, 4) == 584)
          || (littleEndian(quote, 48, 2) == 3 && littleEndian(quote, 50, 4) == 648)
      else { throw .refused(.quoteInvalid, "the quote does not hold a TD report") }
      body = 54
    default:
      throw .refused(.quoteInvalid, "not a TDX quote of version 4 or 5")
    }
    guard littleEndian(quote, 4, 4) == 0x81 else {
      throw .refused(.quoteInvalid, "not a quote of a trust domain")
    }
    let start = body + 520
    guard quote.count >= start + ReportData.size else {
      throw .refused(.quoteInvalid, "the quote is cut short")
    }
    return [UInt8](quote[start..<start + ReportData.size])
  }

  private static func littleEndian(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
    guard bytes.count >= offset + count else { return nil }
    return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
