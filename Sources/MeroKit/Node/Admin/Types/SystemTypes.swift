/// How a node is.
public struct HealthStatus: Codable, Sendable, Hashable {
  /// `alive` or `ready` when all is well.
  public var status: String

  /// Creates one from its fields.
  public init(status: String) {
    self.status = status
  }
}

/// The whole answer of a node that was reached; it says nothing about a token.
public struct AdminAuthStatus: Codable, Sendable, Hashable {
  /// Always `alive`.
  public var data: HealthStatus

  /// Creates one from its fields.
  public init(data: HealthStatus) {
    self.data = data
  }
}

/// How many peers a node is connected to.
public struct PeersCountResponseData: Codable, Sendable, Hashable {
  /// Zero explains a context that never syncs.
  public var count: Int

  /// Creates one from its fields.
  public init(count: Int) {
    self.count = count
  }
}

/// How a node stands in its peer-to-peer network.
public struct NetworkStatusResponse: Codable, Sendable, Hashable {
  /// The node's own peer id.
  public var localPeerId: String
  /// Addresses it listens on.
  public var listenAddrs: [String]
  /// Addresses others see.
  public var externalAddrs: [String]
  /// Peers that forward connections to it.
  public var relays: [RelayStatusEntry]
  /// Peers that tell others about it.
  public var rendezvous: [RendezvousStatusEntry]
  /// Attempts to replace a forwarded connection by a direct one.
  public var directUpgrades: [DirectUpgradeStatusEntry]
  /// Whether it can be reached from outside.
  public var autonat: AutonatStatusEntry?

  /// Creates one from its fields.
  public init(
    localPeerId: String, listenAddrs: [String], externalAddrs: [String], relays: [RelayStatusEntry],
    rendezvous: [RendezvousStatusEntry], directUpgrades: [DirectUpgradeStatusEntry],
    autonat: AutonatStatusEntry? = nil
  ) {
    self.localPeerId = localPeerId
    self.listenAddrs = listenAddrs
    self.externalAddrs = externalAddrs
    self.relays = relays
    self.rendezvous = rendezvous
    self.directUpgrades = directUpgrades
    self.autonat = autonat
  }
}

/// One peer that forwards connections to a node.
public struct RelayStatusEntry: Codable, Sendable, Hashable {
  /// The peer.
  public var peerId: String
  /// `discovered`, `requested`, `accepted` or `expired`.
  public var reservationStatus: NetworkWord?
  /// RFC 3339.
  public var lastStateChange: String?

  /// Creates one from its fields.
  public init(peerId: String, reservationStatus: NetworkWord? = nil, lastStateChange: String? = nil) {
    self.peerId = peerId
    self.reservationStatus = reservationStatus
    self.lastStateChange = lastStateChange
  }
}

/// One peer that tells others about a node.
public struct RendezvousStatusEntry: Codable, Sendable, Hashable {
  /// The peer.
  public var peerId: String
  /// `discovered`, `requested`, `registered` or `expired`.
  public var registrationStatus: NetworkWord?
  /// RFC 3339.
  public var lastStateChange: String?

  /// Creates one from its fields.
  public init(peerId: String, registrationStatus: NetworkWord? = nil, lastStateChange: String? = nil) {
    self.peerId = peerId
    self.registrationStatus = registrationStatus
    self.lastStateChange = lastStateChange
  }
}

/// One attempt to replace a forwarded connection by a direct one.
public struct DirectUpgradeStatusEntry: Codable, Sendable, Hashable {
  /// The peer.
  public var peerId: String
  /// `succeeded` or `failed`.
  public var status: NetworkWord?
  /// Why it failed.
  public var reason: String?
  /// The connection it was about.
  public var connectionId: String?
  /// RFC 3339.
  public var lastAttempt: String?

  /// Creates one from its fields.
  public init(
    peerId: String, status: NetworkWord? = nil, reason: String? = nil, connectionId: String? = nil,
    lastAttempt: String? = nil
  ) {
    self.peerId = peerId
    self.status = status
    self.reason = reason
    self.connectionId = connectionId
    self.lastAttempt = lastAttempt
  }
}

/// Whether a node can be reached from outside.
public struct AutonatStatusEntry: Codable, Sendable, Hashable {
  /// `unknown`, `public` or `private`.
  public var reachability: NetworkWord?
  /// The address tested last.
  public var lastTestAddr: String?
  /// `reachable` or `failed`.
  public var lastTestResult: NetworkWord?
  /// Why the last test failed.
  public var lastTestReason: String?
  /// The address the tester saw.
  public var lastTestObservedAddr: String?
  /// RFC 3339.
  public var lastTestAt: String?

  /// Creates one from its fields.
  public init(
    reachability: NetworkWord? = nil, lastTestAddr: String? = nil, lastTestResult: NetworkWord? = nil,
    lastTestReason: String? = nil, lastTestObservedAddr: String? = nil, lastTestAt: String? = nil
  ) {
    self.reachability = reachability
    self.lastTestAddr = lastTestAddr
    self.lastTestResult = lastTestResult
    self.lastTestReason = lastTestReason
    self.lastTestObservedAddr = lastTestObservedAddr
    self.lastTestAt = lastTestAt
  }
}

/// What every namespace of a node takes up.
public struct UsageResponse: Codable, Sendable, Hashable {
  /// One entry for each namespace the node is a member of.
  public var namespaces: [NamespaceUsage]

  /// Creates one from its fields.
  public init(namespaces: [NamespaceUsage]) {
    self.namespaces = namespaces
  }
}

/// What one namespace takes up on a node.
public struct NamespaceUsage: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// Contexts in it.
  public var contextCount: Int
  /// Members of it.
  public var memberCount: Int
  /// Groups below its root.
  public var subgroupCount: Int
  /// Estimates of its size.
  public var bytes: NamespaceBytes

  /// Creates one from its fields.
  public init(
    namespaceId: String, contextCount: Int, memberCount: Int, subgroupCount: Int, bytes: NamespaceBytes
  ) {
    self.namespaceId = namespaceId
    self.contextCount = contextCount
    self.memberCount = memberCount
    self.subgroupCount = subgroupCount
    self.bytes = bytes
  }
}

/// The size of a namespace on a node by what it is made of, estimated, in bytes.
public struct NamespaceBytes: Codable, Sendable, Hashable {
  /// State of its contexts.
  public var state: UInt64
  /// State that only this node holds.
  public var privateState: UInt64
  /// Changes kept for peers.
  public var delta: UInt64
  /// The governance log.
  public var governance: UInt64
  /// All of it.
  public var total: UInt64

  /// Creates one from its fields.
  public init(state: UInt64, privateState: UInt64, delta: UInt64, governance: UInt64, total: UInt64) {
    self.state = state
    self.privateState = privateState
    self.delta = delta
    self.governance = governance
    self.total = total
  }
}
