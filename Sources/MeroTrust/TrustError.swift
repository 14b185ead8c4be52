import Foundation

/// Why an attestation was not accepted.
public enum TrustError: Error, Sendable, Hashable {
  /// Something that only moves bytes failed; ask again.
  case unavailable(String)
  /// A proof did not hold. Asking again does not turn this into an acceptance.
  case refused(TrustRefusal)
}

/// What about an attestation does not hold.
public struct TrustRefusal: Sendable, Hashable {
  /// Which proof failed. Open: verifiers may have reasons of their own.
  public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The reason's word.
    public let rawValue: String

    /// The reason that is spelled `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The same as `rawValue`.
    public var description: String { rawValue }

    /// The node offers no attestation that could be checked.
    public static let notOffered = Reason(rawValue: "notOffered")
    /// The attestation cannot be read.
    public static let malformed = Reason(rawValue: "malformed")
    /// A mock quote, where the policy takes none.
    public static let mockRefused = Reason(rawValue: "mockRefused")
    /// The quote's signatures, certificates or collateral do not hold, or nobody is there to check them.
    public static let quoteInvalid = Reason(rawValue: "quoteInvalid")
    /// The platform is not current enough.
    public static let tcbStatus = Reason(rawValue: "tcbStatus")
    /// What runs is not what may run.
    public static let measurements = Reason(rawValue: "measurements")
    /// The node names no release, or one that is unknown.
    public static let releaseUnknown = Reason(rawValue: "releaseUnknown")
    /// The release's signature or contents do not hold.
    public static let releaseInvalid = Reason(rawValue: "releaseInvalid")
    /// The quote was made for another question, key or cluster.
    public static let reportData = Reason(rawValue: "reportData")
    /// A genuine node, but of another cluster.
    public static let wrongCluster = Reason(rawValue: "wrongCluster")
    /// A verifier was set up in a way that makes no sense.
    public static let configuration = Reason(rawValue: "configuration")
  }

  /// Which proof failed.
  public let reason: Reason
  /// The step at which it failed; `nil` when no step of the quote's own checking was reached.
  public let stage: TrustStage?
  /// What exactly, for people.
  public let text: String

  /// A refusal for `reason`.
  public init(reason: Reason, stage: TrustStage? = nil, text: String) {
    self.reason = reason
    self.stage = stage
    self.text = text
  }
}

extension TrustError: CustomStringConvertible, LocalizedError {
  /// What happened, in plain words.
  public var description: String {
    switch self {
    case .unavailable(let text): "the attestation could not be checked now: \(text)"
    case .refused(let refusal): "the attestation was refused (\(refusal.reason)): \(refusal.text)"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A refusal that is about more than one step of checking a quote, or about none.
  static func refused(for reason: TrustRefusal.Reason, _ text: String) -> TrustError {
    .refused(TrustRefusal(reason: reason, text: text))
  }

  /// A refusal at a step of checking a quote.
  static func refused(_ stage: TrustStage, _ text: String) -> TrustError {
    let reason: TrustRefusal.Reason
    switch stage {
    case .tcbLevel, .notRevoked, .tcbStatus: reason = .tcbStatus
    case .release: reason = .releaseInvalid
    case .measurements: reason = .measurements
    case .reportData: reason = .reportData
    default: reason = .quoteInvalid
    }
    return .refused(TrustRefusal(reason: reason, stage: stage, text: text))
  }
}
