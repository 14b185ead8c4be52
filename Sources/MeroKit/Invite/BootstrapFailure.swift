import Foundation

/// Why an account without a node could not join (40 §3.2, §15.4). The step says what to do.
public struct BootstrapFailure: Error, Sendable, Hashable {
  /// Where the join ended.
  public enum Step: String, Sendable, Hashable, CaseIterable {
    /// The cloud could not be asked; try again.
    case admittersLookup = "admitters-lookup"
    /// The cloud knows no node that serves the namespace.
    case noNodes = "no-nodes"
    /// The invitation names none of the nodes that serve it; only a fresh one helps.
    case notInvited = "not-invited"
    /// Kept for switches that name it; nothing ends here.
    case invitedUnreachable = "invited-unreachable"
    /// The nodes have not reported an address yet; try shortly.
    case noRelayURL = "no-relay-url"
    /// The join could not be signed.
    case sign
    /// The node refused, or could not be reached.
    case admit
    /// Nobody is signed in.
    case noCredential = "no-credential"
  }

  /// Where the join ended.
  public let step: Step
  /// Why, in words.
  public let reason: String
  /// The node's status, when it answered.
  public let status: Int?

  /// A failure at a step.
  public init(step: Step, reason: String, status: Int? = nil) {
    self.step = step
    self.reason = reason
    self.status = status
  }
}

extension BootstrapFailure: CustomStringConvertible, LocalizedError {
  /// What happened, and what to do.
  public var description: String {
    switch step {
    case .admittersLookup: "the cloud could not be asked who may let you in; try again (\(reason))"
    case .noNodes:
      "the namespace is not hosted: whoever invited you must have it hosted, or let you in through a node"
    case .notInvited: "the invitation names none of the nodes that serve the namespace; ask for a fresh one"
    case .noRelayURL: "the node that may let you in has not reported its address yet; try again shortly"
    case .sign: "the join could not be signed: \(reason)"
    case .admit: "the node did not let you in: \(reason)"
    case .noCredential: "sign in first"
    case .invitedUnreachable: reason
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension BootstrapFailure: InviteRefusal {
  package var inviteStatus: Int? { status }
  package var inviteMessage: String? { step == .admit ? reason : description }
  package var inviteFailure: InviteFailure? {
    guard status == nil else { return nil }
    switch step {
    case .notInvited: return InviteFailure(.refused, isRetryable: false)
    case .sign: return InviteFailure(.unknown, isRetryable: false)
    case .noCredential: return InviteFailure(.signedOut, isRetryable: true)
    default: return InviteFailure(.unknown, isRetryable: true)
    }
  }
}

extension AccountError: InviteRefusal {
  package var inviteStatus: Int? {
    switch self {
    case .intentRefused(_, _, let status), .haRefused(_, let status, _): status
    default: nil
    }
  }

  package var inviteMessage: String? {
    if case .intentRefused(let reason, _, _) = self { reason } else { description }
  }

  package var inviteFailure: InviteFailure? {
    if case .notSignedIn = self { InviteFailure(.signedOut, isRetryable: true) } else { nil }
  }
}
