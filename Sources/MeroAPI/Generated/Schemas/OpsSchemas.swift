// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// How the cluster is.
  public struct ClusterStatus: Codable, Sendable, Hashable {
    /// The cluster's id.
    public var clusterId: String
    /// Whether it can take writes.
    public var healthy: Bool
    /// Nodes that serve.
    public var nodes: Int32
    /// Apps.
    public var apps: UInt64
    /// Accounts.
    public var accounts: UInt64
    /// Decisions that wait.
    public var pendingDecisions: Int32
    /// Unix milliseconds.
    public var at: Int64

    /// Creates one from its fields.
    public init(
      clusterId: String,
      healthy: Bool,
      nodes: Int32,
      apps: UInt64,
      accounts: UInt64,
      pendingDecisions: Int32,
      at: Int64
    ) {
      self.clusterId = clusterId
      self.healthy = healthy
      self.nodes = nodes
      self.apps = apps
      self.accounts = accounts
      self.pendingDecisions = pendingDecisions
      self.at = at
    }
  }
}
