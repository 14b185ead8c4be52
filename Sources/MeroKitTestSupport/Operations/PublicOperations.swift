import MeroWire

extension ClusterState {
  static let publicHandlers: [String: Handler] = [
    "public_health": { state, _, x in .answer(200, state.health(of: x.node)) },
    "public_info": { state, _, x in .answer(200, state.info(x)) },
    "public_node_list": { state, _, _ in .answer(200, state.nodeList()) },
  ]

  func health(of node: Int) -> JSONValue {
    [
      "status": "ok", "ready": .bool(nodes[node].state == .active),
      "state": .string(nodes[node].state.rawValue),
    ]
  }

  private func info(_ x: Exchange) -> JSONValue {
    [
      "clusterId": .string(Hex.encode(clusterId)), "name": "local", "apiVersion": "1.0",
      "coreVersion": "1.0.0-rc.10", "release": .string(nodes[x.node].release ?? release),
      "rpId": .string(relyingParty.id),
      "rpName": "Calimero",
      "consentOrigin": .string(consentOrigin), "signup": .string(signup.rawValue), "limits": limits.described,
      "nodeId": .string(nodes[x.node].id), "time": JSONValue(x.now),
    ]
  }

  /// The consent page is on node one; passkeys of `localhost` need that name rather than 127.0.0.1.
  var consentOrigin: String {
    guard let url = nodes.first?.url else { return "http://localhost" }
    let isLocal = relyingParty.id == "localhost" && url.host == "127.0.0.1"
    let port = url.port.map { ":\($0)" } ?? ""
    return "\(url.scheme ?? "http")://\(isLocal ? "localhost" : url.host ?? "localhost")\(port)"
  }

  /// Active nodes first, each group in the cluster's order.
  private func nodeList() -> JSONValue {
    let order = nodes.indices.filter(serves) + nodes.indices.filter { !serves($0) }
    let entries: [JSONValue] = order.map { index in
      [
        "nodeId": .string(nodes[index].id), "url": .string(nodes[index].url.absoluteString),
        "state": .string(nodes[index].seen.rawValue),
      ]
    }
    return ["nodes": .array(entries), "clusterId": .string(Hex.encode(clusterId))]
  }

  static let argumentLimit = 1 << 20
  static let resultLimit = 4 << 20
}

/// What a cluster takes at most (70 §2.28), as `GET /info` tells it.
struct ClusterLimits {
  /// A file put in one request.
  var blobBytes = 32 << 20
  /// One part of an upload.
  var partBytes = 8 << 20

  var described: JSONValue {
    [
      "argsBytes": JSONValue(ClusterState.argumentLimit), "resultBytes": JSONValue(ClusterState.resultLimit),
      "blobBytes": JSONValue(blobBytes), "partBytes": JSONValue(partBytes), "presenceBytes": 16_384,
      "presenceTtlMs": 7000, "eventRetentionMs": JSONValue(EventLog.retention),
      "idempotencyTtlMs": 86_400_000,
    ]
  }
}
