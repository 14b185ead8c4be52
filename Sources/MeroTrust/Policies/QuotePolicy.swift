import MeroHTTP

/// Decides about a node's quote (50 §4, 70 §2.5).
package enum QuotePolicy {
  /// Accepts the evidence under `policy` or throws `TrustError`; what `verifier` throws passes through.
  ///
  /// A mock quote is decided here. A real one is `verifier`'s to check; its verdict is then held to the policy, and the
  /// report data is compared here too, in case the verifier does not look.
  ///
  /// - Parameters:
  ///   - verifier: nil means a ``DcapVerifier`` for the images of the policy, under `roots`.
  ///   - releases: where such a verifier looks up signed releases; nil means that no release is known.
  package static func verify(
    _ evidence: QuoteEvidence, policy: TeePolicy, verifier: (any QuoteVerifier)?,
    releases: (any ReleaseTrust)? = nil, roots: TrustRoots = .builtIn, clock: MeroClock
  ) async throws -> TrustReport {
    if MockQuote.isMock(evidence.quote) {
      guard policy.acceptsMock(host: evidence.host) else {
        throw TrustError.refused(
          for: .mockRefused,
          "\(evidence.host) answered with a mock quote, which this policy does not accept from there")
      }
      try evidence.require(try MockQuote.reportData(of: evidence.quote))
      return TrustReport(
        isMock: true, release: evidence.release, passed: [.reportData], verifiedAt: clock.now())
    }
    try evidence.require(try TDXQuote.reportData(of: evidence.quote))
    let verifier = try verifier ?? policy.verifier(releases: releases, roots: roots, clock: clock)
    let report = try await verifier.verify(evidence)
    try hold(report, to: policy)
    try await holdToChosenReleases(report, policy, root: roots.releases)
    return report
  }

  /// A verifier of the caller's own may know nothing of the releases that the policy names.
  private static func holdToChosenReleases(
    _ report: TrustReport, _ policy: TeePolicy, root: SigstoreRoot
  ) async throws {
    guard let releases = policy.chosenReleases(root: root) else { return }
    let images = try await releases.images(ofRelease: nil)
    guard let image = images.first(where: { $0.measurements == report.measurements }) else {
      throw TrustError.refused(.measurements, "what runs is none of the releases of the policy")
    }
    guard let status = report.status, image.acceptedStatuses.contains(status) else {
      throw TrustError.refused(.tcbStatus, "the platform is in a state that the releases do not accept")
    }
  }

  private static func hold(_ report: TrustReport, to policy: TeePolicy) throws(TrustError) {
    guard !report.isMock else {
      throw .refused(for: .quoteInvalid, "the verifier took a quote that is not a mock one for a mock one")
    }
    if let images = policy.images {
      guard let measurements = report.measurements, images.contains(measurements) else {
        throw .refused(.measurements, "what runs is none of the images of the policy")
      }
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
