import Foundation
import MeroCrypto
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: confirmations")
struct ConfirmationTests {
  /// A request that a passkey confirms and that may be done again and again.
  static let body = #"{"role":"member"}"#

  struct Scene {
    let rig: Rig
    let ada: Person
    let org: String
    var path: String { "/orgs/\(org)/invites" }

    init(nodes: Int = 1) async throws {
      rig = try Rig(nodes: nodes)
      ada = try await rig.person("ada")
      org = try await rig.org(of: ada)
    }

    func ask(_ body: String = ConfirmationTests.body) async throws -> Rig.Reply {
      try await rig.send("POST", path, body, token: ada.token)
    }

    func answer(_ header: (String, String), _ body: String = ConfirmationTests.body, node: Int = 0)
      async throws -> Rig.Reply
    {
      try await rig.send("POST", path, body, token: ada.token, node: node, headers: [header])
    }

    func invites() async throws -> Int {
      try await rig.send("GET", path, token: ada.token).json["invites"]?.arrayValue?.count ?? -1
    }
  }

  @Test("the challenge is the hash of cluster, time, nonce and the whole request")
  func challenge() async throws {
    let scene = try await Scene()
    let asked = try await scene.ask()
    #expect(asked.status == 412)
    let details = try #require(asked.details)
    let expiresAt = try #require(details["expiresAt"]?.int64)
    #expect(expiresAt == 1_790_000_300_000)
    #expect(details["action"] == "org_invite_create")
    func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) }
    var bytes = Array("calimero/confirm/1".utf8) + scene.rig.cloud.clusterId
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: expiresAt >> (8 * $0)) }
    bytes += try Hex.decode(details["nonce"]?.stringValue ?? "")
    bytes += text("POST") + text(scene.path) + SHA256.hash(Array(Self.body.utf8))
    #expect(details["options"]?["challenge"]?.stringValue == Base64URL.encode(SHA256.hash(bytes)))
    #expect(details["options"]?["allowCredentials"]?.arrayValue?.count == 1)
    let passkeys = try await scene.rig.send("GET", "/auth/passkeys", token: scene.ada.token)
    #expect(
      details["options"]?["allowCredentials"]?[0]?["id"] == passkeys.json["passkeys"]?[0]?["credentialId"])
  }

  @Test(
    "a request that is confirmed at one node counts at another, once; a repeat within a minute may come again"
  )
  func right() async throws {
    let scene = try await Scene(nodes: 3)
    let header = try await scene.rig.confirmation(of: scene.ask(), with: scene.ada.passkey)
    #expect(try await scene.answer(header, node: 1).status == 201)
    // The question's id alone confirms nothing, however lately it was answered.
    let id = header.1.split(separator: ".").dropLast().joined(separator: ".")
    let forged = try await scene.answer((header.0, "\(id).\(Base64URL.encode(Array("{}".utf8)))"), node: 1)
    #expect(forged.details == ["reason": "spent"])
    await scene.rig.clock.advance(by: 59.999)
    #expect(try await scene.answer(header, node: 2).status == 201)
    await scene.rig.clock.advance(by: 0.001)
    let spent = try await scene.answer(header)
    #expect(spent.status == 403)
    #expect(spent.code == "CONFIRM_REJECTED")
    #expect(spent.details == ["reason": "spent"])
    #expect(try await scene.invites() == 2)
    #expect(scene.rig.cloud.violations == [])
  }

  @Test("a confirmation given for one request does not stand for another")
  func otherRequest() async throws {
    let scene = try await Scene()
    let (rig, ada) = (scene.rig, scene.ada)
    let other = try await rig.org(of: ada, "Other")
    let header = try await rig.confirmation(of: scene.ask(), with: ada.passkey)
    for (method, path, body) in [
      ("POST", scene.path, #"{"role":"admin"}"#), ("POST", scene.path, #"{"role": "member"}"#),
      ("POST", "/orgs/\(other)/invites", Self.body), ("DELETE", "/orgs/\(scene.org)", nil),
      ("POST", "/auth/passkeys/begin", "{}"),
    ] as [(String, String, String?)] {
      let reply = try await rig.send(method, path, body, token: ada.token, headers: [header])
      #expect(reply.code == "CONFIRM_REJECTED", "\(method) \(path)")
      #expect(reply.details == ["reason": "mismatch"], "\(method) \(path)")
    }
    // What was tried with it elsewhere has not spent it.
    #expect(try await scene.answer(header).status == 201)
    #expect(try await scene.invites() == 1)
  }

  @Test("another account's passkey confirms nothing, and neither does another account's question")
  func otherAccount() async throws {
    let scene = try await Scene()
    let bob = try await scene.rig.person("bob")
    scene.rig.cloud.join("bob", org: scene.org, as: "owner")
    let asked = try await scene.ask()
    let foreign = try await scene.answer(try scene.rig.confirmation(of: asked, with: bob.passkey))
    #expect(foreign.code == "CONFIRM_REJECTED")
    #expect(foreign.details == ["reason": "credential"])
    let header = try await scene.rig.confirmation(of: scene.ask(), with: scene.ada.passkey)
    let stolen = try await scene.rig.send(
      "POST", scene.path, Self.body, token: bob.token, headers: [header])
    #expect(stolen.details == ["reason": "mismatch"])
    #expect(try await scene.invites() == 0)
  }

  static let spoils: [(String, @Sendable (HandPasskey) -> Void)] = [
    ("signature", { $0.breaksSignature = true }), ("challenge", { $0.challengeOverride = "AAAA" }),
    ("type", { $0.getType = "webauthn.create" }), ("origin", { $0.origin = "https://evil.example" }),
    ("relying party", { $0.rpId = "example.com" }), ("user verification", { $0.getFlags = 0x01 }),
    ("user handle", { $0.userHandle = "AAAA" }),
  ]

  @Test("an answer with a wrong part is refused and spends the question", arguments: spoils)
  func badAnswer(what: String, spoil: @Sendable (HandPasskey) -> Void) async throws {
    let scene = try await Scene()
    let asked = try await scene.ask()
    let good = try scene.rig.confirmation(of: asked, with: scene.ada.passkey)
    spoil(scene.ada.passkey)
    let bad = try scene.rig.confirmation(of: asked, with: scene.ada.passkey)
    let refused = try await scene.answer(bad)
    #expect(refused.code == "CONFIRM_REJECTED", "\(what)")
    #expect(refused.details == ["reason": "signature"], "\(what)")
    let late = try await scene.answer(good)
    #expect(late.details == ["reason": "spent"], "\(what)")
    #expect(try await scene.invites() == 0)
  }

  @Test(
    "a header that is none is a mismatch", arguments: ["", "v1", "v1.x.y", "v2.x.e30", "v1..", "x.y.z.w"])
  func badHeader(value: String) async throws {
    let scene = try await Scene()
    let reply = try await scene.answer(("x-calimero-confirm", value))
    #expect(reply.code == "CONFIRM_REJECTED")
    #expect(reply.details == ["reason": "mismatch"])
  }

  @Test("after five minutes the question is put anew, and says why")
  func expired() async throws {
    let scene = try await Scene()
    let asked = try await scene.ask()
    let header = try scene.rig.confirmation(of: asked, with: scene.ada.passkey)
    await scene.rig.clock.advance(by: 300)
    let late = try await scene.answer(header)
    #expect(late.code == "CONFIRM_REQUIRED")
    #expect(late.details?["reason"] == "expired")
    #expect(late.details?["confirmId"] != asked.details?["confirmId"])
    #expect(try await scene.answer(scene.rig.confirmation(of: late, with: scene.ada.passkey)).status == 201)
    #expect(scene.rig.cloud.violations == [])
  }

  @Test("a machine is told that a person is needed, whether or not it sends a confirmation")
  func machine() async throws {
    let scene = try await Scene()
    let key = try await scene.rig.key(["orgs:manage"], of: scene.ada)
    let header = try await scene.rig.confirmation(of: scene.ask(), with: scene.ada.passkey)
    for headers in [[], [header]] {
      let reply = try await scene.rig.send("POST", scene.path, Self.body, token: key, headers: headers)
      #expect(reply.status == 403)
      #expect(reply.code == "HUMAN_REQUIRED")
    }
    #expect(try await scene.invites() == 0)
  }
}
