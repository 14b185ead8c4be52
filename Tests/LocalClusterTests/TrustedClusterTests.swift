import Foundation
import LocalCluster
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("A local cluster that is attested as real hardware is")
struct TrustedClusterTests {
  @Test("70 §2.27 #2: over sockets a client in production attests the nodes, signs up and calls")
  func good() async throws {
    try await withCluster { cluster, pki in
      let client = CalimeroClient(try await options(cluster, pki))
      try await client.signUp(SoftPasskey(), name: "ada")
      let org = try await client.orgs.create(name: "Acme").orgId
      let app = try await client.apps.create(name: "chat", package: "com.calimero.chat", org: org).appId
      _ = try await client.call(app, "send_message", ["message": "hi"])
      #expect(try await client.attestation(of: nil).release == TestPKI.release)
      #expect(cluster.cloud.log.outer.allSatisfy { $0.isSealed || $0.path == "/tee/attest" })
      #expect(cluster.cloud.releaseMirror?.asked == [TestPKI.release])
      #expect(cluster.cloud.violations.isEmpty)
      #expect(cluster.cloud.unfitRequests == [])
    }
  }

  @Test(
    "70 §2.27 #2, #3: over sockets a node whose proof does not hold, or proves nothing, is sent nothing but the attestation request",
    arguments: [
      ("mock", AttestationFailure.Reason.mockRefused), ("debugImage", .measurements),
      ("resignedRelease", .releaseInvalid), ("revokedPlatform", .quoteInvalid),
    ])
  func refused(what: String, reason: AttestationFailure.Reason) async throws {
    try await withCluster { cluster, pki in
      try await control(cluster) { (send: Control) async throws in
        #expect(try await send("/nodes/1/fault", #"{"fault":"attestation","present":"\#(what)"}"#) == 200)
      }
      var options = try await options(cluster, pki)
      options.nodes = []
      let client = CalimeroClient(options)
      do {
        _ = try await client.info()
        Issue.record("accepted")
      } catch CalimeroError.attestation(let failure) {
        #expect(failure.reason == reason)
      }
      #expect(cluster.cloud.log.outer.map(\.path) == ["/tee/attest"])
    }
  }

  @Test("a mirror that fails is an outage, and one that is back serves again")
  func mirror() async throws {
    try await withCluster { cluster, pki in
      var options = try await options(cluster, pki)
      options.retry = .none
      let client = CalimeroClient(options)
      try await control(cluster) { (send: Control) async throws in
        #expect(try await send("/mirror/stop", nil) == 200)
        do {
          _ = try await client.info()
          Issue.record("accepted")
        } catch CalimeroError.unreachable {
        }
        #expect(try await send("/mirror/start", nil) == 200)
        _ = try await client.info()
      }
    }
  }

  @Test("the control listener refuses what a cluster of mock quotes cannot do, and words it does not know")
  func controlRefusals() async throws {
    let mock = LocalCluster(ports: [0])
    try await mock.start()
    try await control(mock) { (send: Control) async throws in
      #expect(try await send("/nodes/1/fault", #"{"fault":"attestation","present":"debugImage"}"#) == 400)
      #expect(try await send("/nodes/1/fault", #"{"fault":"attestation","present":"nope"}"#) == 400)
      #expect(try await send("/nodes/1/fault", #"{"fault":"attestation"}"#) == 400)
      #expect(try await send("/nodes/1/fault", #"{"fault":"attestation","present":"mock"}"#) == 200)
      #expect(try await send("/mirror/stop", nil) == 404)
    }
    #expect(await mock.mirrorURL == nil)
    await mock.stop()
  }

  @Test("a mirror's port that is taken is named, and no node stays open")
  func takenMirrorPort() async throws {
    try await withCluster { cluster, pki in
      let port = UInt16(try #require(await cluster.mirrorURL?.port))
      let second = LocalCluster(ports: [0], cloud: FakeCloud(nodes: 1, tdx: pki), mirrorPort: port)
      await #expect(throws: ListenerError.portTaken(port)) { try await second.start() }
      #expect(await second.nodeURLs.isEmpty)
    }
  }

  private func options(_ cluster: LocalCluster, _ pki: TestPKI) async throws -> CalimeroClientOptions {
    let urls = await cluster.nodeURLs.map(\.absoluteString)
    return CalimeroClientOptions(
      baseUrl: urls[0], nodes: Array(urls.dropFirst()), policy: .production,
      releaseMirrorURL: try #require(await cluster.mirrorURL).absoluteString, trustRoots: pki.roots)
  }

  private func withCluster(_ test: (LocalCluster, TestPKI) async throws -> Void) async throws {
    let pki = TestPKI()
    let cluster = LocalCluster(ports: [0, 0], cloud: FakeCloud(nodes: 2, tdx: pki))
    try await cluster.start()
    do {
      try await test(cluster, pki)
    } catch {
      await cluster.stop()
      throw error
    }
    await cluster.stop()
  }

  /// Posts to a cluster's control listener and answers the status.
  private struct Control: Sendable {
    let port: UInt16

    func callAsFunction(_ path: String, _ body: String?) async throws -> Int {
      let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
      let request = HTTPRequest(.post, url, body: body.map { .data(Data($0.utf8)) })
      return try await URLSessionTransport().send(request).status
    }
  }

  private func control(_ cluster: LocalCluster, _ test: (Control) async throws -> Void) async throws {
    let server = ControlServer(port: 0, cluster: cluster)
    let control = Control(port: try server.start())
    do {
      try await test(control)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}
