import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

/// Statements of 70 §2.27 over real sockets on a clock that runs. The others are in SocketStatementTests of MeroKitTests.
@Suite("What must be shown to work, over sockets and in real time", .timeLimit(.minutes(2)))
struct ClusterStatementTests {
  @Test("70 §2.27 #2: no inner request reaches a node in the clear")
  func sealedOnly() async throws {
    try await withApp { world in
      _ = try await world.client.call(world.app, "send_message", ["message": "hi"])
      let outer = world.cloud.log.outer
      #expect(!outer.isEmpty)
      #expect(outer.allSatisfy { $0.isSealed || $0.path == "/tee/attest" })
    }
  }

  @Test(
    "70 §2.27 #4: with the base node down the first call lands on the second, and later ones go there directly"
  )
  func baseDown() async throws {
    try await withApp { world in
      await world.cluster.stopNode(0)
      for number in 0..<3 {
        _ = try await world.client.call(world.app, "send_message", ["message": .string("\(number)")])
      }
      let calls = world.cloud.log.requests("app_call")
      #expect(calls.map(\.node) == [1, 1, 1])
      #expect(calls.map(\.attempt) == [2, 1, 1])
    }
  }

  @Test("70 §2.27 #5: 503 twice, then success: same id and key, attempts 1 to 3, one run")
  func busyTwice() async throws {
    try await withApp { world in
      for node in world.cloud.nodes.prefix(2) { node.answer(503, "OVERLOADED", operation: "app_call") }
      _ = try await world.client.call(world.app, "send_message", ["message": "hi"])
      let calls = world.cloud.log.requests("app_call")
      #expect(calls.map(\.attempt) == [1, 2, 3])
      #expect(Set(calls.map(\.requestId)).count == 1 && Set(calls.map(\.idempotencyKey)).count == 1)
      #expect(world.cloud.runs(of: "send_message", in: world.app) == 1)
    }
  }

  @Test("70 §2.27 #11: 50 calls at once with an access token that is over make one refresh, and all succeed")
  func refresh() async throws {
    try await withApp { world in
      world.cloud.nodes[0].answer(401, "TOKEN_EXPIRED", times: 50, operation: "app_view")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask { _ = try await world.client.view(world.app, "get_messages") }
        }
        try await group.waitForAll()
      }
      #expect(world.cloud.log.requests("auth_refresh").count == 1)
    }
  }

  @Test("70 §2.27 #17: what one sets is there for another, and gone when it is cleared")
  func presence() async throws {
    try await withApp { world in
      let presence = world.client.presence(world.app)
      try await presence.set(["typing": true])
      let other = world.makeClient()
      try await other.signIn(world.passkey)
      var seen: [Bool] = []
      for try await entries in other.presence(world.app).entries(as: JSONValue.self) {
        let isThere = entries.contains { !$0.isMine && $0.state?["typing"] == true }
        if isThere != seen.last { seen.append(isThere) }
        if seen.last == true { await presence.clear() }
        if seen.suffix(2) == [true, false] { break }
      }
      #expect(seen.suffix(2) == [true, false])
      await other.close()
    }
  }

  @Test("70 §2.27 #18: a file in parts goes up and comes down, and a flipped byte is an integrity error")
  func blobs() async throws {
    try await withApp { world in
      world.cloud.setFileLimits(oneRequest: 1 << 20, part: 1 << 18)
      let bytes = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) })
      let blob = try await world.client.blobs(world.app).put(bytes, name: "film")
      #expect(try await world.client.blobs(world.app).get(blob.blobId) == bytes)
      world.cloud.corrupt(blob: blob.blobId, of: world.app, at: 1_000_000)
      do {
        _ = try await world.client.blobs(world.app).get(blob.blobId)
        Issue.record("a flipped byte was handed out")
      } catch CalimeroError.integrity {
      }
    }
  }

  @Test(
    "70 §2.27 #27: cancelling a task closes its socket and comes back while the node still holds the request")
  func cancelling() async throws {
    let cloud = FakeCloud(nodes: 1)
    let (came, left, letGo) = (Signal(), Signal(), Signal())
    let holds = Locked(false)
    let node = cloud.nodes[0]
    let listener = HTTPListener(port: 0) { request in
      if holds.withLock({ $0 }) {
        came.fire()
        // Whoever left, this waits on: what comes back to the client comes from its own side.
        await withTaskCancellationHandler {
          await letGo.wait()
        } onCancel: {
          left.fire()
        }
      }
      return try await node.handle(request)
    }
    let url = try #require(URL(string: "http://127.0.0.1:\(try listener.start())"))
    cloud.rememberOrigins([url])
    let client = CalimeroClient(CalimeroClientOptions(baseUrl: url.absoluteString, policy: .development))
    _ = try await client.info()

    holds.withLock { $0 = true }
    let waiting = Task { try await client.info() }
    await came.wait()
    waiting.cancel()
    await #expect(throws: CalimeroError.cancelled) { _ = try await waiting.value }
    await left.wait()
    #expect(!letGo.hasFired)
    holds.withLock { $0 = false }
    _ = try await client.info()
    letGo.fire()
    await client.close()
    await listener.stop()
    #expect(cloud.violations.isEmpty)
  }

  // MARK: The world

  private struct World: Sendable {
    let cluster: LocalCluster
    let client: CalimeroClient
    let app: String
    let passkey: SoftPasskey
    let urls: [String]

    var cloud: FakeCloud { cluster.cloud }

    func makeClient() -> CalimeroClient {
      CalimeroClient(
        CalimeroClientOptions(baseUrl: urls[0], nodes: Array(urls.dropFirst()), policy: .development))
    }
  }

  /// A cluster of three nodes on free ports, and a client of it with an app.
  private func withApp(
    package: FakePackage = .chat, _ test: (World) async throws -> Void
  ) async throws {
    let cluster = LocalCluster(ports: [0, 0, 0], cloud: FakeCloud(nodes: 3))
    cluster.cloud.register(package)
    try await cluster.start()
    do {
      let urls = await cluster.nodeURLs.map(\.absoluteString)
      let client = CalimeroClient(
        CalimeroClientOptions(baseUrl: urls[0], nodes: Array(urls.dropFirst()), policy: .development))
      let passkey = SoftPasskey()
      try await client.signUp(passkey, name: "ada")
      let org = try await client.orgs.create(name: "Acme").orgId
      let app = try await client.apps.create(name: "app", package: package.name, org: org).appId
      cluster.cloud.clearLog()
      try await test(World(cluster: cluster, client: client, app: app, passkey: passkey, urls: urls))
      #expect(cluster.cloud.violations.isEmpty)
      #expect(cluster.cloud.unfitRequests == [])
      await client.close()
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }
}
