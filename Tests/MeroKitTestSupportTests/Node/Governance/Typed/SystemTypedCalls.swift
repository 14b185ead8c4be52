import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  static let system: [TypedCall] = [
    TypedCall("GET", "/health") { turn in
      try await turn.expect(HealthStatus(status: "alive")) { try await $0.healthCheck() }
    },
    TypedCall("GET", "/ready") { turn in
      try await turn.expect(HealthStatus(status: "ready")) { try await $0.readinessCheck() }
    },
    TypedCall("GET", "/is-authed") { turn in
      try await turn.expect("alive") { try await $0.isAuthed().data.status }
    },
    TypedCall("GET", "/peers") { turn in
      turn.node.setPeers(3)
      try await turn.expect(3) { try await $0.getPeersCount().count }
    },
    TypedCall("GET", "/network/status") { turn in
      let connected = try await turn.send { try await $0.getNetworkStatus() }
      #expect(connected.localPeerId.hasPrefix("12D3KooW"))
      #expect(connected.listenAddrs == ["/ip4/127.0.0.1/tcp/2428"])
      #expect(connected.autonat?.reachability == .isPrivate)
      turn.node.setPeers(0)
      let alone = try await turn.send { try await $0.getNetworkStatus() }
      #expect(alone.localPeerId == connected.localPeerId)
      #expect(alone.autonat?.reachability == .unknown)
    },
    TypedCall("GET", "/usage") { turn in
      let namespaces = try await turn.send { try await $0.getUsage().namespaces }
      let usage = try #require(namespaces.first)
      #expect(usage.namespaceId == turn.namespace)
      #expect(usage.contextCount == 1)
      #expect(usage.memberCount == 2)
      #expect(usage.subgroupCount == 1)
      let size = try #require(try await turn.read("/contexts/\(turn.context)/storage")["sizeInBytes"]?.uint64)
      #expect(usage.bytes.state == size)
      #expect(usage.bytes.total == size + usage.bytes.delta + usage.bytes.governance)
    },
  ]
}
