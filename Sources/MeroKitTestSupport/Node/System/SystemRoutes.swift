import MeroHTTP
import MeroWire

/// 20 §5.1.
enum SystemRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/health", "public", health),
    NodeRoute(.get, "/admin-api/ready", "public", ready),
    NodeRoute(.get, "/admin-api/is-authed", "public") { _, _ in .data(["status": "alive"]) },
    NodeRoute(.get, "/admin-api/peers", "token:admin") { state, _ in
      .flat(["count": JSONValue(state.system.peers)])
    },
    NodeRoute(.get, "/admin-api/network/status", "token:admin", networkStatus),
    NodeRoute(.get, "/admin-api/usage", "token:admin", usage),
  ]

  private static let health: NodeHandler = { state, _ in
    guard state.system.isStoreAvailable else { throw unavailable("store_unavailable") }
    return .data(["status": "alive"])
  }

  private static let ready: NodeHandler = { state, _ in
    guard state.system.isStoreAvailable else { throw unavailable("store_unavailable") }
    guard state.system.lifecycle == .ready else { throw unavailable(state.system.lifecycle.rawValue) }
    return .data(["status": "ready"])
  }

  private static func unavailable(_ status: String) -> NodeRefusal {
    NodeRefusal(503, status, .json(["data": ["status": .string(status)]]))
  }

  private static let networkStatus: NodeHandler = { state, exchange in
    let connected = state.system.peers > 0
    return .flat([
      "localPeerId": .string(state.system.peerId), "listenAddrs": ["/ip4/127.0.0.1/tcp/2428"],
      "externalAddrs": [], "relays": [], "rendezvous": [], "directUpgrades": [],
      "autonat": [
        "reachability": connected ? "private" : "unknown", "lastTestAddr": .null, "lastTestResult": .null,
        "lastTestReason": .null, "lastTestObservedAddr": .null, "lastTestAt": .null,
      ],
    ])
  }

  private static let usage: NodeHandler = { state, _ in
    let namespaces = state.governance.namespaceSizes().map { size -> JSONValue in
      let contexts = state.contexts.all.filter { size.groups.contains($0.groupId) }
      let bytes = contexts.reduce(0) { $0 + $1.size }
      let governance = size.groups.count * 256 + size.members * 128
      return [
        "namespaceId": .string(size.id), "contextCount": JSONValue(contexts.count),
        "memberCount": JSONValue(size.members), "subgroupCount": JSONValue(size.groups.count - 1),
        "bytes": [
          "state": JSONValue(bytes), "privateState": 0, "delta": JSONValue(contexts.count * 512),
          "governance": JSONValue(governance),
          "total": JSONValue(bytes + contexts.count * 512 + governance),
        ],
      ]
    }
    return .flat(["namespaces": .array(namespaces)])
  }
}
