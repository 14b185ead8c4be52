// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// An operator.
  public struct Operator: Codable, Sendable, Hashable {
    /// The operator's Ed25519 key, lower-case hex.
    public var operatorKey: String
    /// A name.
    public var name: String
    /// The account that goes with it.
    public var accountId: String?
    /// Unix milliseconds.
    public var addedAt: Int64

    /// Creates one from its fields.
    public init(operatorKey: String, name: String, accountId: String? = nil, addedAt: Int64) {
      self.operatorKey = operatorKey
      self.name = name
      self.accountId = accountId
      self.addedAt = addedAt
    }
  }

  /// The operator roster.
  public struct OperatorList: Codable, Sendable, Hashable {
    /// By name.
    public var operators: [Operator]
    /// How many approvals a decision takes.
    public var threshold: Int32

    /// Creates one from its fields.
    public init(operators: [Operator], threshold: Int32) {
      self.operators = operators
      self.threshold = threshold
    }
  }
}
