import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

@Suite("Which nodes a client talks to")
struct EngineTrustTests {
  @Test(
    "70 §2.27 #2: a node with a bad quote receives nothing but the attestation request, and the error says so",
    arguments: [
      (FakeCloudNode.BadQuote.wrongNonce, AttestationFailure.Reason.reportData), (.wrongKey, .reportData),
      (.wrongCluster, .wrongCluster), (.unsigned, .quoteInvalid), (.malformed, .quoteInvalid),
    ])
  func badQuotes(quote: FakeCloudNode.BadQuote, reason: AttestationFailure.Reason) async {
    let rig = EngineRig()
    for node in rig.cloud.nodes { node.badQuote(quote) }
    let client = rig.client { $0.clusterId = Hex.encode(rig.cloud.clusterId) }
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == reason)
    #expect(rig.cloud.log.inner.isEmpty)
    #expect(rig.cloud.log.outer.map(\.path) == ["/tee/attest", "/tee/attest", "/tee/attest"])
  }

  @Test("70 §2.27 #2: one bad node is left out and the others serve")
  func oneBadNode() async throws {
    let rig = EngineRig()
    rig.cloud.nodes[0].badQuote(.wrongKey)
    let client = rig.client()
    _ = try await client.info()
    _ = try await client.info()
    #expect(rig.cloud.log.outer.filter { $0.node == 0 }.map(\.path) == ["/tee/attest"])
    #expect(rig.cloud.log.inner.map(\.node) == [1, 1])
    let states = await client.nodeStates()
    guard case .refused(let failure, let seconds) = states[0].trust else {
      Issue.record("not refused")
      return
    }
    #expect(failure.attestationReason == .reportData)
    #expect(seconds == 300)
    #expect(states[1].isCurrent)
  }

  @Test("70 §2.27 #2: no inner request goes out in the clear")
  func nothingInTheClear() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.call(app, "send_message", ["message": "hi"])
    _ = try await client.view(app, "get_messages")
    #expect(rig.cloud.log.outer.allSatisfy { $0.isSealed || $0.path == "/tee/attest" })
    #expect(rig.cloud.log.inner.count == 2)
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #2: a genuine node of another cluster gets nothing but the attestation request")
  func otherCluster() async throws {
    let rig = EngineRig(nodes: 1)
    let other = FakeCloud(nodes: 1, clock: rig.clock.clock, seed: 99)
    let strange = try #require(URL(string: "http://127.0.0.1:2601"))
    other.rememberOrigins([strange])
    let (cloud, both) = (rig.cloud.transport, other.transport)
    let client = rig.client {
      $0.nodes = [strange.absoluteString]
      $0.transport = Router { $0.url.port == 2601 ? both : cloud }
    }
    _ = try await client.info()
    rig.cloud.nodes[0].down()
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == .wrongCluster)
    #expect(other.log.inner.isEmpty)
    #expect(other.log.outer.map(\.path) == ["/tee/attest"])
  }

  @Test("70 §2.27 #3: a mock quote is refused under production, on loopback too")
  func mockInProduction() async {
    let rig = EngineRig()
    let client = rig.client { $0.policy = .production }
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == .mockRefused)
    #expect(rig.cloud.log.inner.isEmpty)
  }

  @Test(
    "70 §2.27 #3: under development a mock quote is refused from a host that is not loopback, unless it is named"
  )
  func mockFromAfar() async throws {
    let rig = EngineRig(nodes: 1)
    rig.cloud.rememberOrigins([try #require(URL(string: "http://desk.example:2501"))])
    let client = rig.client()
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == .mockRefused)
    let named = rig.client { $0.policy = .development(hosts: ["desk.example"]) }
    _ = try await named.info()
  }

  @Test("70 §2.27 #8: a node that restarts between two calls costs one attestation and no error")
  func restart() async throws {
    let rig = EngineRig()
    let (client, app, _) = try await rig.member()
    _ = try await client.call(app, "send_message", ["message": "one"])
    await rig.wire.restart(0)
    rig.cloud.clearLog()
    _ = try await client.call(app, "send_message", ["message": "two"])
    #expect(rig.attestations(of: 0) == 1)
    #expect(rig.cloud.log.requests("app_call").map(\.node) == [0])
    #expect(rig.cloud.log.requests("app_call").map(\.attempt) == [1])
    #expect(rig.cloud.runs(of: "send_message", in: app) == 2)
  }

  @Test("a forgotten sealed session is opened again without another attestation or try")
  func forgottenSession() async throws {
    let rig = EngineRig()
    let client = rig.client()
    _ = try await client.info()
    await rig.cloud.nodes[0].forgetSessions()
    rig.cloud.clearLog()
    _ = try await client.info()
    #expect(rig.attestations(of: 0) == 0)
    #expect(rig.cloud.log.inner.map(\.attempt) == [1])
  }

  @Test("concurrent first requests share one attestation and one session")
  func sharedOpening() async throws {
    let rig = EngineRig()
    let client = rig.client()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await client.info() } }
      try await group.waitForAll()
    }
    #expect(rig.attestations(of: 0) == 1)
    #expect(await rig.cloud.nodes[0].handshakeCount == 1)
    #expect(rig.cloud.log.inner.count == 20)
  }

  @Test("after 24 hours a node is attested again before its next session")
  func trustAges() async throws {
    let rig = EngineRig()
    let client = rig.client()
    _ = try await client.info()
    rig.clock.jump(by: 23 * 3600)
    _ = try await client.info()
    #expect(rig.attestations(of: 0) == 1)
    rig.clock.jump(by: 2 * 3600)
    _ = try await client.info()
    #expect(rig.attestations(of: 0) == 2)
  }

  @Test("forgetting attestations attests again, and gives refused nodes another chance")
  func forget() async throws {
    let rig = EngineRig()
    rig.cloud.nodes[0].badQuote(.wrongNonce)
    let client = rig.client()
    _ = try await client.info()
    rig.cloud.nodes[0].badQuote(nil)
    await client.forgetAttestations()
    let attestation = try await client.attestation(of: nil)
    #expect(attestation.clusterId == Hex.encode(rig.cloud.clusterId))
    #expect(attestation.isMock)
    #expect(rig.attestations(of: 0) == 2)
    await #expect(throws: CalimeroError.self) { try await client.attestation(of: "http://127.0.0.1:9") }
  }

  @Test("an attestation of more than 1 MiB is not read, and the next node serves")
  func largeAttestation() async throws {
    let rig = EngineRig(nodes: 2)
    let cloud = rig.cloud.transport
    let flood = Canned(HTTPResponse(status: 200, body: HTTPBody(Data(count: (1 << 20) + 1))))
    let transport = Router { $0.url.port == 2501 && $0.url.path == "/tee/attest" ? flood : cloud }
    let client = rig.client { $0.transport = transport }
    _ = try await client.info()
    let alone = rig.client {
      $0.transport = transport
      $0.nodes = []
    }
    guard case .decoding(let failure) = await calimeroError({ _ = try await alone.info() }) else {
      Issue.record("not decoding")
      return
    }
    #expect(failure.isTooLarge)
  }

  @Test(
    "an attestation that is not answered with 200 is an outage for 429 and 5xx, and else a refusal",
    arguments: [429, 500, 503, 404, 403, 302])
  func attestationStatus(status: Int) async {
    let rig = EngineRig(nodes: 1)
    rig.cloud.nodes[0].proxyAnswer(status, times: 100, at: .attestation)
    let client = rig.client()
    let error = await calimeroError { _ = try await client.info() }
    if status == 429 || status >= 500 {
      guard case .unreachable = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    } else {
      #expect(error?.attestationReason == .notOffered)
    }
  }

  @Test("nodes the cluster lists are added, attested before use, and only once")
  func discovery() async throws {
    let rig = EngineRig()
    let client = rig.client {
      $0.nodes = []
      $0.discoverNodes = true
    }
    _ = try await client.info()
    try await client.core.pool().discoveryEnded()
    #expect(await client.nodeStates().map(\.isDiscovered) == [false, true, true])
    rig.cloud.nodes[0].down()
    rig.cloud.clearLog()
    _ = try await client.info()
    #expect(rig.attestations(of: 1) == 1)
    #expect(rig.cloud.log.requests("public_node_list").isEmpty)
  }
}

/// Sends each request with the transport that the closure names.
struct Router: HTTPTransport {
  let choose: @Sendable (HTTPRequest) -> any HTTPTransport

  init(_ choose: @escaping @Sendable (HTTPRequest) -> any HTTPTransport) { self.choose = choose }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await choose(request).send(request)
  }
}

/// Answers every request the same way, once.
struct Canned: HTTPTransport {
  let answer: @Sendable () -> HTTPResponse

  init(_ answer: @escaping @Sendable @autoclosure () -> HTTPResponse) { self.answer = answer }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { answer() }
}
