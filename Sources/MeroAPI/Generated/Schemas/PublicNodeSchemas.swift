// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A node's address.
  public struct NodeAddress: Codable, Sendable, Hashable {
    /// The node's id.
    public var nodeId: String
    /// Its base URL.
    public var url: String
    /// Where a node stands.
    public var state: NodeState?

    /// Creates one from its fields.
    public init(nodeId: String, url: String, state: NodeState? = nil) {
      self.nodeId = nodeId
      self.url = url
      self.state = state
    }
  }

  /// The cluster's nodes, as addresses. A client attests each before it sends it anything else.
  public struct NodeAddressList: Codable, Sendable, Hashable {
    /// Active nodes first.
    public var nodes: [NodeAddress]
    /// The cluster's id.
    public var clusterId: String

    /// Creates one from its fields.
    public init(nodes: [NodeAddress], clusterId: String) {
      self.nodes = nodes
      self.clusterId = clusterId
    }
  }
}
