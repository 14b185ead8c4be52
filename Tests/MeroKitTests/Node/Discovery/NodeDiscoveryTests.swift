import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Finding a node")
struct NodeDiscoveryTests {
  @Test(
    "an answer is that of a healthy node when its vector says so", arguments: NodeVectors.group("discovery"))
  func health(vector: NodeVector) async throws {
    let status = try #require(vector["status"]?.int)
    let node = ScriptedNode { _ in .status(status, body: vector["body"].text) }
    let healthy = await probeNodeHealth("http://localhost:2428/prefix/", transport: node)
    #expect(healthy == vector["expectHealthy"]?.boolValue)
    #expect(node.requests.map(\.url.absoluteString) == ["http://localhost:2428/prefix/admin-api/health"])
    #expect(node.requests[0].headers["authorization"] == nil)
  }

  @Test("all ports are asked, and the healthy ones come in the order of the list")
  func ports() async {
    let node = ScriptedNode { request in
      switch request.url.port {
      case 2528: return .json(["data": ["status": "alive"]])
      case 2428: return .status(500)
      case 2429: throw TransportError(kind: .cannotConnect, text: "refused", mayHaveBeenSent: false)
      default: return .json([:])
      }
    }
    #expect(await discoverLocalNodes(transport: node) == ["http://localhost:2528", "http://localhost:2529"])
    #expect(Set(node.requests.compactMap(\.url.port)) == Set(defaultLocalNodePorts))
    #expect(node.requests.count == 4)
    #expect(
      await discoverLocalNodes(ports: [2529, 2528], transport: node).map { $0.suffix(4) } == ["2529", "2528"])
    #expect(await discoverLocalNodes(ports: [], transport: node) == [])
  }

  @Test("a port that does not answer within two seconds holds nobody up")
  func silence() async {
    let clock = FakeClock()
    let node = ScriptedNode { request in
      if request.url.port == 2428 { try await clock.sleep(1000) }
      return .json([:])
    }
    let search = Task { await discoverLocalNodes(ports: [2428, 2429], transport: node, clock: clock.clock) }
    #expect(await eventually { node.requests.count == 2 })
    #expect(await eventually { clock.sleeperCount >= 2 })
    await clock.advance(by: 2)
    #expect(await search.value == ["http://localhost:2429"])
  }

  @Test("an address that was typed is a node's when it says so, or when something guards it")
  func typed() async {
    for (status, body, isNode) in [
      (200, #"{"data":{"status":"alive"}}"#, true), (200, #"{"status":"alive"}"#, false),
      (200, "<html>", false),
      (401, "", true), (404, "", false), (403, "", false),
    ] {
      let node = ScriptedNode { _ in .status(status, body: body) }
      #expect(await isNodeAddress("https://n.example", transport: node) == isNode)
      #expect(node.requests.map(\.url.path) == ["/admin-api/is-authed"])
    }
    let away = ScriptedNode { _ in throw TransportError(kind: .tls, text: "", mayHaveBeenSent: false) }
    #expect(await !isNodeAddress("https://n.example", transport: away))
    #expect(await !isNodeAddress("not an address", transport: away))
  }

  @Test("a path below an address keeps the address's own path")
  func endpoint() {
    #expect(
      nodeEndpoint("https://h.example/node1/", "/admin-api/health")
        == "https://h.example/node1/admin-api/health")
    #expect(localNodeUrl(2428) == "http://localhost:2428")
  }
}

@Suite("What a member may do")
struct CapabilitiesTests {
  private static let names: [(String, UInt32)] = [
    ("canCreateContext", Capabilities.canCreateContext), ("canInviteMembers", Capabilities.canInviteMembers),
    ("canJoinOpenSubgroups", Capabilities.canJoinOpenSubgroups),
    ("manageMembers", Capabilities.manageMembers),
    ("manageApplication", Capabilities.manageApplication),
    ("canCreateSubgroup", Capabilities.canCreateSubgroup),
    ("canDeleteSubgroup", Capabilities.canDeleteSubgroup),
    ("canManageVisibility", Capabilities.canManageVisibility),
    ("canManageMetadata", Capabilities.canManageMetadata),
    ("canAuthorOnBehalf", Capabilities.canAuthorOnBehalf),
  ]

  @Test("each bit is the vector's, and 231 is what founding grants")
  func bits() throws {
    let vector = try #require(NodeVectors.all["capabilities"])
    #expect(Self.names.map(\.0) == vector["bits"]?.objectValue?.keys)
    for (name, bit) in Self.names {
      #expect(bit == vector["bits"]?[name].flatMap { UInt32(exactly: $0.int ?? -1) })
    }
    let founding = vector["mask231"]?.arrayValue?.compactMap(\.stringValue) ?? []
    #expect(Self.names.filter { Capabilities.hasCap(231, $0.1) }.map(\.0) == founding)
  }

  @Test("bits without a name are kept, and a mask has a capability only with all of its bits")
  func masks() {
    let unknown: UInt32 = 1 << 31
    #expect(Capabilities.withCap(unknown, Capabilities.canInviteMembers) == unknown | 2)
    #expect(Capabilities.withoutCap(unknown | 3, 2) == unknown | 1)
    #expect(!Capabilities.hasCap(2, 3))
    #expect(Capabilities.hasCap(0, 0))
  }
}
