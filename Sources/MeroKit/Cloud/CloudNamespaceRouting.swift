import MeroWire

/// A node that serves a namespace, as the cloud knows it (40 §4.1). What it says about itself is advice: heartbeats are
/// late at times.
public struct CloudNamespaceNode: Sendable, Hashable {
  /// How far a node has come with a namespace.
  public struct Status: RawRepresentable, Sendable, Hashable {
    /// The word of the cloud.
    public let rawValue: String
    /// The status of this word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It is meant to serve the namespace.
    public static let assigned = Status(rawValue: "assigned")
    /// It serves the namespace.
    public static let active = Status(rawValue: "active")
  }

  /// The node's id on the network.
  public let peerId: String
  /// The node's own account, as the cloud has it.
  public let account: String?
  /// Its address as a relay; nil while it has none.
  public let relayUrl: String?
  /// Where a join is posted; nil for the usual path at the relay.
  public let admitUrl: String?
  /// How far it has come.
  public let status: Status
  /// Whether it was heard of lately.
  public let fresh: Bool
  /// Whether it can admit members.
  public let canAdmit: Bool
  /// Whether it was granted to write for members.
  public let authorshipReady: Bool
  /// What it is among nodes in trusted hardware, such as `RelayTee`.
  public let teeRole: String?
  /// Whether it can write for members now.
  public let canExecute: Bool

  /// A node of these parts.
  public init(
    peerId: String = "", account: String? = nil, relayUrl: String? = nil, admitUrl: String? = nil,
    status: Status = .assigned, fresh: Bool = false, canAdmit: Bool = false, authorshipReady: Bool = false,
    teeRole: String? = nil, canExecute: Bool = false
  ) {
    self.peerId = peerId
    self.account = account
    self.relayUrl = relayUrl
    self.admitUrl = admitUrl
    self.status = status
    self.fresh = fresh
    self.canAdmit = canAdmit
    self.authorshipReady = authorshipReady
    self.teeRole = teeRole
    self.canExecute = canExecute
  }

  init(_ row: JSONValue) {
    let account = row.filled("account")
    let relay = row.filled("relay_url")
    // Older clouds do not say it, and it follows from what they do say.
    let follows = row.isTrue("authorship_ready") && relay != nil && account != nil && row.isTrue("fresh")
    self.init(
      peerId: row.filled("peer_id") ?? "", account: account, relayUrl: relay,
      admitUrl: row.filled("admit_url"), status: Status(rawValue: row.filled("status") ?? ""),
      fresh: row.isTrue("fresh"), canAdmit: row.isTrue("can_admit"),
      authorshipReady: row.isTrue("authorship_ready"), teeRole: row.filled("tee_role"),
      canExecute: row["can_execute"] == nil ? follows : row.isTrue("can_execute"))
  }
}

/// The nodes that serve a namespace, the usable ones first, and whether it can be reached through them.
public struct CloudNamespaceRouting: Sendable, Hashable {
  /// The namespace, 64 hex.
  public let namespaceId: String
  /// In the cloud's order. Those that cannot be used are among them: a relay that is down and no relay at all need
  /// different things from a person.
  public let nodes: [CloudNamespaceNode]
  /// Whether a node can admit members.
  public let servable: Bool
  /// Whether a node can write for members.
  public let writable: Bool

  /// A routing of these parts.
  public init(
    namespaceId: String, nodes: [CloudNamespaceNode] = [], servable: Bool = false, writable: Bool = false
  ) {
    self.namespaceId = namespaceId
    self.nodes = nodes
    self.servable = servable
    self.writable = writable
  }

  init(_ answer: JSONValue, namespaceId: String) throws(AccountError) {
    guard let rows = answer["admitters"]?.arrayValue else {
      throw .protocolViolation("the cloud's answer has no list of nodes")
    }
    self.init(
      namespaceId: namespaceId, nodes: rows.map { CloudNamespaceNode($0) },
      servable: answer.isTrue("servable"), writable: answer.isTrue("writable"))
  }
}
