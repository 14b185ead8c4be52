import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: the order of checks where a passkey may be asked for")
struct CheckOrderTests {
  /// An operation, a body it cannot take (for one without a body, any), and one it can.
  struct Asked: CustomTestStringConvertible, Sendable {
    let method: String
    let path: String
    let broken: String
    let good: String?
    /// A member whose role is too weak.
    var weak = "viewer"

    var testDescription: String { "\(method) \(path)" }
  }

  static let asked: [Asked] = [
    Asked(method: "PATCH", path: "/orgs/{org}", broken: #"{"name":7}"#, good: #"{"name":"New"}"#),
    Asked(method: "DELETE", path: "/orgs/{org}", broken: "{}", good: nil, weak: "admin"),
    Asked(
      method: "PATCH", path: "/orgs/{org}/members/{member}", broken: #"{"role":"king"}"#,
      good: #"{"role":"admin"}"#),
    Asked(
      method: "PATCH", path: "/orgs/{org}/members/{member}", broken: #"{"role":"owner","x":1}"#,
      good: #"{"role":"owner"}"#, weak: "admin"),
    Asked(method: "DELETE", path: "/orgs/{org}/members/{member}", broken: "x", good: nil),
    Asked(
      method: "POST", path: "/orgs/{org}/invites", broken: #"{"role":"king"}"#, good: #"{"role":"member"}"#),
    Asked(
      method: "POST", path: "/orgs/{org}/invites", broken: #"{"role":"admin","maxUses":0}"#,
      good: #"{"role":"admin"}"#, weak: "admin"),
    Asked(method: "DELETE", path: "/orgs/{org}/invites/{invite}", broken: "{}", good: nil),
    Asked(method: "POST", path: "/orgs/{org}/teams", broken: "[]", good: #"{"name":"New"}"#),
    Asked(method: "PATCH", path: "/orgs/{org}/teams/{team}", broken: "{}", good: #"{"name":"New"}"#),
    Asked(method: "DELETE", path: "/orgs/{org}/teams/{team}", broken: "{}", good: nil),
    Asked(
      method: "PUT", path: "/orgs/{org}/teams/{team}/members/{member}", broken: #"{"lead":1}"#, good: "{}"),
    Asked(
      method: "DELETE", path: "/orgs/{org}/teams/{team}/members/{member}", broken: "{}", good: nil),
    Asked(method: "GET", path: "/orgs/{org}/invites", broken: "{}", good: nil),
  ]

  @Test(
    "a stranger with a broken body gets 404, a weak role with one 403, and who may do it 400, before any passkey",
    arguments: asked)
  func order(asked: Asked) async throws {
    let rig = try Rig(nodes: 1)
    let owner = try await rig.person("ada")
    let (weak, member) = (try await rig.person("weak"), try await rig.person("member"))
    let stranger = try await rig.person("eve")
    let org = try await rig.org(of: owner)
    rig.cloud.join("weak", org: org, as: asked.weak)
    rig.cloud.join("member", org: org, as: "member")
    let team = try await rig.team(of: owner, in: org)
    let invite = try await rig.invite(to: org, by: owner).id
    var path = asked.path
    for (name, id) in [("org", org), ("team", team), ("member", member.account), ("invite", invite)] {
      path = path.replacingOccurrences(of: "{\(name)}", with: id)
    }
    func code(_ body: String?, _ token: String?) async throws -> String? {
      try await rig.send(asked.method, path, body, token: token).code
    }
    #expect(try await code(asked.broken, nil) == "UNAUTHENTICATED")
    #expect(try await code(asked.broken, stranger.token) == "NOT_FOUND")
    #expect(try await code(asked.good, stranger.token) == "NOT_FOUND")
    #expect(try await code(asked.broken, weak.token) == "FORBIDDEN")
    #expect(try await code(asked.good, weak.token) == "FORBIDDEN")
    let refused = try await rig.send(asked.method, path, asked.broken, token: owner.token)
    #expect(refused.status == 400, "\(refused.json)")
    rig.cloud.suspend(org: org)
    #expect(try await code(asked.broken, stranger.token) == "NOT_FOUND")
    let suspended = try await rig.send(asked.method, path, asked.broken, token: owner.token)
    #expect(suspended.code == "SUSPENDED")
    #expect(suspended.details == ["subject": "organization"])
    #expect(rig.cloud.violations == [])
  }

  @Test("nobody is asked for a passkey for what cannot be done anyway")
  func notInVain() async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    let org = try await rig.org(of: ada)
    let app = try await rig.app(of: ada, in: org)
    rig.cloud.setState("upgrading", ofApp: app)
    let me = "/orgs/\(org)/members/\(ada.account)"
    let passkeys = try await rig.send("GET", "/auth/passkeys", token: ada.token).texts(
      "passkeys", "passkeyId")
    for (method, path, body, code) in [
      ("DELETE", "/orgs/\(org)", nil, "CONFLICT"), ("PATCH", me, #"{"role":"admin"}"#, "LAST_OWNER"),
      ("DELETE", "/orgs/\(org)/members/acc_none", nil, "NOT_FOUND"),
      ("DELETE", "/orgs/\(org)/teams/team_none", nil, "NOT_FOUND"),
      ("POST", "/orgs/\(org)/invites", #"{"role":"member","teams":["team_none"]}"#, "NOT_FOUND"),
      ("DELETE", "/auth/passkeys/\(passkeys.first ?? "")", nil, "LAST_PASSKEY"),
      ("DELETE", "/auth/passkeys/pk_none", nil, "NOT_FOUND"),
      ("POST", "/auth/api-keys", #"{"label":"x","scopes":["all"]}"#, "INVALID_ARGUMENT"),
    ] as [(String, String, String?, String)] {
      #expect(try await rig.send(method, path, body, token: ada.token).code == code, "\(method) \(path)")
    }
    rig.cloud.setState("ready", ofApp: app)
    #expect(try await rig.confirmed("DELETE", "/orgs/\(org)", by: ada).status == 204)
    #expect(rig.cloud.violations == [])
  }
}
