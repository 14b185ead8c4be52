import Foundation
import MeroCrypto
import MeroHTTP
import MeroKit
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// A relay, and an account of one device, spoken to with plain requests.
struct FakeRelayRig {
  let clock = FakeClock()
  let relay: FakeRelay
  let namespace: String
  let context: String
  let keys: DeviceKeys
  let account: String
  let credential: String

  init(_ url: String = "http://localhost:2540") throws {
    relay = FakeRelay(url: url, clock: clock.clock, seed: 11)
    namespace = relay.node.makeNamespace(of: .keyValue)
    context = relay.node.makeContext(of: .keyValue, in: namespace)
    (keys, account, credential) = try Self.device(7)
    relay.addMember(account, to: namespace)
  }

  static func device(_ byte: UInt8) throws -> (DeviceKeys, account: String, credential: String) {
    let keys = try DeviceKeys(
      signSecret: Data(repeating: byte, count: 32), kemSecret: Data(repeating: byte &+ 1, count: 32))
    let credential = NodeSecrets.certify(
      root: NodeSecrets.made { try .init(seed: [UInt8](repeating: byte &+ 2, count: 32)) },
      signingKey: try Hex.decode(keys.signPublicKey), deliveryKey: try Hex.decode(keys.kemPublicKey),
      nonce: [UInt8](repeating: byte &+ 3, count: 16))
    return (keys, credential.bound.account, credential.hex)
  }

  struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let json: JSONValue
    var authError: String? { headers["x-auth-error"] }
  }

  func send(
    _ method: HTTPMethod, _ path: String, json: JSONValue? = nil, bearer: String? = nil, proof: String? = nil
  ) async throws -> Answer {
    var request = HTTPRequest(method, try #require(URL(string: relay.url + path)))
    if let json {
      request.headers["content-type"] = "application/json"
      request.body = .data(json.data())
    }
    if let bearer { request.headers["authorization"] = "Bearer \(bearer)" }
    if let proof { request.headers["x-calimero-proof"] = proof }
    let response = try await relay.transport.send(request)
    let body = try await response.body.collect(upTo: 1 << 20)
    return Answer(
      status: response.status, headers: response.headers, json: (try? JSONValue(parsing: body)) ?? .null)
  }

  func challenge() async throws -> String {
    try #require(try await send(.get, "/auth/challenge").json["data"]?["challenge"]?.stringValue)
  }

  /// A login, with what is wrong about it.
  struct Draft {
    var node: String?
    var signed: String?
    var sessionKey = String(repeating: "33", count: 32)
    var publicKey = String(repeating: "33", count: 32)
    var issuedAt: UInt64 = 1_790_000_000
    var lifetime: UInt64 = 300
    var credential: String?
    var extra: (String, JSONValue)?
  }

  func logIn(_ challenge: String, _ draft: Draft = Draft()) async throws -> Answer {
    let statement = LoginStatement(
      node: draft.node ?? relay.nodeKey, audience: .webOrigin("https://app.example"),
      challenge: draft.signed ?? challenge, sessionKey: draft.sessionKey, issuedAt: draft.issuedAt,
      expiresAt: draft.issuedAt + draft.lifetime)
    var body: JSONObject = [
      "auth_method": "account_proof", "public_key": .string(draft.publicKey), "client_name": "a-test",
      "timestamp": JSONValue(draft.issuedAt),
      "provider_data": [
        "challenge": .string(challenge), "login_statement": .string(try statement.signed(keys: keys)),
        "account_proof": .string(draft.credential ?? credential),
      ],
    ]
    if let (name, value) = draft.extra { body[name] = value }
    return try await send(.post, "/auth/token", json: .object(body))
  }

  func token() async throws -> String {
    let answer = try await logIn(try await challenge())
    return try #require(answer.json["data"]?["access_token"]?.stringValue)
  }

  func proof(_ method: String, _ path: String, body: Data = Data(), lifetime: UInt64 = 120) throws -> String {
    let now = UInt64(clock.now.timeIntervalSince1970)
    return try RequestProof(method: method, path: path, body: body, issuedAt: now, expiresAt: now + lifetime)
      .value(credential: credential, keys: keys)
  }
}

@Suite("A fake relay: who asks")
struct FakeRelayCallerTests {
  @Test(
    "a device that signs the node's challenge gets a session of its account, which reaches what the account does"
  )
  func session() async throws {
    let rig = try FakeRelayRig()
    let elsewhere = rig.relay.node.makeContext(of: .keyValue)
    let token = try await rig.token()
    let listed = try await rig.send(.get, "/admin-api/contexts", bearer: token).json["data"]?["contexts"]
    #expect(listed?.arrayValue?.map { $0["id"]?.stringValue } == [rig.context])
    #expect(try await rig.send(.get, "/admin-api/contexts/\(elsewhere)/group", bearer: token).status == 404)
    let write = try await rig.send(
      .post, "/admin-api/groups/\(rig.namespace)/members", json: ["members": []], bearer: token)
    #expect(write.status == 403)
    #expect(write.authError == "permission_denied")
    #expect(rig.relay.logins.map(\.audience) == ["https://app.example"])
    rig.relay.removeMember(rig.account, from: rig.namespace)
    let after = try await rig.send(.get, "/admin-api/contexts", bearer: token).json["data"]?["contexts"]
    #expect(after == [])
  }

  @Test("a login is refused when its challenge, node, session key, time or device is not what was signed")
  func badLogins() async throws {
    let rig = try FakeRelayRig()
    let stranger = try FakeRelayRig.device(0x51).credential
    let other = String(repeating: "44", count: 32)
    let drafts: [FakeRelayRig.Draft] = [
      .init(node: other), .init(signed: other), .init(publicKey: other), .init(issuedAt: 1_789_999_600),
      .init(issuedAt: 1_790_000_040), .init(lifetime: 3601), .init(credential: stranger),
      .init(credential: String(rig.credential.dropLast(2)) + "00"), .init(credential: "zz"),
    ]
    for (number, draft) in drafts.enumerated() {
      var draft = draft
      let isAnothers = draft.publicKey != draft.sessionKey
      // Each by a key of its own: too many failures with one are refused for another reason.
      draft.sessionKey = String(repeating: "a\(number)", count: 32)
      draft.publicKey = isAnothers ? other : draft.sessionKey
      #expect(try await rig.logIn(try await rig.challenge(), draft).status == 401, "\(draft)")
    }
    #expect(try await rig.logIn(other).status == 401)
    let unknown = FakeRelayRig.Draft(extra: ("permissions", []))
    #expect(try await rig.logIn(try await rig.challenge(), unknown).status == 400)
    #expect(rig.relay.logins.isEmpty)
    #expect(try await rig.logIn(try await rig.challenge()).status == 200)
  }

  @Test("a challenge is good once, whatever it was used for, and for two minutes")
  func challenges() async throws {
    let rig = try FakeRelayRig()
    let used = try await rig.challenge()
    #expect(try await rig.logIn(used).status == 200)
    #expect(try await rig.logIn(used).status == 401)
    let wasted = try await rig.challenge()
    #expect(try await rig.logIn(wasted, .init(node: wasted)).status == 401)
    #expect(try await rig.logIn(wasted).status == 401)
    let late = try await rig.challenge()
    rig.clock.jump(by: 121)
    #expect(try await rig.logIn(late, .init(issuedAt: 1_790_000_121)).status == 401)
    let node = FakeNode(seed: 1)
    let request = HTTPRequest(.get, node.url.appendingPathComponent("auth/challenge"))
    #expect(try await node.transport.send(request).status == 404, "a node that is no relay knows no accounts")
  }

  @Test("on a relay on this machine an account proves itself in a request, for that request and for a while")
  func proofs() async throws {
    let rig = try FakeRelayRig()
    let path = "/admin-api/contexts"
    let good = try rig.proof("GET", path)
    let answer = try await rig.send(.get, path + "?limit=5", proof: good)
    #expect(answer.status == 200)
    #expect(answer.json["data"]?["contexts"]?.arrayValue?.count == 1)
    let none = try await rig.send(.get, path)
    #expect(none.status == 401)
    #expect(none.authError == nil)
    let bad = [
      try rig.proof("POST", path), try rig.proof("GET", "/admin-api/namespaces"),
      try rig.proof("GET", path, body: Data("x".utf8)), try rig.proof("GET", path, lifetime: 301),
      String(good.dropLast(2)) + (good.hasSuffix("00") ? "11" : "00"), "not hex", "",
    ]
    for proof in bad {
      let answer = try await rig.send(.get, path, proof: proof)
      #expect(answer.status == 401, "\(proof.prefix(40))")
      #expect(answer.authError == "invalid_proof")
    }
    rig.clock.jump(by: 151)
    #expect(try await rig.send(.get, path, proof: good).status == 401)
  }

  @Test("a proof by a session's key is good at the node that the session is for, and nowhere else")
  func sessionProofs() async throws {
    let rig = try FakeRelayRig()
    let seed = Data(repeating: 0x71, count: 32)
    let sessionKey = Hex.encode(
      NodeSecrets.made { try Ed25519.PrivateKey(seed: Array(seed)) }.publicKey.bytes)
    let path = "/admin-api/contexts"
    for (node, status) in [(rig.relay.nodeKey, 200), (String(repeating: "44", count: 32), 401)] {
      let statement = try LoginStatement(
        node: node, audience: .cli, challenge: String(repeating: "22", count: 32), sessionKey: sessionKey,
        issuedAt: 1_790_000_000, expiresAt: 1_790_000_300
      ).signed(keys: rig.keys)
      let proof = try RequestProof(
        method: "GET", path: path, body: Data(), issuedAt: 1_790_000_000, expiresAt: 1_790_000_120
      ).value(credential: rig.credential, statement: statement, sessionSecret: seed)
      #expect(try await rig.send(.get, path, proof: proof).status == status)
    }
  }

  @Test("a relay behind a proxy wants a session, and where there is a token it alone decides")
  func hosted() async throws {
    let rig = try FakeRelayRig("https://relay.test")
    let proof = try rig.proof("GET", "/admin-api/contexts")
    let answer = try await rig.send(.get, "/admin-api/contexts", proof: proof)
    #expect(answer.status == 401)
    #expect(answer.authError == "missing_token")
    let near = try FakeRelayRig()
    let both = try await near.send(.get, "/admin-api/contexts", bearer: "nonsense", proof: proof)
    #expect(both.status == 401)
    #expect(both.authError == "invalid_token")
    #expect(try await rig.send(.get, "/admin-api/contexts", bearer: try await rig.token()).status == 200)
  }

  @Test("a relay that serves no accounts refuses their proofs with 403")
  func closed() async throws {
    let rig = try FakeRelayRig()
    rig.relay.node.store.withState { $0.relay?.isDelegatedAccessOpen = false }
    let answer = try await rig.send(
      .get, "/admin-api/contexts", proof: try rig.proof("GET", "/admin-api/contexts"))
    #expect(answer.status == 403)
    #expect(answer.authError == "invalid_proof")
  }
}
