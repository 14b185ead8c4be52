import Foundation
import MeroWire

/// Checks TDX quotes: signatures, certificates, collateral and measurements.
///
/// Set one as the client's `quoteVerifier`. It throws ``TrustError/refused(_:)`` when a proof does not hold, and
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

/// What an accepted quote says.
public struct TrustReport: Sendable, Hashable {
  /// Whether it was a mock quote, which proves nothing about hardware.
  public var isMock: Bool
  /// The release whose measurements were found, if the verifier looked for one.
  public var release: String?
  /// What runs in the trust domain; `nil` for a mock quote.
  public var measurements: Measurements?
  /// How current the platform is; `nil` for a mock quote.
  public var status: TCBStatus?
  /// Intel's security advisories that apply to the platform, by id.
  public var advisories: [String]
  /// When it was verified.
  public var verifiedAt: Date

  /// A report with these parts.
  public init(
    isMock: Bool, release: String? = nil, measurements: Measurements? = nil, status: TCBStatus? = nil,
    advisories: [String] = [], verifiedAt: Date
  ) {
    self.isMock = isMock
    self.release = release
    self.measurements = measurements
    self.status = status
    self.advisories = advisories
    self.verifiedAt = verifiedAt
  }
}

/// The five registers that together name an image. Only together: the first measures firmware that images share.
public struct Measurements: Sendable, Hashable {
  /// The trust domain's firmware, 48 bytes.
  public var mrtd: [UInt8]
  /// The run-time registers 0 to 3, 48 bytes each.
  public var rtmr: [[UInt8]]

  /// Measurements with these registers.
  public init(mrtd: [UInt8], rtmr: [[UInt8]]) {
    self.mrtd = mrtd
    self.rtmr = rtmr
  }
}
