import MeroCrypto
import MeroWire

/// Checks TDX quotes: signatures, certificates, collateral and measurements.
///
/// ``DcapVerifier`` does all that on this device, and is what clients use unless they are given another one, which may,
/// for example, ask a service. It throws ``TrustError/refused(_:)`` when a proof does not hold, and
/// ``TrustError/unavailable(_:)`` when something could only not be fetched. Whatever it accepts is still held to the
/// client's ``TeePolicy``, and to the report data that the client expects.
///
/// ```swift
/// struct ServiceVerifier: QuoteVerifier {
///   func verify(_ evidence: QuoteEvidence) async throws -> TrustReport {
///     let verdict = try await service.check(evidence.quote, evidence.collateral)
///     guard verdict.isGenuine else {
///       throw TrustError.refused(TrustRefusal(reason: .quoteInvalid, text: verdict.reason))
///     }
///     return TrustReport(isMock: false, release: evidence.release, status: verdict.status, verifiedAt: Date())
///   }
/// }
/// ```
public protocol QuoteVerifier: Sendable {
  /// Accepts the evidence, or throws why not.
  func verify(_ evidence: QuoteEvidence) async throws -> TrustReport
}

/// A quote and everything it must be checked against.
public struct QuoteEvidence: Sendable, Hashable {
  /// The quote as the node sent it.
  public var quote: [UInt8]
  /// What Intel signed about the platform, in the node's own form; `nil` when the node sent none.
  public var collateral: JSONValue?
  /// The 32 random bytes that the node was asked with.
  public var nonce: [UInt8]
  /// The 64 bytes of report data that the quote must carry: the nonce, and what binds the node's key.
  public var expectedReportData: [UInt8]
  /// The host of the node's URL.
  public var host: String
  /// The release the node says it runs. A hint: only a signature and the measurements decide.
  public var release: String?

  /// Evidence with these parts.
  public init(
    quote: [UInt8], collateral: JSONValue?, nonce: [UInt8], expectedReportData: [UInt8], host: String,
    release: String?
  ) {
    self.quote = quote
    self.collateral = collateral
    self.nonce = nonce
    self.expectedReportData = expectedReportData
    self.host = host
    self.release = release
  }
}

extension QuoteEvidence {
  /// Requires that a quote carries the report data that it was asked for: a quote that is genuine but made for somebody
  /// else's question is what an attacker in the middle would present.
  func require(_ reportData: [UInt8]) throws(TrustError) {
    guard expectedReportData.count == ReportData.size, expectedReportData.starts(with: nonce) else {
      throw .refused(.reportData, "the expected report data does not begin with the nonce")
    }
    guard ConstantTime.equal(reportData, expectedReportData) else {
      throw .refused(.reportData, "the quote of \(host) commits to another nonce, key or cluster")
    }
  }
}
