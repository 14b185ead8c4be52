import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("The cloud's directory")
struct CloudClientTests {
  private let rig = CloudRig()
  private let namespace = String(repeating: "bb", count: 32)
  private let proofHeaders = ["x-calimero-credential", "x-calimero-nonce", "x-calimero-signature"]

  /// The relays or nodes that a cloud answering with this text is understood to name.
  private func cloud(answering text: String) -> CloudClient {
    rig.anonymousCloud(ScriptedNode { _ in .json(text) })
  }

  @Test("40 §19 #1: the challenge is fetched first, and the read carries a proof that verifies and no token")
  func provenRead() async throws {
    rig.assignRelay()
    let device = try rig.device()
    let cloud = CloudClient(
      baseURL: rig.manager.url + "//",
      routingCredential: RoutingCredential(credential: device.credential, keys: device.keys),
      transport: rig.manager.transport, clock: rig.clock.clock)
    let relays = try await cloud.getAccountRelays(rig.wallet.account.uppercased())
    #expect(
      relays == [
        CloudAccountRelay(
          peerId: "peer", relayUrl: CloudRig.relayURL, fresh: true, executorAccount: CloudRig.executor)
      ])
    let path = "/api/cloud/accounts/\(rig.wallet.account)"
    #expect(rig.manager.log.map(\.line) == ["GET \(path)/challenge", "GET \(path)/relays"])
    let read = try #require(rig.manager.log.last)
    let nonce = try #require(read.headers["x-calimero-nonce"])
    let signature = try #require(
      read.headers["x-calimero-signature"].flatMap { Data(base64Encoded: $0) })
    let key = try Ed25519.PublicKey(bytes: try Hex.decode(device.keys.signPublicKey))
    #expect(
      key.isValid(signature, for: Array("calimero.mdma.routing-read.v1".utf8) + [0] + Array(nonce.utf8)))
    #expect(read.headers["x-calimero-credential"] == device.credential)
    #expect(rig.manager.log.allSatisfy { $0.headers["accept"] == "application/json" })
    #expect(rig.manager.violations.isEmpty)
  }

  @Test("40 §19 #2: without a credential an account's relays are not asked for")
  func noCredential() async throws {
    let kind = await AccountErrorKind.of {
      try await rig.anonymousCloud().getAccountRelays(rig.wallet.account)
    }
    #expect(kind == .notSignedIn)
    #expect(rig.manager.log.isEmpty)
  }

  @Test("40 §19 #3: without a credential a namespace is read in one request that proves nothing")
  func anonymousRead() async throws {
    rig.manager.setRouting(namespace, nodes: [.node(account: "aa", relayURL: nil)])
    let routing = try await rig.anonymousCloud().getNamespaceRouting(namespace.uppercased())
    #expect(routing.namespaceId == namespace)
    #expect(routing.nodes.map(\.account) == ["aa"])
    #expect(routing.servable && routing.writable)
    #expect(rig.manager.log.map(\.line) == ["GET /api/cloud/namespaces/\(namespace)/admitters"])
    #expect(rig.manager.log.allSatisfy { request in proofHeaders.allSatisfy { request.headers[$0] == nil } })
  }

  @Test("40 §19 #4: every read has a challenge of its own")
  func noCaching() async throws {
    let cloud = try rig.cloud()
    _ = try await cloud.getNamespaceRouting(namespace)
    _ = try await cloud.getNamespaceRouting(namespace)
    let nonces = rig.manager.log.compactMap { $0.headers["x-calimero-nonce"] }
    #expect(nonces.count == 2)
    #expect(Set(nonces).count == 2)
    #expect(rig.manager.log.filter { $0.path.hasSuffix("/challenge") }.count == 2)
  }

  @Test(
    "40 §19 #5: an executor that is no 64 lower-case hex digits counts as none",
    arguments: [
      "NOT-HEX", String(repeating: "AB", count: 32), "", String(repeating: "ab", count: 31),
    ])
  func badExecutor(_ text: String) async throws {
    rig.manager.setRelays([.relay("https://r", executorAccount: text)], of: rig.wallet.account)
    let relays = try await rig.cloud().getAccountRelays(rig.wallet.account)
    #expect(relays.map(\.executorAccount) == [nil])
    #expect(relays.map(\.relayUrl) == ["https://r"])
  }

  @Test("40 §19 #6: a relay without an address is listed all the same")
  func noAddress() async throws {
    let row = FakeManager.Row.relay("https://r", executorAccount: CloudRig.executor)
    let rows = [row.with("relay_url", nil), row.with("relay_url", .null), row.with("relay_url", "")]
    rig.manager.setRelays(rows, of: rig.wallet.account)
    let relays = try await rig.cloud().getAccountRelays(rig.wallet.account)
    #expect(relays.map(\.relayUrl) == [nil, nil, nil])
    #expect(relays.map(\.executorAccount) == [CloudRig.executor, CloudRig.executor, CloudRig.executor])
  }

  @Test("40 §19 #7: whether a node can write follows from the rest when the cloud does not say it")
  func canExecute() async throws {
    let node = FakeManager.Row.node(account: "aa", relayURL: "https://r").with("can_execute", nil)
    rig.manager.setRouting(
      namespace,
      nodes: [
        node, node.with("can_execute", false), node.with("fresh", false), node.with("account", .null),
        node.with("relay_url", ""), node.with("authorship_ready", nil),
        node.with("fresh", false).with("can_execute", true),
      ])
    let nodes = try await rig.anonymousCloud().getNamespaceRouting(namespace).nodes
    #expect(nodes.map(\.canExecute) == [true, false, false, false, false, false, true])
    #expect(nodes[0].status == .active)
    #expect(nodes[0].teeRole == "RelayTee")
  }

  @Test("40 §19 #8: the relay that was heard of lately is chosen, wherever it stands")
  func freshRelay() {
    let choice = CloudClient.chooseRelay([
      CloudAccountRelay(relayUrl: "https://stale"), CloudAccountRelay(fresh: true),
      CloudAccountRelay(relayUrl: "https://fresh", fresh: true, executorAccount: CloudRig.executor),
    ])
    #expect(choice == RelayChoice(relayUrl: "https://fresh", executorAccount: CloudRig.executor))
  }

  @Test("40 §19 #9: what is not as it should be with the relays is said")
  func notes() throws {
    let stale = CloudClient.chooseRelay([
      CloudAccountRelay(), CloudAccountRelay(relayUrl: "https://stale", executorAccount: CloudRig.executor),
    ])
    #expect(stale.relayUrl == "https://stale")
    #expect(stale.executorAccount == CloudRig.executor)
    let homeless = CloudClient.chooseRelay([CloudAccountRelay(fresh: true), CloudAccountRelay()])
    #expect(homeless.relayUrl == nil)
    #expect(homeless.note?.contains("2") == true)
    #expect(CloudClient.chooseRelay([CloudAccountRelay()]).note?.contains("1") == true)
    let none = CloudClient.chooseRelay([])
    #expect(none.relayUrl == nil)
    let notes = Set([stale, homeless, none].compactMap(\.note))
    #expect(notes.count == 3)
  }

  @Test("40 §19 #10: only a node that the invitation names admits, and any when it names none")
  func findAdmitter() async throws {
    let other = String(repeating: "cd", count: 32)
    rig.manager.setRouting(
      namespace,
      nodes: [
        .node(account: namespace, relayURL: "https://a", canAdmit: false),
        .node(account: other, relayURL: "https://b"),
      ])
    let cloud = rig.anonymousCloud()
    #expect(try await cloud.findAdmitter(namespace, admitters: [namespace]) == nil)
    #expect(try await cloud.findAdmitter(namespace)?.relayUrl == "https://b")
    #expect(try await cloud.findAdmitter(namespace, admitters: [other.uppercased()])?.account == other)
  }

  @Test("an answer without the list is an error, and not an empty list", arguments: ["", "{}", "null", "[]"])
  func noList(_ text: String) async {
    let kind = await AccountErrorKind.of { try await cloud(answering: text).getNamespaceRouting(namespace) }
    #expect(kind == .protocolViolation)
  }

  @Test("a challenge with nothing to sign is an error", arguments: ["{}", #"{"nonce":""}"#, #"{"nonce":5}"#])
  func noNonce(_ text: String) async {
    let kind = await AccountErrorKind.of { try await cloud(answering: text).getRoutingChallenge(namespace) }
    #expect(kind == .protocolViolation)
  }

  @Test("a refusal is passed on with its status, and nothing is sent twice", arguments: [401, 403, 429, 503])
  func refusals(_ status: Int) async throws {
    rig.manager.fail(.status(status))
    let error = await #expect(throws: MeroError.self) {
      try await rig.cloud().getAccountRelays(rig.wallet.account)
    }
    #expect(error?.httpStatus == status)
    #expect(rig.manager.log.count == 1)
  }

  @Test("the secret shows in no print of what carries it")
  func printing() {
    let credential = RoutingCredential(credential: "c0ffee", deviceSecret: Data(repeating: 0x5A, count: 32))
    var dumped = ""
    dump(credential, to: &dumped)
    for text in ["\(credential)", String(reflecting: credential), dumped] {
      #expect(!text.contains("deviceSecret") && !text.contains("32 bytes"))
    }
  }

  @Test("a secret of another length signs nothing")
  func badSecret() async {
    let cloud = CloudClient(
      baseURL: rig.manager.url,
      routingCredential: RoutingCredential(credential: "aa", deviceSecret: Data([1])),
      transport: rig.manager.transport, clock: rig.clock.clock)
    let kind = await AccountErrorKind.of { try await cloud.getAccountRelays(rig.wallet.account) }
    #expect(kind == .invalidInput)
    #expect(rig.manager.log.count == 1)
  }
}
