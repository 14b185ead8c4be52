import Foundation
import MeroCrypto
import MeroTrust
import MeroWire

/// What `mero attest` found out: everything it prints, and nothing secret.
struct AttestationFinding: Sendable {
  enum Verdict: String, Sendable {
    case trusted, refused, unavailable
  }

  /// The node's URL, or the quote's file.
  let source: String
  /// The policy's name.
  let policy: String
  var verdict: Verdict
  /// Which proof failed, in the word of `TrustRefusal.Reason`.
  var reason: String?
  /// Why it is not trusted, for people.
  var text: String?
  var isMock = false
  var steps: [AttestationStep] = []
  var status: TCBStatus?
  var advisories: [String] = []
  var measurements: Measurements?
  var reportData: [UInt8]?
  var claimedRelease: String?
  var release: String?
  var profile: String?
  var platform: PlatformReport?
  var clusterId: [UInt8]?
  var transportKey: [UInt8]?
  let time: Date

  /// As the commands for a cluster end. A mirror that cannot be asked counts as a node that cannot (70 §2.5).
  var exitCode: Int32 {
    switch verdict {
    case .trusted: ExitCode.success
    case .refused: ExitCode.untrusted
    case .unavailable: ExitCode.unreachable
    }
  }

  /// The SHA-256 of the key that the sealed channel encrypts to, in hex.
  var keyFingerprint: String? { transportKey.map { Hex.encode(SHA256.hash($0)) } }

  /// A finding about something that never got as far as a quote.
  init(source: String, policy: String, verdict: Verdict, reason: String?, text: String, time: Date) {
    self.source = source
    self.policy = policy
    self.verdict = verdict
    self.reason = reason
    self.text = text
    self.time = time
  }

  /// - Parameter genuine: what came of checking a real quote by itself; nil for a mock one.
  init(
    source: String, policy: String, evidence: QuoteEvidence, genuine: Result<DcapVerdict, TrustError>?,
    decision: Result<TrustReport, TrustError>, byRelease: Bool, time: Date
  ) {
    self.source = source
    self.policy = policy
    self.time = time
    claimedRelease = evidence.release
    switch decision {
    case .success(let report):
      verdict = .trusted
      (release, profile) = (report.release, report.profile)
    case .failure(.refused(let refusal)):
      (verdict, reason, text) = (.refused, refusal.reason.rawValue, refusal.text)
    case .failure(.unavailable(let problem)):
      (verdict, text) = (.unavailable, problem)
    }
    guard let genuine else {
      isMock = true
      reportData = try? MockQuote.reportData(of: evidence.quote)
      steps = .ofMock(decision)
      return
    }
    steps = .ofQuote(genuine: genuine, decision: decision, byRelease: byRelease)
    if let quote = try? TDXQuote(evidence.quote) {
      measurements = quote.report.measurements
      reportData = [UInt8](quote.report.reportData)
    }
    if case .success(let verdict) = genuine {
      (status, advisories, platform) = (verdict.status, verdict.advisories, verdict.platform)
    }
  }

  /// Says of a step that it was left out on purpose.
  mutating func markNotChecked(_ stage: TrustStage, _ text: String) {
    steps = steps.map {
      $0.stage == stage && $0.outcome == .passed
        ? AttestationStep(stage: stage, outcome: .notChecked, text: text) : $0
    }
  }

  /// A quote that is genuine is still that of anybody's image.
  mutating func requireImage() {
    guard verdict == .trusted else { return }
    verdict = .refused
    reason = TrustRefusal.Reason.measurements.rawValue
    text =
      "the quote is genuine, but no image was named that it should show: give --releases or --measurements, or "
      + "--any-image if any will do"
    steps = steps.map {
      $0.stage == .measurements
        ? AttestationStep(stage: $0.stage, outcome: .failed, text: "no image was named") : $0
    }
  }
}
