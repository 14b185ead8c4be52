import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import MeroWire
import Testing

/// A cluster and hand-made requests to it: JSON written out, sealed with the channel, no client in between.
///
/// After every request it is made sure that all the cluster has would survive it: what a cluster reads that is started
/// from what was written equals what this one has in memory.
struct Rig {
  let cloud: FakeCloud
  let clock: FakeClock
  let keeper: MirrorKeeper
  private let channels: [SealedChannel]

  init(
    nodes: Int = 3, signup: FakeCloud.SignupMode = .open, seed: UInt64? = 7, rpId: String = "localhost",
    tdx: TestPKI? = nil, clock: FakeClock = FakeClock()
  ) throws {
    try self.init(
      MirrorKeeper(), clock, nodes: nodes, signup: signup, seed: seed, rpId: rpId, tdx: tdx)
  }

  /// A cluster of one node that keeps the bytes of its files here.
  init(blobBytes: any BlobBytes) throws {
    try self.init(
      MirrorKeeper(), FakeClock(), nodes: 1, signup: .open, seed: 7, rpId: "localhost", blobBytes: blobBytes)
  }

  /// A cluster that goes on from what this one wrote, as after a process that was killed.
  func restarted(nodes: Int = 3) throws -> Rig {
    try Rig(MirrorKeeper(keeper.rows), clock, nodes: nodes, signup: .open, seed: 7, rpId: "localhost")
  }

  private init(
    _ keeper: MirrorKeeper, _ clock: FakeClock, nodes: Int, signup: FakeCloud.SignupMode, seed: UInt64?,
    rpId: String, tdx: TestPKI? = nil, blobBytes: any BlobBytes = MemoryBlobBytes()
  ) throws {
    let cloud = try FakeCloud(
      keptBy: keeper, blobBytes: blobBytes, nodes: nodes, rpId: rpId, signup: signup, clock: clock.clock,
      seed: seed, tdx: tdx)
    self.keeper = keeper
    self.clock = clock
    self.cloud = cloud
    channels = try cloud.nodes.map { node in
      let transport = cloud.transport
      return try SealedChannel(
        base: node.url, attest: { _ in try await Self.attest(node.url, transport) }, transport: transport,
        clock: clock.clock, random: .system)
    }
  }

  /// What would not survive the cluster, in words; nothing.
  func lost() throws -> [String] { try cloud.lost(in: keeper) }

  static func attest(_ url: URL, _ transport: any HTTPTransport) async throws -> [UInt8] {
    let body = JSONValue.object([
      "nonce": .string(String(repeating: "ab", count: 32)), "bindTransportKey": true, "bindCluster": true,
      "includeCollateral": false,
    ])
    let answer = try await transport.send(
      HTTPRequest(
        .post, url.appendingPathComponent("tee/attest"), headers: ["content-type": "application/json"],
        body: .data(body.data())))
    let json = try JSONValue(parsing: try await answer.body.collect(upTo: 1 << 20))
    return try Hex.decode(json["transportPublicKey"]?.stringValue ?? "")
  }

  struct Reply {
    let status: Int
    let headers: HTTPHeaders
    let json: JSONValue

    var code: String? { json["error"]?["code"]?.stringValue }
    var details: JSONValue? { json["error"]?["details"] }
  }

  /// Opens a request's response, for streams.
  func open(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, node: Int = 0,
    headers: [(String, String)] = []
  ) async throws -> HTTPResponse {
    try await open(method, path, bytes: Data((body ?? "").utf8), token: token, node: node, headers: headers)
  }

  private func open(
    _ method: String, _ path: String, bytes: Data, token: String?, node: Int, headers: [(String, String)]
  ) async throws -> HTTPResponse {
    var all = headers
    for (name, value) in [("x-calimero-request-id", "r-1"), ("x-calimero-attempt", "1")]
    where !headers.contains(where: { $0.0 == name }) {
      all.append((name, value))
    }
    if let token { all.append(("authorization", "Bearer \(token)")) }
    return try await channels[node].send(
      method: method, innerPath: path, headers: all, body: bytes, timeout: 60, idleTimeout: 45)
  }

  @discardableResult
  func send(
    _ method: String, _ path: String, _ body: String? = nil, token: String? = nil, node: Int = 0,
    headers: [(String, String)] = []
  ) async throws -> Reply {
    try await reply(
      to: "\(method) \(path)", open(method, path, body, token: token, node: node, headers: headers))
  }

  /// Posts bytes as they are.
  @discardableResult
  func send(bytes: Data, to path: String, token: String? = nil, node: Int = 0) async throws -> Reply {
    let headers = [("content-type", "application/octet-stream")]
    return try await reply(
      to: "POST \(path)", open("POST", path, bytes: bytes, token: token, node: node, headers: headers))
  }

  private func reply(to request: String, _ response: HTTPResponse) async throws -> Reply {
    let data = try await response.body.collect(upTo: 32 << 20)
    // Reading everything again takes its time where there is much.
    if keeper.size < 200 { #expect(try lost() == [], "after \(request)") }
    return Reply(
      status: response.status, headers: response.headers,
      json: data.isEmpty ? .null : try JSONValue(parsing: data))
  }

  /// Signs an account up and answers its session.
  func signUp(_ name: String, with key: HandPasskey = HandPasskey(), node: Int = 0) async throws -> JSONValue
  {
    let begun = try await send("POST", "/auth/signup/begin", #"{"name":"\#(name)"}"#, node: node)
    let finish = try key.registration(for: begun.json)
    let reply = try await send("POST", "/auth/signup/finish", finish.text, node: node)
    try #require(reply.status == 201, "\(reply.json)")
    return reply.json
  }

  /// An account with an organization and an app that runs `package`.
  func appOf(_ name: String, package: String = "com.calimero.chat") async throws -> (
    token: String, app: String
  ) {
    let session = try await signUp(name)
    let token = try #require(session["accessToken"]?.stringValue)
    let org = try await send("POST", "/orgs", #"{"name":"Acme"}"#, token: token)
    let orgId = try #require(org.json["orgId"]?.stringValue)
    let app = try await send(
      "POST", "/apps", #"{"name":"app","package":"\#(package)","org":"\#(orgId)"}"#, token: token)
    return (token, try #require(app.json["appId"]?.stringValue, "\(app.json)"))
  }
}

/// Whether a condition comes true while others run. It gives way rather than sleeping, and gives up after ten seconds.
func eventually(_ isTrue: () -> Bool) async -> Bool {
  let end = Date().addingTimeInterval(10)
  while !isTrue() {
    if Date() > end { return false }
    await Task.yield()
  }
  return true
}

/// A passkey made by hand, byte for byte from the specification (70 §2.10), with every part replaceable.
final class HandPasskey {
  enum Key {
    case ed25519(Ed25519.PrivateKey)
    case es256(P256.PrivateKey)
  }

  let key: Key
  var credentialId: [UInt8]
  var origin = "http://localhost:2501"
  var rpId = "localhost"
  var createType = "webauthn.create"
  var getType = "webauthn.get"
  var createFlags: UInt8 = 0x45
  var getFlags: UInt8 = 0x05
  var crossOrigin = false
  var counter: UInt32 = 0
  var challengeOverride: String?
  var userHandle: String?
  var breaksSignature = false
  var trailing: [UInt8] = []

  init(_ key: Key? = nil) {
    credentialId = SecureRandom.bytes(16)
    self.key = key ?? .ed25519(Self.newEd25519())
  }

  static func es256() throws -> HandPasskey {
    HandPasskey(.es256(try P256.PrivateKey(scalar: [UInt8](repeating: 0, count: 31) + [7])))
  }

  private static func newEd25519() -> Ed25519.PrivateKey {
    do { return try Ed25519.PrivateKey(seed: SecureRandom.bytes(32)) } catch {
      preconditionFailure("\(error)")
    }
  }

  private var id: String { Base64URL.encode(credentialId) }

  private var cose: [UInt8] {
    switch key {
    case .ed25519(let key): return [0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 0x20] + key.publicKey.bytes
    case .es256(let key):
      return [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20] + key.publicKey.x + [0x22, 0x58, 0x20]
        + key.publicKey.y
    }
  }

  private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
    Array(
      #"{"type":"\#(type)","challenge":"\#(challengeOverride ?? challenge)","origin":"\#(origin)","crossOrigin":\#(crossOrigin)}"#
        .utf8)
  }

  private func authenticatorData(_ flags: UInt8) -> [UInt8] {
    SHA256.hash(Array(rpId.utf8)) + [flags]
      + (0..<4).map { UInt8(truncatingIfNeeded: counter >> (24 - 8 * $0)) }
  }

  func registration(for ceremony: JSONValue) throws -> JSONValue {
    let challenge = try #require(ceremony["options"]?["challenge"]?.stringValue, "\(ceremony)")
    userHandle = ceremony["options"]?["user"]?["id"]?.stringValue
    let data =
      authenticatorData(createFlags) + [UInt8](repeating: 0, count: 16) + [0, UInt8(credentialId.count)]
      + credentialId + cose + trailing
    let object =
      [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [
        0xA0, 0x68,
      ]
      + Array("authData".utf8) + [0x59, UInt8(data.count >> 8), UInt8(data.count & 255)] + data
    return [
      "ceremonyId": ceremony["ceremonyId"] ?? .null,
      "credential": [
        "id": .string(id), "rawId": .string(id), "type": "public-key",
        "response": [
          "clientDataJSON": .string(Base64URL.encode(clientData(createType, challenge))),
          "attestationObject": .string(Base64URL.encode(object)),
        ],
        "clientExtensionResults": [:],
      ],
    ]
  }

  func assertion(for ceremony: JSONValue) throws -> JSONValue {
    let challenge = try #require(ceremony["options"]?["challenge"]?.stringValue, "\(ceremony)")
    let clientData = clientData(getType, challenge)
    let data = authenticatorData(getFlags)
    let message = data + SHA256.hash(clientData)
    var signature: [UInt8]
    switch key {
    case .ed25519(let key): signature = try key.sign(message)
    case .es256(let key): signature = try key.sign(message)
    }
    if breaksSignature { signature[signature.count - 1] ^= 1 }
    var response: JSONObject = [
      "clientDataJSON": .string(Base64URL.encode(clientData)),
      "authenticatorData": .string(Base64URL.encode(data)), "signature": .string(Base64URL.encode(signature)),
    ]
    response["userHandle"] = userHandle.map { .string($0) }
    return [
      "ceremonyId": ceremony["ceremonyId"] ?? .null,
      "credential": [
        "id": .string(id), "rawId": .string(id), "type": "public-key", "response": .object(response),
      ],
    ]
  }
}
