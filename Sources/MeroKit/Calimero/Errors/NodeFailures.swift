import Foundation

/// No node could be trusted: what a node presented as its attestation was not accepted.
public struct AttestationFailure: Sendable, Hashable {
  /// Why an attestation was not accepted. Open: a verifier may know more reasons.
  public struct Reason: RawRepresentable, Sendable, Hashable {
    /// The word itself.
    public let rawValue: String

    /// Names a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The node does not attest at all.
    public static let notOffered = Reason(rawValue: "notOffered")
    /// The answer does not have the form of an attestation.
    public static let malformed = Reason(rawValue: "malformed")
    /// A mock quote, where the policy wants real hardware.
    public static let mockRefused = Reason(rawValue: "mockRefused")
    /// The quote's signatures do not hold.
    public static let quoteInvalid = Reason(rawValue: "quoteInvalid")
    /// The platform's security level is not acceptable.
    public static let tcbStatus = Reason(rawValue: "tcbStatus")
    /// The node runs an image that is not a known one.
    public static let measurements = Reason(rawValue: "measurements")
    /// The node does not name a release, or names one that does not exist.
    public static let releaseUnknown = Reason(rawValue: "releaseUnknown")
    /// The release document's signature does not hold.
    public static let releaseInvalid = Reason(rawValue: "releaseInvalid")
    /// The quote speaks of another question, key or cluster.
    public static let reportData = Reason(rawValue: "reportData")
    /// A genuine node, of somebody else's cluster.
    public static let wrongCluster = Reason(rawValue: "wrongCluster")
  }

  /// Why.
  public let reason: Reason
  /// The node's base URL.
  public let node: URL?
  /// What exactly did not hold.
  public let text: String

  /// Describes a refusal to trust a node.
  public init(reason: Reason, node: URL? = nil, text: String) {
    self.reason = reason
    self.node = node
    self.text = text
  }
}

/// The sealed channel to a node cannot be used as the node is configured.
public struct ChannelFailure: Sendable, Hashable {
  /// What is wrong, in words.
  public let reason: String
  /// The sealed channel's own code for it, such as `sealed_required`.
  public let code: String?
  /// The node's base URL.
  public let node: URL?

  /// Describes a channel that cannot be used.
  public init(reason: String, code: String? = nil, node: URL? = nil) {
    self.reason = reason
    self.code = code
    self.node = node
  }
}

/// No node was reached; nothing ran.
public struct Unreachable: Sendable, Hashable {
  /// One try and what ended it.
  public struct Failure: Sendable, Hashable {
    /// The node's base URL.
    public let node: URL
    /// What happened.
    public let cause: String

    /// Describes a failed try.
    public init(node: URL, cause: String) {
      self.node = node
      self.cause = cause
    }
  }

  /// Every try, in order.
  public let failures: [Failure]
  /// The operation's id, when there is one.
  public let operation: String?

  /// Lists the failed tries of one request.
  public init(failures: [Failure], operation: String? = nil) {
    self.failures = failures
    self.operation = operation
  }
}

/// The request was sent, and no answer came: it may or may not have run.
public struct UnknownOutcome: Sendable, Hashable {
  /// What ended the last try.
  public let cause: String
  /// The node it was sent to last.
  public let node: URL?
  /// The request's id, the same for every try.
  public let requestId: String?
  /// The idempotency key that was sent, with which the same request can be repeated safely.
  public let idempotencyKey: String?
  /// The operation's id, when there is one.
  public let operation: String?
  /// Whether the request only reads, or repeating it changes nothing (70 §2.6, class S).
  public let changesNothing: Bool

  /// Describes a request without an answer.
  public init(
    cause: String, node: URL? = nil, requestId: String? = nil, idempotencyKey: String? = nil,
    operation: String? = nil, changesNothing: Bool = false
  ) {
    self.cause = cause
    self.node = node
    self.requestId = requestId
    self.idempotencyKey = idempotencyKey
    self.operation = operation
    self.changesNothing = changesNothing
  }
}
