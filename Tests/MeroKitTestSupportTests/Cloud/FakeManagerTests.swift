import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

/// Everything here is signed by hand: what the manager refuses must not depend on how a client signs.
@Suite("The cloud's directory in memory")
struct FakeManagerTests {
  private let clock = FakeClock()
  private let manager: FakeManager
  private let wallet = FakeWallet(seed: 1)
  private let device: Ed25519.PrivateKey
  private let credential: String
  private let salt = [UInt8](repeating: 0x5C, count: 32)

  init() throws {
    manager = FakeManager(clock: clock.clock, seed: 2)
    device = try Ed25519.PrivateKey(seed: [UInt8](repeating: 7, count: 32))
    credential = try wallet.certify(
      signPublicKey: Hex.encode(device.publicKey.bytes), kemPublicKey: String(repeating: "09", count: 32)
    ).credential
  }

  private func ask(
    _ path: String, _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: JSONValue? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let url = try #require(URL(string: manager.url + path))
    let response = try await manager.transport.send(
      HTTPRequest(method, url, headers: headers, body: body.map { .data($0.data()) }))
    let bytes = try await response.body.collect(upTo: 1 << 20)
    return (response.status, try JSONValue(parsing: bytes))
  }

  // MARK: Proven reads

  private var account: String { "/api/cloud/accounts/\(wallet.account)" }

  private func nonce(_ path: String) async throws -> String {
    try #require(try await ask("\(path)/challenge").json["nonce"]?.stringValue)
  }

  private func proof(
    _ nonce: String, domain: String = "calimero.mdma.routing-read.v1", credential: String? = nil
  ) throws -> HTTPHeaders {
    let signature = try device.sign(Array(domain.utf8) + [0] + Array(nonce.utf8))
    return [
      "X-Calimero-Credential": credential ?? self.credential, "X-Calimero-Nonce": nonce,
      "X-Calimero-Signature": Data(signature).base64EncodedString(),
    ]
  }

  private func read(_ headers: HTTPHeaders) async throws -> Int {
    try await ask("\(account)/relays", headers: headers).status
  }

  @Test("a proven read is answered once, and its challenge is used up")
  func proven() async throws {
    let proof = try proof(try await nonce(account))
    #expect(try await read(proof) == 200)
    #expect(try await read(proof) == 403)
  }

  @Test("a read without a part of its proof is asked for one")
  func unproven() async throws {
    #expect(try await read([:]) == 401)
    for name in ["x-calimero-credential", "x-calimero-nonce", "x-calimero-signature"] {
      var proof = try proof(try await nonce(account))
      proof[name] = nil
      #expect(try await read(proof) == 401)
    }
  }

  @Test("a challenge of another subject, an old one and one that nobody gave are refused")
  func challenges() async throws {
    let namespace = "/api/cloud/namespaces/\(wallet.account)"
    #expect(try await read(try proof(try await nonce(namespace))) == 403)
    #expect(try await read(try proof("made-up")) == 403)
    let old = try await nonce(account)
    clock.jump(by: 120)
    #expect(try await read(try proof(old)) == 403)
  }

  @Test("a signature of another domain, and another's credential, are refused")
  func signatures() async throws {
    #expect(
      try await read(try proof(try await nonce(account), domain: "calimero.mdma.routing-read.v2")) == 403)
    let other = try FakeWallet(seed: 3).certify(
      signPublicKey: Hex.encode(device.publicKey.bytes), kemPublicKey: String(repeating: "09", count: 32))
    #expect(try await read(try proof(try await nonce(account), credential: other.credential)) == 403)
    let broken = String(credential.dropLast(2)) + "ff"
    #expect(try await read(try proof(try await nonce(account), credential: broken)) == 403)
  }

  @Test("a namespace is read without a proof, but not with a bad one")
  func admitters() async throws {
    let namespace = "/api/cloud/namespaces/\(wallet.account)"
    #expect(try await ask("\(namespace)/admitters").status == 200)
    #expect(
      try await ask("\(namespace)/admitters", headers: try proof(try await nonce(namespace))).status == 200)
    #expect(try await ask("\(namespace)/admitters", headers: try proof("made-up")).status == 403)
  }

  @Test("a token is noted, an id in upper case is not understood, and an unknown path is none")
  func odd() async throws {
    _ = try await ask("\(account)/challenge", headers: ["authorization": "Bearer x"])
    #expect(manager.violations.count == 1)
    let shouting = wallet.account.replacingOccurrences(of: "a", with: "A")
    #expect(try await ask("/api/cloud/accounts/\(shouting.uppercased())/challenge").status == 422)
    let nowhere = try await ask("/api/cloud/me/namespaces")
    #expect(nowhere.status == 404)
    #expect(nowhere.json["error"] == "no route GET /api/cloud/me/namespaces")
  }

  // MARK: Hosting

  private func namespaceId() throws -> String {
    Hex.encode(domainHash("calimero.namespace.id.v1", [try Hex.decode(wallet.account), salt]))
  }

  private func claim(_ change: (inout JSONObject) -> Void = { _ in }) throws -> JSONObject {
    let now = Int64(clock.now.timeIntervalSince1970 * 1000)
    var claim: JSONObject = [
      "v": 1, "audience": "mdma:enable-ha-namespace-as-account", "group_id": .string(try namespaceId()),
      "account_id": .string(wallet.account), "salt": .string(Hex.encode(salt)),
      "nonce": .string(String(repeating: "ab", count: 16)), "issued_at_ms": JSONValue(now),
      "expires_at_ms": JSONValue(now + 60_000),
    ]
    change(&claim)
    return claim
  }

  private func host(
    _ claim: JSONObject, domain: String = "calimero.mdma.account-ownership-claim.v1",
    body change: (inout JSONObject) -> Void = { _ in }
  ) async throws -> (status: Int, json: JSONValue) {
    let payload = Array(JSONValue.object(claim).data())
    let signature = try device.sign(Array(domain.utf8) + [0] + payload)
    var body: JSONObject = [
      "ownership_proof": [
        "kind": "account", "credential": .string(credential),
        "signed_payload": .string(Data(payload).base64EncodedString()),
        "signature": .string(Data(signature).base64EncodedString()),
      ]
    ]
    change(&body)
    return try await ask(
      "\(account)/namespaces/\(try namespaceId())/enable-ha", .post, body: .object(body))
  }

  @Test("a founder's claim is hosted, and not a second time")
  func hosting() async throws {
    let node = FakeManager.Row.node(account: wallet.account, relayURL: "https://relay.test")
    manager.hostWith(node)
    let answer = try await host(try claim())
    #expect(answer.status == 200)
    #expect(answer.json["namespace_id"] == .string(try namespaceId()))
    #expect(manager.hosted == [try namespaceId()])
    let routing = try await ask("/api/cloud/namespaces/\(try namespaceId())/admitters").json
    #expect(routing["admitters"] == [.object(node.json)])
    #expect(try await host(try claim()).status == 403)
  }

  @Test("a claim that is about something else, too old, or good for too long is refused")
  func badClaims() async throws {
    let changes: [(inout JSONObject) -> Void] = [
      { $0["v"] = 2 }, { $0["audience"] = "mdma:enable-ha-namespace" }, { $0["group_id"] = $0["account_id"] },
      { $0["account_id"] = $0["group_id"] }, { $0["salt"] = .string(String(repeating: "5d", count: 32)) },
      { $0["nonce"] = "ab" }, { $0["expires_at_ms"] = $0["issued_at_ms"] },
      { claim in claim["expires_at_ms"] = (claim["issued_at_ms"]?.int64).map { JSONValue($0 + 300_001) } },
      { $0["relay_url"] = "" },
    ]
    for (number, change) in changes.enumerated() {
      #expect(try await host(try claim(change)).status == 403, "change \(number)")
    }
    let old = try claim()
    clock.jump(by: 60)
    #expect(try await host(old).status == 403)
    #expect(manager.hosted.isEmpty)
  }

  @Test("a claim that is signed for another purpose, or has something beside it, is refused")
  func badBodies() async throws {
    #expect(try await host(try claim(), domain: "calimero.mdma.routing-read.v1").status == 403)
    #expect(try await host(try claim(), body: { $0["relay_url"] = "https://relay.test" }).status == 422)
    #expect(try await host(try claim(), body: { $0["ownership_proof"] = nil }).status == 422)
  }

  @Test(
    "refusals have the status of their code",
    arguments: [
      ("unknown_relay", 422), ("relay_not_dialable", 422), ("account_not_linked", 409),
      ("account_linked_to_several_users", 409),
    ])
  func refusals(_ code: String, _ status: Int) async throws {
    manager.refuseHosting(code, of: wallet.account)
    let answer = try await host(try claim())
    #expect(answer.status == status)
    #expect(answer.json["detail"]?["error"] == .string(code))
  }

  // MARK: The rest

  @Test("signed releases are served at the same address, and what is told to fail fails")
  func mirrorAndOutages() async throws {
    #expect(try await ask("/api/tee/node-releases/2.3.109").status == 404)
    #expect(manager.mirror.asked == ["2.3.109"])
    manager.fail(.status(504), at: "/relays")
    #expect(try await read([:]) == 504)
    #expect(try await ask("\(account)/challenge").status == 200)
    manager.fail(.refused)
    await #expect(throws: TransportError.self) { try await ask("\(account)/challenge") }
    manager.fail(nil)
    #expect(try await ask("\(account)/challenge").status == 200)
  }
}
