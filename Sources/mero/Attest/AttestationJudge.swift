import Foundation
import MeroHTTP
import MeroTrust

/// Decides about evidence as a client would, and finds out how far it holds when it does not.
struct AttestationJudge: Sendable {
  let images: ImageChoice
  let allowsMock: Bool
  let statuses: [TCBStatus]?
  let root: QuoteRoot
  let time: Date

  /// Refuses combinations that no policy stands for.
  func requireSense() throws(UsageError) {
    guard allowsMock else { return }
    if statuses != nil { throw UsageError("--tcb goes with the policy production") }
    if case .images = images { throw UsageError("--measurements goes with the policy production") }
  }

  func finding(
    on evidence: QuoteEvidence, source: String, policy name: String
  ) async throws -> AttestationFinding {
    var byRelease = false
    if case .releases = images { byRelease = true }
    return AttestationFinding(
      source: source, policy: name, evidence: evidence,
      genuine: MockQuote.isMock(evidence.quote) ? nil : genuine(evidence),
      decision: try await decision(evidence), byRelease: byRelease, time: time)
  }

  /// Whether the quote holds by itself, whatever the policy makes of it.
  private func genuine(_ evidence: QuoteEvidence) -> Result<DcapVerdict, TrustError> {
    do throws(TrustError) {
      try TDXQuote(evidence.quote).header.requireIntelECDSA()
      guard let collateral = evidence.collateral else {
        throw .refused(
          TrustRefusal(reason: .quoteInvalid, stage: .collateral, text: "there is no collateral"))
      }
      return .success(
        try DcapVerification(root: root).verify(
          evidence.quote, try QuoteCollateral(parsing: collateral), at: time))
    } catch {
      return .failure(error)
    }
  }

  private func decision(_ evidence: QuoteEvidence) async throws -> Result<TrustReport, TrustError> {
    let time = time
    let clock = MeroClock(now: { time }, uptime: MeroClock.system.uptime, sleep: MeroClock.system.sleep)
    do {
      var releases: (any ReleaseTrust)?
      if case .releases(let trust) = images { releases = trust }
      return .success(
        try await QuotePolicy.verify(
          evidence, policy: policy(for: evidence), verifier: nil, releases: releases,
          roots: TrustRoots(quotes: root), clock: clock))
    } catch let error as TrustError {
      return .failure(error)
    }
  }

  private func policy(for evidence: QuoteEvidence) -> TeePolicy {
    let listed: [Measurements]
    switch images {
    case .releases: return allowsMock ? .development : statuses.map { .production(tcb: $0) } ?? .production
    case .images(let images): listed = images
    case .any: listed = (try? TDXQuote(evidence.quote)).map { [$0.report.measurements] } ?? []
    }
    return .measurements(listed, tcb: statuses ?? [.upToDate])
  }
}
