import Foundation
import MeroCrypto
import MeroWire
import Testing

@testable import MeroKitTestSupport

/// A cluster in which one account has everything that an operation may name: it owns an organization that may deploy, is an
/// operator, and has of all other things one.
struct FuzzWorld {
  let base: OperatorWorld
  /// Whose requests they are; on the roster of operators too.
  let ada: OperatorWorld.Operator
  let refreshToken: String
  /// By the names that paths and queries have for them.
  let ids: [String: String]
  let inviteCode: String
  /// A consent request that was approved, and the code that came of it.
  let approved: (request: String, code: String)
  /// An organization that has applied to deploy, and one that has not.
  let other: String
  let third: String
  static let verifier = "0123456789012345678901234567890123456789012"
  /// The bytes of one part of the upload.
  static let part = 400

  var rig: Rig { base.rig }
  var cloud: FakeCloud { base.rig.cloud }
  var token: String { ada.token }

  init() async throws {
    // A view that waits for what will never be stops waiting after two seconds.
    let world = try await OperatorWorld(nodes: 2, clock: FakeClock(autoAdvance: 2))
    let rig = world.rig
    let cloud = rig.cloud
    base = world
    try await world.approveAcme()
    let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: 5, count: 32))
    cloud.addOperator("ada", key: key.publicKey.bytes)
    ada = OperatorWorld.Operator(person: world.ada, key: key)
    // Until the fuzz begins nobody is asked for anything.
    cloud.store.withState { $0.waivesQuestions = true }
    cloud.setFileLimits(oneRequest: 4_096, part: Self.part)
    cloud.setRedirectUris(["notes://consent"], of: "com.calimero.chat")
    cloud.register(
      FakePackage("com.calimero.chat", version: "1.5.0") {
        $0.call("send_message") { context, _ in
          context.emit("Message")
          return true
        }
        $0.view("get_messages") { _, _ in [] }
      })
    let (token, acme) = (world.ada.token, world.acme)
    func make(_ method: String, _ path: String, _ body: String? = nil) async throws -> JSONValue {
      let reply = try await rig.send(method, path, body, token: token)
      try #require((200..<300).contains(reply.status), "\(method) \(path): \(reply.json)")
      return reply.json
    }
    let bob = try await OperatorWorld.person("bob", in: rig)
    cloud.join("bob", org: acme, as: "member")

    var ids = [
      "org": acme, "account": bob.id, "principal": bob.id, "index": "0", "node": cloud.nodes[1].id,
      "package": "com.acme.counter", "version": "1.0.0", "release": "9.9.9",
    ]
    let app = try await make(
      "POST", "/apps",
      #"{"name":"app","package":"com.calimero.chat","version":"1.4.0","org":"\#(acme)"}"#)["appId"].text
    ids["app"] = app
    ids["team"] = try await make("POST", "/orgs/\(acme)/teams", #"{"name":"Design"}"#)["teamId"].text
    _ = try await make("PUT", "/orgs/\(acme)/teams/\(ids["team"].text)/members/\(bob.id)", "{}")
    _ = try await make("PUT", "/apps/\(app)/members/\(bob.id)", #"{"role":"reader"}"#)
    let invite = try await make("POST", "/orgs/\(acme)/invites", #"{"role":"member","maxUses":99}"#)
    ids["invite"] = invite["invite"]?["inviteId"].text
    inviteCode = invite["code"].text

    ids["key"] =
      try await make("POST", "/auth/api-keys", #"{"label":"k","scopes":["apps:view"]}"#)["key"]?["keyId"].text
    let begun = try await make("POST", "/auth/passkeys/begin", "{}")
    let passkey = try await make(
      "POST", "/auth/passkeys/finish", try HandPasskey().registration(for: begun).text)
    ids["passkey"] = passkey["passkeyId"].text
    let again = try await make("POST", "/auth/signin/begin", #"{"name":"ada"}"#)
    world.ada.passkey.counter += 1
    let session = try await make(
      "POST", "/auth/signin/finish", try world.ada.passkey.assertion(for: again).text)
    ids["session"] = session["sessionId"].text
    refreshToken = session["refreshToken"].text

    let blob = try await rig.send(bytes: Data("a file".utf8), to: "/apps/\(app)/blobs", token: token)
    ids["blob"] = blob.json["blobId"].text
    let file = Data(repeating: 7, count: 2 * Self.part)
    let hash = Hex.encode(SHA256.hash(file))
    ids["upload"] =
      try await make("POST", "/apps/\(app)/uploads", #"{"size":\#(file.count),"sha256":"\#(hash)"}"#)[
        "uploadId"
      ]
      .text
    for part in 0..<2 {
      let path = "/apps/\(app)/uploads/\(ids["upload"].text)/parts/\(part)"
      let text = String(decoding: file.prefix(Self.part), as: UTF8.self)
      _ = try await make("PUT", path, text)
    }
    ids["job"] =
      try await make("POST", "/apps/\(app)/jobs", #"{"method":"send_message","args":{"message":"hi"}}"#)[
        "jobId"
      ]
      .text
    ids["timer"] =
      try await make(
        "POST", "/apps/\(app)/timers", #"{"method":"send_message","schedule":{"everyMs":3600000}}"#)[
        "timerId"
      ].text

    let challenge = Base64URL.encode(SHA256.hash(Array(Self.verifier.utf8)))
    let asking = """
      {"package":"com.calimero.chat","scopes":["apps:read"],"redirectUri":"notes://consent",\
      "state":"a-state-of-22-characters","codeChallenge":"\(challenge)"}
      """
    let granted = try await make("POST", "/consent/requests", asking)["requestId"].text
    let answer = try await make(
      "POST", "/consent/requests/\(granted)/approve", #"{"scopes":["apps:read"]}"#)
    let items = URLComponents(string: answer["redirectUrl"].text)?.queryItems
    approved = (granted, (items?.first { $0.name == "code" }?.value).map { $0 } ?? "")
    ids["grant"] = try await make("GET", "/consent/grants")["grants"]?[0]?["grantId"].text
    ids["request"] = try await make("POST", "/consent/requests", asking)["requestId"].text

    try #require(try await world.publish(OperatorWorld.counter("1.0.0")).status == 201)
    ids["deployment"] =
      try await make(
        "POST", "/deployments", #"{"package":"com.acme.counter","version":"1.0.0","org":"\#(acme)"}"#)[
        "deploymentId"
      ]
      .text
    let decision = try await make("GET", "/ops/decisions?state=pending")["decisions"]?[0]?["decisionId"].text
    _ = try await make("POST", "/ops/decisions/\(decision.text)/votes", #"{"verdict":"approve"}"#)
    try #require(
      try await world.publish(FakePackage("com.acme.more", version: "1.0.0") { _ in }).status == 201)
    ids["deployer"] = try await make("GET", "/deployments/deployers")["deployers"]?[0]?["deployerId"].text
    other = try await make("POST", "/orgs", #"{"name":"Beta"}"#)["orgId"].text
    third = try await make("POST", "/orgs", #"{"name":"Gamma"}"#)["orgId"].text
    let signup = try await make(
      "POST", "/deployments/signups", #"{"org":"\#(other)","reason":"An internal chat."}"#)
    ids["signup"] = signup["signupId"].text
    ids["decision"] = signup["decisionId"].text
    for (name, id) in ids { try #require(!id.isEmpty, "\(name)") }
    self.ids = ids
  }
}

extension String? {
  /// A text that has to be there.
  fileprivate var text: String { self ?? "" }
}
