import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import MeroKit

@Suite("Which nodes a client talks to in production")
struct ProductionTrustTests {
  private let pki: TestPKI
  private let rig: EngineRig
  private let mirror: FakeReleaseMirror

  init() throws {
    pki = TestPKI(seed: 21, now: FakeClock().now)
    rig = EngineRig(tdx: pki)
    mirror = try #require(rig.cloud.releaseMirror)
  }

  private func options(
    nodes: Int = 3, _ policy: TeePolicy = .production,
    _ change: (inout CalimeroClientOptions) -> Void = { _ in }
  ) -> CalimeroClientOptions {
    rig.options {
      $0.nodes = Array($0.nodes.prefix(nodes - 1))
      $0.policy = policy
      $0.trustRoots = pki.roots
      change(&$0)
    }
  }

  private func client(
    nodes: Int = 3, _ policy: TeePolicy = .production,
    _ change: (inout CalimeroClientOptions) -> Void = { _ in }
  ) -> CalimeroClient { CalimeroClient(options(nodes: nodes, policy, change)) }

  /// Nothing but the request for attestation reached the node, sealed or not.
  private func expectOnlyAttestation(of node: Int = 0, times: Int = 1) async {
    #expect(
      rig.cloud.log.outer.filter { $0.node == node }.map(\.path)
        == Array(repeating: "/tee/attest", count: times))
    #expect(rig.cloud.log.inner.allSatisfy { $0.node != node })
    #expect(await rig.cloud.nodes[node].handshakeCount == 0)
  }

  @Test("a genuine node of a signed release is accepted: sign-up, a call and a view, all of it sealed")
  func good() async throws {
    let client = client()
    try await client.signUp(SoftPasskey(), name: "ada")
    let org = try await client.orgs.create(name: "Acme").orgId
    let app = try await client.apps.create(name: "chat", package: "com.calimero.chat", org: org).appId
    _ = try await client.call(app, "send_message", ["message": "hi"])
    _ = try await client.view(app, "get_messages")
    let attestation = try await client.attestation(of: nil)
    #expect(!attestation.isMock)
    #expect(attestation.release == TestPKI.release)
    #expect(rig.cloud.log.outer.allSatisfy { $0.isSealed || $0.path == "/tee/attest" })
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
    #expect(mirror.asked == [TestPKI.release])
  }

  @Test(
    "70 §2.27 #2: a node whose proof does not hold is sent nothing but the attestation request, and the error says why",
    arguments: [
      (FakeCloudNode.Attestation.mock, AttestationFailure.Reason.mockRefused), (.debugImage, .measurements),
      (.debugDomain, .quoteInvalid), (.mixedRegisters, .measurements), (.oldRelease, .releaseInvalid),
      (.unsignedRelease, .releaseInvalid), (.resignedRelease, .releaseInvalid),
      (.foreignRelease, .releaseInvalid),
      (.unknownRelease, .releaseUnknown), (.wrongRelease, .measurements), (.revokedPlatform, .quoteInvalid),
      (.expiredCollateral, .quoteInvalid),
    ])
  func refused(what: FakeCloudNode.Attestation, reason: AttestationFailure.Reason) async throws {
    rig.cloud.nodes[0].present(what)
    let client = client(nodes: 1)
    let error = await calimeroError { _ = try await client.signUp(SoftPasskey(), name: "ada") }
    #expect(error?.attestationReason == reason, "\(error.map(String.init(describing:)) ?? "accepted")")
    await expectOnlyAttestation()
    // A second try within the five minutes does not even ask.
    _ = await calimeroError { _ = try await client.info() }
    await expectOnlyAttestation()
    await rig.cloud.nodes[0].clearFaults()
    await client.forgetAttestations()
    _ = try await client.info()
    #expect(rig.cloud.violations.isEmpty)
    #expect(rig.cloud.unfitRequests == [])
  }

  @Test("what makes a node refused is all that it can present but a good quote and an old platform")
  func everyCaseIsTried() {
    #expect(Set(FakeCloudNode.Attestation.allCases).count == 12 + 2)
  }

  @Test(
    "70 §2.27 #2: a quote that is genuine and made for another nonce, key or cluster is refused",
    arguments: [
      (FakeCloudNode.BadQuote.wrongNonce, AttestationFailure.Reason.reportData), (.wrongKey, .reportData),
      (.wrongCluster, .wrongCluster), (.unsigned, .quoteInvalid), (.malformed, .quoteInvalid),
    ])
  func wrongQuestion(quote: FakeCloudNode.BadQuote, reason: AttestationFailure.Reason) async {
    rig.cloud.nodes[0].badQuote(quote)
    let client = client(nodes: 1) { $0.clusterId = Hex.encode(rig.cloud.clusterId) }
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == reason)
    await expectOnlyAttestation()
  }

  @Test(
    "a mirror that is away makes nodes unreachable, not refused, and they serve once it is back",
    arguments: [FakeReleaseMirror.Outage.refused, .status(503), .status(429), .nonsense])
  func mirrorAway(outage: FakeReleaseMirror.Outage) async throws {
    mirror.fail(outage)
    let client = client()
    let error = await calimeroError { _ = try await client.info() }
    guard case .unreachable(let unreachable) = error else {
      Issue.record("\(error.map(String.init(describing:)) ?? "accepted")")
      return
    }
    #expect(unreachable.failures.count == 6)
    #expect(rig.cloud.log.inner.isEmpty)
    #expect(rig.cloud.log.outer.allSatisfy { $0.path == "/tee/attest" })
    for state in await client.nodeStates() {
      if case .refused = state.trust { Issue.record("refused") }
    }
    mirror.fail(nil)
    _ = try await client.info()
    #expect(rig.cloud.log.inner.count == 1)
  }

  @Test(
    "a release that was verified once is not fetched again for the next node, so a mirror may go away then")
  func keptRelease() async throws {
    let client = client()
    _ = try await client.info()
    mirror.fail(.refused)
    rig.cloud.nodes[0].down()
    _ = try await client.info()
    #expect(rig.cloud.log.inner.map(\.node) == [0, 1])
    #expect(mirror.asked == [TestPKI.release])
  }

  @Test(
    "of three nodes the bad ones are left out and a call lands on the good one",
    arguments: [FakeCloudNode.Attestation.debugImage, .mock, .resignedRelease, .revokedPlatform])
  func oneGoodNode(what: FakeCloudNode.Attestation) async throws {
    rig.cloud.nodes[0].present(what)
    rig.cloud.nodes[1].present(.mixedRegisters)
    let client = client()
    try await client.signUp(SoftPasskey(), name: "ada")
    let org = try await client.orgs.create(name: "Acme").orgId
    let app = try await client.apps.create(name: "chat", package: "com.calimero.chat", org: org).appId
    _ = try await client.call(app, "send_message", ["message": "hi"])
    #expect(rig.cloud.log.requests("app_call").map(\.node) == [2])
    await expectOnlyAttestation(of: 0)
    await expectOnlyAttestation(of: 1)
  }

  @Test("a node that comes back with another image after a restart is refused before anything is sent to it")
  func swappedImage() async throws {
    let client = client(nodes: 1)
    _ = try await client.info()
    rig.cloud.clearLog()
    await rig.cloud.nodes[0].restart()
    rig.cloud.nodes[0].present(.debugImage)
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == .measurements)
    #expect(rig.cloud.log.inner.isEmpty)
  }

  @Test(
    "a platform that lacks patches is accepted as far as the release accepts it and the policy does not narrow that"
  )
  func outOfDate() async throws {
    rig.cloud.nodes[0].present(.outOfDatePlatform)
    _ = try await client(nodes: 1).info()
    rig.cloud.clearLog()
    let narrow = client(nodes: 1, .production(tcb: [.upToDate]))
    let error = await calimeroError { _ = try await narrow.info() }
    #expect(error?.attestationReason == .tcbStatus)
    #expect(rig.cloud.log.outer.map(\.path) == ["/tee/attest"])
  }

  @Test("a policy's statuses narrow what the release accepts and never widen it")
  func statusesNarrow() async throws {
    mirror.publish(pki.release(TestPKI.release, statuses: [.upToDate]))
    rig.cloud.nodes[0].present(.outOfDatePlatform)
    for policy in [TeePolicy.production, .production(tcb: [.upToDate, .outOfDate])] {
      let client = client(nodes: 1, policy)
      let error = await calimeroError { _ = try await client.info() }
      #expect(error?.attestationReason == .tcbStatus)
    }
  }

  @Test("under the roots that are built in, nothing that a test signed passes")
  func builtInRoots() async {
    let client = client(nodes: 1) { $0.trustRoots = .builtIn }
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == .quoteInvalid)
    let half = self.client(nodes: 1) { $0.trustRoots = TrustRoots(quotes: pki.roots.quotes) }
    let other = await calimeroError { _ = try await half.info() }
    #expect(other?.attestationReason == .releaseInvalid)
    await expectOnlyAttestation(times: 2)
  }

  @Test("releases that come with the app, or its measurements, need no mirror")
  func withoutMirror() async throws {
    mirror.fail(.refused)
    _ = try await client(nodes: 1, .measurements([pki.image()])).info()
    _ = try await client(nodes: 1, .releases([pki.release(TestPKI.release)])).info()
    let other = client(nodes: 1, .measurements([pki.image(of: TestPKI.nextRelease)]))
    let error = await calimeroError { _ = try await other.info() }
    #expect(error?.attestationReason == .measurements)
    #expect(mirror.asked.isEmpty)
  }

  @Test("development accepts real hardware too, by the same proof")
  func development() async throws {
    _ = try await client(nodes: 1, .development).info()
    rig.cloud.nodes[0].present(.debugImage)
    let client = client(nodes: 1, .development)
    let error = await calimeroError { _ = try await client.info() }
    #expect(error?.attestationReason == .measurements)
  }
}
