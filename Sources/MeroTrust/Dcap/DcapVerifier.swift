import MeroHTTP
import MeroWire

/// Checks real TDX quotes: Intel's signatures and collateral, the platform's status, and what runs (50 §3, §4).
///
/// This is what clients use unless they are given another ``QuoteVerifier``. Make one to accept images of your own:
///
/// ```swift
/// let image = try Measurements(mrtd: "…", rtmr0: "…", rtmr1: "…", rtmr2: "…", rtmr3: "…")
/// let verifier = DcapVerifier(try .images([image]), acceptedStatuses: [.upToDate])
/// ```
public struct DcapVerifier: QuoteVerifier {
  private let images: AcceptedImages
  private let acceptedStatuses: [TCBStatus]?
  private let verification: DcapVerification
  private let collateralSource: (any CollateralSource)?
  private let clock: MeroClock

  /// A verifier that accepts these images.
  ///
  /// - Parameters:
  ///   - acceptedStatuses: the platform statuses to accept; of a release's image only those that the release accepts
  ///     too. `nil` means all that the release accepts, and `UpToDate` alone where no release is involved. `Revoked` is
  ///     refused even when listed.
  ///   - root: what everything has to lead to. Another one than Intel's is for tests.
  ///   - collateralSource: asked when a node sends no collateral; without one such a node is refused.
  public init(
    _ images: AcceptedImages, acceptedStatuses: [TCBStatus]? = nil, root: QuoteRoot = .intel,
    collateralSource: (any CollateralSource)? = nil, clock: MeroClock = .system
  ) {
    self.images = images
    self.acceptedStatuses = acceptedStatuses
    verification = DcapVerification(root: root)
    self.collateralSource = collateralSource
    self.clock = clock
  }

  /// Accepts a genuine quote of an accepted image on a platform that is current enough, made for this question.
  ///
  /// - Throws: ``TrustError``, with the step and what was wrong there.
  public func verify(_ evidence: QuoteEvidence) async throws -> TrustReport {
    guard !MockQuote.isMock(evidence.quote) else {
      throw TrustError.refused(for: .mockRefused, "a mock quote proves nothing about hardware")
    }
    let now = clock.now()
    let collateral = try QuoteCollateral(parsing: try await collateral(for: evidence))
    let verdict = try verification.verify(evidence.quote, collateral, at: now)
    try evidence.require([UInt8](verdict.report.reportData))
    let image = try await acceptedImage(verdict, evidence)
    return TrustReport(
      isMock: false, release: image?.release, profile: image?.profile,
      measurements: verdict.report.measurements, status: verdict.status, advisories: verdict.advisories,
      platform: verdict.platform,
      passed: DcapVerdict.stages + [.reportData, .tcbStatus] + (image == nil ? [] : [.release]) + [
        .measurements
      ],
      verifiedAt: now)
  }

  private func collateral(for evidence: QuoteEvidence) async throws -> JSONValue {
    if let collateral = evidence.collateral, !collateral.isNull { return collateral }
    guard let collateralSource else {
      throw TrustError.refused(
        .collateral, "\(evidence.host) sent no collateral, without which its quote cannot be checked")
    }
    let question = try CollateralQuestion(evidence.quote)
    do {
      return try await collateralSource.collateral(fmspc: question.fmspc, authority: question.authority)
    } catch let error where error is CancellationError || error is TrustError {
      throw error
    } catch {
      throw TrustError.unavailable("the collateral of \(evidence.host) could not be fetched: \(error)")
    }
  }

  /// The image of a release that the quote shows, or nil when it shows one that the caller named.
  private func acceptedImage(_ verdict: DcapVerdict, _ evidence: QuoteEvidence) async throws -> TrustedImage?
  {
    let measurements = verdict.report.measurements
    let isAccepted: Bool
    switch images.rule {
    case .images(let images):
      try require(verdict.status, among: acceptedStatuses ?? [.upToDate])
      isAccepted = images.contains(measurements)
    case .registers(let lists):
      try require(verdict.status, among: acceptedStatuses ?? [.upToDate])
      let registers = [measurements.mrtd] + measurements.rtmr
      isAccepted = zip(lists, registers).allSatisfy { $0.isEmpty || $0.contains($1) }
    case .releases(let releases):
      let images = try await releases.images(ofRelease: evidence.release)
      if let image = images.first(where: { $0.measurements == measurements }) {
        // A list of the caller's narrows what the release accepts; who made the image knows what it cannot run on.
        try require(
          verdict.status, among: image.acceptedStatuses.filter { acceptedStatuses?.contains($0) ?? true })
        return image
      }
      isAccepted = false
    }
    guard isAccepted else {
      throw TrustError.refused(
        .measurements,
        "\(evidence.host) runs an image that is none of the accepted ones, in all five registers")
    }
    return nil
  }

  private func require(_ status: TCBStatus, among accepted: [TCBStatus]) throws(TrustError) {
    guard !accepted.contains(status) else { return }
    let words = accepted.map(\.rawValue).joined(separator: ", ")
    throw .refused(
      .tcbStatus,
      "the platform is \(status), and \(words.isEmpty ? "no status" : "only \(words)") is accepted")
  }
}
