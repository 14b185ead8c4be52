// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// Where a deployer's application stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct SignupState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Operators have not decided.
    public static let pending = SignupState(rawValue: "pending")
    /// The organization may deploy.
    public static let approved = SignupState(rawValue: "approved")
    /// It may not.
    public static let rejected = SignupState(rawValue: "rejected")
    /// Nobody decided in time.
    public static let expired = SignupState(rawValue: "expired")

    /// The words known when this was written, in the document's order.
    public static let known: [SignupState] = [.pending, .approved, .rejected, .expired]
  }

  /// An organization's application to deploy packages.
  public struct DeployerSignup: Codable, Sendable, Hashable {
    /// The application's id.
    public var signupId: String
    /// The organization.
    public var orgId: String
    /// What it wants to deploy.
    public var reason: String?
    /// How to reach it.
    public var contact: String?
    /// Where a deployer's application stands.
    public var state: SignupState
    /// The operators' decision about it.
    public var decisionId: String?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds.
    public var decidedAt: Int64?

    /// Creates one from its fields.
    public init(
      signupId: String,
      orgId: String,
      reason: String? = nil,
      contact: String? = nil,
      state: SignupState,
      decisionId: String? = nil,
      createdAt: Int64,
      decidedAt: Int64? = nil
    ) {
      self.signupId = signupId
      self.orgId = orgId
      self.reason = reason
      self.contact = contact
      self.state = state
      self.decisionId = decisionId
      self.createdAt = createdAt
      self.decidedAt = decidedAt
    }
  }
}
