import Foundation
import LocalCluster
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire
import Testing

@testable import mero

@Suite("mero attest with a node")
struct AttestNodeTests {
  let rig: AttestRig
  let cloud: FakeCloud

  init() throws {
    rig = try AttestRig()
    let now = rig.pki.now
    let clock = MeroClock(now: { now }, uptime: { 0 }, sleep: { _ in })
    cloud = FakeCloud(nodes: 1, clock: clock, seed: 3, tdx: rig.pki)
  }

  private func words(_ url: String) throws -> [String] {
    [
      url, "--root", try rig.file("root.der", rig.pki.quoteRoot),
      "--sigstore-root", try rig.file("sigstore.json", rig.pki.sigstoreRoot),
      "--at", String(Int(rig.pki.now.timeIntervalSince1970)),
    ]
  }

  @Test("a good node is trusted under the policy production, with its release, cluster and key named")
  func trusted() async throws {
    let (status, found) = try await rig.json(try words(cloud.urls[0]), transport: cloud.transport)
    #expect(status == ExitCode.success)
    #expect(found.objectValue?.keys == AttestFilesTests.keys)
    #expect(found["policy"] == "production")
    #expect(found["release"] == .string(TestPKI.release))
    #expect(found["claimedRelease"] == .string(TestPKI.release))
    #expect(found["profile"] == "locked-read-only")
    #expect(found["clusterId"] == .string(Hex.encode(cloud.clusterId)))
    #expect(found["transportKeyFingerprint"]?.stringValue?.count == 64)
    #expect(found["steps"]?.arrayValue?.allSatisfy { $0["outcome"] == "passed" } == true)
    #expect(
      found.stages
        == (DcapVerdict.stages + [.reportData, .release, .measurements, .tcbStatus]).map(\.rawValue))
  }

  @Test(
    "a node that presents something else is refused at the step it fails",
    arguments: [
      (.mock, "mockRefused", nil), (.debugImage, "measurements", .measurements),
      (.debugDomain, "quoteInvalid", .tdAttributes), (.mixedRegisters, "measurements", .measurements),
      (.oldRelease, "releaseInvalid", .release), (.unsignedRelease, "releaseInvalid", .release),
      (.resignedRelease, "releaseInvalid", .release), (.foreignRelease, "releaseInvalid", .release),
      (.unknownRelease, "releaseUnknown", .release), (.wrongRelease, "measurements", .measurements),
      (.revokedPlatform, "quoteInvalid", .pckChain), (.expiredCollateral, "quoteInvalid", .revocationLists),
    ] as [(FakeCloudNode.Attestation, String, TrustStage?)])
  func refused(_ presented: FakeCloudNode.Attestation, _ reason: String, _ stage: TrustStage?) async throws {
    cloud.nodes[0].present(presented)
    let (status, found) = try await rig.json(try words(cloud.urls[0]), transport: cloud.transport)
    #expect(status == ExitCode.untrusted)
    #expect(found["verdict"] == "refused")
    #expect(found["reason"] == .string(reason))
    guard let stage else { return }
    let outcomes = found["steps"]?.arrayValue?.compactMap { $0["outcome"]?.stringValue } ?? []
    let failed = try #require(found.stages.firstIndex(of: stage.rawValue))
    #expect(outcomes[..<failed].allSatisfy { $0 == "passed" })
    #expect(outcomes[failed] == "failed")
    #expect(outcomes[(failed + 1)...].allSatisfy { $0 == "notReached" })
  }

  @Test(
    "a platform that lacks patches passes where the release accepts it, and not where only UpToDate is listed"
  )
  func narrowed() async throws {
    cloud.nodes[0].present(.outOfDatePlatform)
    let accepted = try await rig.json(try words(cloud.urls[0]), transport: cloud.transport)
    #expect(accepted.status == ExitCode.success)
    #expect(accepted.object["advisories"]?[0] == "INTEL-SA-00837")
    let narrowed = try await rig.json(
      try words(cloud.urls[0]) + ["--tcb", "UpToDate"], transport: cloud.transport)
    #expect(narrowed.status == ExitCode.untrusted)
    #expect(narrowed.object.outcome(.tcbStatus) == "failed")
    #expect(narrowed.object.outcome(.measurements) == "passed")
  }

  @Test("a mock quote passes under the policy development, and it is said that it proves nothing")
  func mock() async throws {
    cloud.nodes[0].present(.mock)
    let words = try words(cloud.urls[0]) + ["--policy", "development"]
    let (status, text) = try await rig.run(words, transport: cloud.transport)
    #expect(status == ExitCode.success)
    #expect(text.contains("it proves nothing about hardware"))
    #expect(try await rig.json(words, transport: cloud.transport).object["isMock"] == true)
  }

  @Test("--node names the node as well, with or without its scheme, and --development the policy")
  func siblings() async throws {
    cloud.nodes[0].present(.mock)
    let options = Array(try words(cloud.urls[0]).dropFirst())
    for node in [["--node", cloud.urls[0]], ["--node", "127.0.0.1:2501"], ["127.0.0.1:2501"]] {
      let refused = try await rig.run(node + options, transport: cloud.transport)
      #expect(refused.status == 7)
      #expect(refused.text.contains("--development"))
      let taken = try await rig.json(node + options + ["--development"], transport: cloud.transport)
      #expect(taken.status == ExitCode.success)
      #expect(taken.object["policy"] == "development")
      #expect(taken.object["source"] == .string(cloud.urls[0]))
    }
    for wrong in [
      ["--node", "a.example", "b.example"], ["--node", "a.example", "--node", "b.example"],
      ["--node", cloud.urls[0], "--development", "--policy", "production"],
      ["--quote", "q", "--collateral", "c", "--node", cloud.urls[0]],
      ["--quote", "q", "--collateral", "c", "--development"],
    ] {
      await #expect(throws: UsageError.self) { try await rig.run(wrong, transport: cloud.transport) }
    }
  }

  @Test("a node that is busy is 5, as it is for the other commands")
  func busy() async throws {
    cloud.nodes[0].proxyAnswer(503, times: 1, at: .attestation)
    let found = try await rig.json(try words(cloud.urls[0]), transport: cloud.transport)
    #expect(found.status == 5)
    #expect(found.object["verdict"] == "unavailable")
  }

  @Test("a mirror that is down and a node that is not there are no refusals, and nothing is trusted")
  func unavailable() async throws {
    cloud.releaseMirror?.fail(.refused)
    let mirror = try await rig.json(try words(cloud.urls[0]), transport: cloud.transport)
    #expect(mirror.status == ExitCode.unreachable)
    #expect(mirror.object["verdict"] == "unavailable")
    #expect(mirror.object.outcome(.tdAttributes) == "passed")
    #expect(mirror.object.outcome(.release) == "failed")
    let node = try await rig.json(try words("http://127.0.0.1:1"), transport: cloud.transport)
    #expect(node.status == ExitCode.unreachable)
    #expect(node.object.objectValue?.keys == AttestFilesTests.keys)
    #expect(node.object["verdict"] == "unavailable")
    #expect(node.object["steps"] == [])
  }

  @Test("over sockets, with the mirror on a port of its own")
  func sockets() async throws {
    let cloud = FakeCloud(nodes: 1, tdx: rig.pki)
    let mirror = HTTPListener(port: 0) {
      try await cloud.releaseMirror?.handle($0) ?? HTTPResponse(status: 404)
    }
    let port = try mirror.start()
    let cluster = LocalCluster(ports: [0], cloud: cloud)
    try await cluster.start()
    let node = try #require(await cluster.nodeURLs.first).absoluteString
    // The nodes go by this machine's clock here, and so does what they present.
    let words = Array(try words(node).dropLast(2)) + ["--mirror", "http://127.0.0.1:\(port)"]
    let (status, text) = try await rig.run(words)
    await cluster.stop()
    await mirror.stop()
    #expect(status == ExitCode.success)
    #expect(text.hasSuffix("\nTRUSTED"))
    #expect(cloud.releaseMirror?.asked == [TestPKI.release])
  }
}
