import MeroTrust

/// One step of checking an attestation, and what came of it.
struct AttestationStep: Sendable, Equatable {
  enum Outcome: String, Sendable {
    case passed, failed, notReached, notChecked
  }

  let stage: TrustStage
  let outcome: Outcome
  /// Why it failed, or was not checked.
  var text: String?

  /// What the step is about, for people.
  var words: String {
    switch stage {
    case .quoteFormat: "the quote is whole, of a known version, and about a trust domain"
    case .collateral: "what Intel signed about the platform came with it and can be read"
    case .revocationLists: "Intel's lists of revoked certificates are signed and current"
    case .tcbInfo: "what Intel says about platforms of this kind is signed and current"
    case .qeIdentity: "what Intel says about its quoting enclave is signed and current"
    case .pckChain: "the platform's certificate leads to the root; none is expired or revoked"
    case .qeReportSignature: "the platform's key signed the report of the quoting enclave"
    case .qeReportData: "the quoting enclave vouches for the key that signed the quote"
    case .quoteSignature: "the quote is signed with that key"
    case .qeReport: "the quoting enclave is Intel's and no debug build"
    case .tcbLevel: "the platform's patches are at a level that Intel knows"
    case .tdxModule: "the TDX module is Intel's and at a level that Intel knows"
    case .notRevoked: "nothing of the platform is revoked"
    case .tdAttributes: "the trust domain is closed: no debugging, no moving, no looking in"
    case .reportData: "the quote was made for our question, this key and this cluster"
    case .release: "the release is signed and recent enough"
    case .measurements: "all five registers are those of one accepted image"
    case .tcbStatus: "the platform's status is an accepted one"
    default: stage.rawValue
    }
  }
}

extension [AttestationStep] {
  /// The steps of a mock quote: only whom it was made for can be checked.
  static func ofMock(_ decision: Result<TrustReport, TrustError>) -> [AttestationStep] {
    switch decision {
    case .success: [AttestationStep(stage: .reportData, outcome: .passed)]
    case .failure(.refused(let refusal)) where refusal.stage == .reportData:
      [AttestationStep(stage: .reportData, outcome: .failed, text: refusal.text)]
    case .failure: [AttestationStep(stage: .reportData, outcome: .notReached)]
    }
  }

  /// The steps of a real quote.
  ///
  /// - Parameters:
  ///   - genuine: what came of checking the quote itself.
  ///   - decision: what the policy made of all.
  ///   - byRelease: whether images are those of releases, which are looked up before the status is judged.
  static func ofQuote(
    genuine: Result<DcapVerdict, TrustError>, decision: Result<TrustReport, TrustError>, byRelease: Bool
  ) -> [AttestationStep] {
    let rest: [TrustStage] =
      byRelease
      ? [.reportData, .release, .measurements, .tcbStatus] : [.reportData, .tcbStatus, .measurements]
    var failure: TrustError?
    if case .failure(let error) = decision { failure = error }
    guard case .failure(let flaw) = genuine else {
      return walk(DcapVerdict.stages, failure: nil) + walk(rest, failure: failure)
    }
    let own = walk(DcapVerdict.stages, failure: flaw)
    // Whom the quote was made for is compared first, so it can be known to be wrong although more is.
    return own
      + rest.map { stage in
        guard stage == .reportData, failure?.stage == .reportData else {
          return AttestationStep(stage: stage, outcome: .notReached)
        }
        return AttestationStep(stage: stage, outcome: .failed, text: failure?.text)
      }
  }

  private static func walk(_ stages: [TrustStage], failure: TrustError?) -> [AttestationStep] {
    guard let failure else { return stages.map { AttestationStep(stage: $0, outcome: .passed) } }
    let failed = stages.firstIndex { $0 == failure.stage }
    return stages.enumerated().map { index, stage in
      guard let failed, index <= failed else { return AttestationStep(stage: stage, outcome: .notReached) }
      return index < failed
        ? AttestationStep(stage: stage, outcome: .passed)
        : AttestationStep(stage: stage, outcome: .failed, text: failure.text)
    }
  }
}

extension TrustError {
  /// The step at which it happened. Only a release is ever fetched, so that is what can be unavailable.
  fileprivate var stage: TrustStage? {
    guard case .refused(let refusal) = self else { return .release }
    switch refusal.reason {
    case .releaseUnknown, .releaseInvalid: return .release
    default: return refusal.stage
    }
  }

  var text: String {
    switch self {
    case .unavailable(let text): text
    case .refused(let refusal): refusal.text
    }
  }
}
