// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// Where a node stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct NodeState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is copying state.
    public static let joining = NodeState(rawValue: "joining")
    /// It serves.
    public static let active = NodeState(rawValue: "active")
    /// It finishes what it has and takes nothing new.
    public static let draining = NodeState(rawValue: "draining")
    /// It does not answer.
    public static let down = NodeState(rawValue: "down")

    /// The words known when this was written, in the document's order.
    public static let known: [NodeState] = [.joining, .active, .draining, .down]
  }

  /// A node of the cluster.
  public struct ClusterNode: Codable, Sendable, Hashable {
    /// The node's id.
    public var nodeId: String
    /// Its base URL.
    public var url: String
    /// Where a node stands.
    public var state: NodeState
    /// The mero-tee release it runs.
    public var release: String
    /// The core version it runs.
    public var coreVersion: String?
    /// Unix milliseconds when its peers last checked its quote.
    public var attestedAt: Int64
    /// How many changes it is behind, over all apps.
    public var lag: UInt64?
    /// Sealed sessions it holds.
    public var sessions: Int32?

    /// Creates one from its fields.
    public init(
      nodeId: String,
      url: String,
      state: NodeState,
      release: String,
      coreVersion: String? = nil,
      attestedAt: Int64,
      lag: UInt64? = nil,
      sessions: Int32? = nil
    ) {
      self.nodeId = nodeId
      self.url = url
      self.state = state
      self.release = release
      self.coreVersion = coreVersion
      self.attestedAt = attestedAt
      self.lag = lag
      self.sessions = sessions
    }
  }

  /// The cluster's nodes.
  public struct ClusterNodeList: Codable, Sendable, Hashable {
    /// By id.
    public var nodes: [ClusterNode]

    /// Creates one from its fields.
    public init(nodes: [ClusterNode]) {
      self.nodes = nodes
    }
  }
}
