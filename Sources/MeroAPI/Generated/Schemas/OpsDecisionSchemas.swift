// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// Where a decision stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct DecisionState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits for operators.
    public static let pending = DecisionState(rawValue: "pending")
    /// Enough operators approved it.
    public static let approved = DecisionState(rawValue: "approved")
    /// An operator rejected it.
    public static let rejected = DecisionState(rawValue: "rejected")
    /// Its time is over.
    public static let expired = DecisionState(rawValue: "expired")

    /// The words known when this was written, in the document's order.
    public static let known: [DecisionState] = [.pending, .approved, .rejected, .expired]
  }

  /// What an operator says.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct Verdict: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Yes.
    public static let approve = Verdict(rawValue: "approve")
    /// No; one is enough.
    public static let reject = Verdict(rawValue: "reject")

    /// The words known when this was written, in the document's order.
    public static let known: [Verdict] = [.approve, .reject]
  }

  /// One operator's word on a decision.
  public struct DecisionVote: Codable, Sendable, Hashable {
    /// The operator's Ed25519 key, lower-case hex.
    public var operatorKey: String
    /// What an operator says.
    public var verdict: Verdict
    /// Why.
    public var reason: String?
    /// Unix milliseconds.
    public var at: Int64
    /// The operator's signature over the vote request, base64url without padding.
    public var signature: String

    /// Creates one from its fields.
    public init(operatorKey: String, verdict: Verdict, reason: String? = nil, at: Int64, signature: String) {
      self.operatorKey = operatorKey
      self.verdict = verdict
      self.reason = reason
      self.at = at
      self.signature = signature
    }
  }

  /// Something operators decide together.
  public struct Decision: Codable, Sendable, Hashable {
    /// The decision's id.
    public var decisionId: String
    /// What it is about: deployer.approve, deployment.approve, release.allow, operator.add, operator.remove,
    /// account.suspend, org.suspend.
    public var kind: String
    /// The id it is about.
    public var subject: String
    /// One line a person can check.
    public var summary: String?
    /// The facts.
    public var payload: JSONValue?
    /// Where a decision stands.
    public var state: DecisionState
    /// How many approvals it takes.
    public var threshold: Int32
    /// Oldest first.
    public var votes: [DecisionVote]
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds.
    public var expiresAt: Int64

    /// Creates one from its fields.
    public init(
      decisionId: String,
      kind: String,
      subject: String,
      summary: String? = nil,
      payload: JSONValue? = nil,
      state: DecisionState,
      threshold: Int32,
      votes: [DecisionVote],
      createdAt: Int64,
      expiresAt: Int64
    ) {
      self.decisionId = decisionId
      self.kind = kind
      self.subject = subject
      self.summary = summary
      self.payload = payload
      self.state = state
      self.threshold = threshold
      self.votes = votes
      self.createdAt = createdAt
      self.expiresAt = expiresAt
    }
  }

  /// A page of decisions.
  public struct DecisionList: Codable, Sendable, Hashable {
    /// Newest first.
    public var decisions: [Decision]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(decisions: [Decision], nextCursor: String? = nil) {
      self.decisions = decisions
      self.nextCursor = nextCursor
    }
  }
}
