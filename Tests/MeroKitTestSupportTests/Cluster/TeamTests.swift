import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: organizations, teams and what apps hear of them")
struct TeamTests {
  struct Scene {
    let rig: Rig
    let (ada, bob): (Person, Person)
    let org: String

    init() async throws {
      rig = try Rig()
      ada = try await rig.person("ada")
      bob = try await rig.person("bob")
      org = try await rig.org(of: ada)
      rig.cloud.join("bob", org: org, as: "member")
    }

    func put(_ person: Person, in team: String, _ body: String = "{}") async throws -> Rig.Reply {
      try await rig.send(
        "PUT", "/orgs/\(org)/teams/\(team)/members/\(person.account)", body, token: ada.token)
    }

    /// The `calimero.` events of an app: kind and data.
    func events(of app: String) async throws -> [[JSONValue?]] {
      let page = try await rig.send("GET", "/apps/\(app)/events", token: ada.token)
      return (page.json["events"]?.arrayValue ?? []).map { [$0["kind"], $0["data"], $0["actor"]] }
    }
  }

  @Test("a team is its maker's to lead; names are unique in the organization, whatever their case")
  func names() async throws {
    let scene = try await Scene()
    let (rig, ada, org) = (scene.rig, scene.ada, scene.org)
    let design = try await rig.team(of: ada, in: org, "Design")
    let members = try await rig.send("GET", "/orgs/\(org)/teams/\(design)/members", token: ada.token)
    #expect(members.json["members"] == [["accountId": .string(ada.account), "name": "ada", "lead": true]])
    let path = "/orgs/\(org)/teams"
    #expect(try await rig.send("POST", path, #"{"name":"DESIGN"}"#, token: ada.token).code == "NAME_TAKEN")
    #expect(try await rig.send("POST", path, #"{"name":"x "}"#, token: ada.token).code == "INVALID_ARGUMENT")
    let code = try await rig.team(of: ada, in: org, "Code")
    let other = try await rig.org(of: ada, "Other")
    _ = try await rig.team(of: ada, in: other, "Design")
    func rename(_ team: String, _ name: String) async throws -> Rig.Reply {
      try await rig.send("PATCH", "\(path)/\(team)", #"{"name":"\#(name)"}"#, token: ada.token)
    }
    #expect(try await rename(code, "design").code == "NAME_TAKEN")
    #expect(try await rename(design, "design").json["name"] == "design")
    #expect(try await rename(code, "Apps").json["memberCount"] == 1)
    #expect(try await rig.send("GET", path, token: ada.token).texts("teams", "name") == ["Apps", "design"])
    #expect(try await rig.send("GET", "/orgs/\(org)", token: ada.token).json["teamCount"] == 2)
    #expect(rig.cloud.violations == [])
  }

  @Test("members of the organization are put in a team, made its leads and taken out; leads come first")
  func members() async throws {
    let scene = try await Scene()
    let (rig, ada, bob, org) = (scene.rig, scene.ada, scene.bob, scene.org)
    let zoe = try await rig.person("zoe")
    let team = try await rig.team(of: ada, in: org)
    #expect(try await scene.put(zoe, in: team).code == "NOT_FOUND")
    rig.cloud.join("zoe", org: org, as: "viewer")
    #expect(try await scene.put(bob, in: team).json["lead"] == false)
    #expect(try await scene.put(zoe, in: team, #"{"lead":true}"#).json["lead"] == true)
    func names() async throws -> [String] {
      try await rig.send("GET", "/orgs/\(org)/teams/\(team)/members", token: bob.token)
        .texts("members", "name")
    }
    #expect(try await names() == ["ada", "zoe", "bob"])
    #expect(try await scene.put(zoe, in: team).json["lead"] == false)
    #expect(try await names() == ["ada", "bob", "zoe"])
    for account in [bob.account, bob.account, "acc_none"] {
      let path = "/orgs/\(org)/teams/\(team)/members/\(account)"
      #expect(try await rig.send("DELETE", path, token: ada.token).status == 204)
    }
    #expect(try await names() == ["ada", "zoe"])
    #expect(rig.cloud.violations == [])
  }

  @Test("who leaves an organization is out of its teams, and comes back to none")
  func leaving() async throws {
    let scene = try await Scene()
    let (rig, ada, bob, org) = (scene.rig, scene.ada, scene.bob, scene.org)
    let team = try await rig.team(of: ada, in: org)
    _ = try await scene.put(bob, in: team)
    #expect(
      try await rig.send("DELETE", "/orgs/\(org)/members/\(bob.account)", token: bob.token).status == 204)
    let invite = try await rig.invite(to: org, by: ada)
    try await rig.send("POST", "/orgs/invites/accept", #"{"code":"\#(invite.code)"}"#, token: bob.token)
    let members = try await rig.send("GET", "/orgs/\(org)/members", token: ada.token)
    #expect(members.texts("members", "name") == ["ada", "bob"])
    #expect(members.json["members"]?[1]?["teams"] == [])
  }

  @Test("an app hears of those whose role in it a change of the organization changed, and of nobody else")
  func events() async throws {
    let scene = try await Scene()
    let (rig, ada, bob, org) = (scene.rig, scene.ada, scene.bob, scene.org)
    let open = try await rig.app(of: ada, in: org, "open", access: "writer")
    let closed = try await rig.app(of: ada, in: org, "closed")
    func change(_ role: String) async throws {
      try await rig.confirmed(
        "PATCH", "/orgs/\(org)/members/\(bob.account)", #"{"role":"\#(role)"}"#, by: ada)
    }
    try await change("admin")
    try await change("owner")
    try await rig.confirmed("DELETE", "/orgs/\(org)/members/\(bob.account)", by: ada)
    let principal = JSONValue.string(bob.account)
    let actor = JSONValue.string(ada.account)
    let manager: JSONValue = ["principal": principal, "role": "manager", "removed": false]
    let removed: JSONValue = ["principal": principal, "role": "manager", "removed": true]
    let expected: [[JSONValue?]] = [
      ["calimero.members", manager, actor], ["calimero.members", removed, actor],
    ]
    #expect(try await scene.events(of: open) == expected)
    #expect(try await scene.events(of: closed) == expected)
    let page = try await rig.send("GET", "/apps/\(open)/events", token: ada.token, node: 2)
    let places = page.json["events"]?.arrayValue?.map { [$0["seq"]?.int, $0["index"]?.int] }
    // After the beginning, which is 0 and 0, and in order; the app's position did not move.
    #expect(places == [[0, 1], [0, 2]])
    let call = #"{"method":"send_message","args":{"message":"hi"}}"#
    try await rig.send("POST", "/apps/\(open)/intents", call, token: ada.token)
    let invite = try await rig.invite(#"{"role":"viewer"}"#, to: org, by: ada)
    try await rig.send("POST", "/orgs/invites/accept", #"{"code":"\#(invite.code)"}"#, token: bob.token)
    let last = try await rig.send("GET", "/apps/\(open)/events", token: ada.token).json["events"]?.arrayValue
    #expect(last?.last?["data"] == ["principal": principal, "role": "reader", "removed": false])
    #expect(last?.last?["actor"] == principal)
    #expect(last?.map { $0["seq"]?.int } == [0, 0, 1, 1])
    #expect(last?.map { $0["index"]?.int } == [1, 2, 0, 1])
    #expect(try await scene.events(of: closed).count == 2)
    #expect(rig.cloud.violations == [])
  }

  @Test("a stream of somebody who has no part in the app any more ends, and does not open again")
  func streamOfRemoved() async throws {
    let scene = try await Scene()
    let (rig, ada, bob, org) = (scene.rig, scene.ada, scene.bob, scene.org)
    let app = try await rig.app(of: ada, in: org, access: "reader")
    let stream = try await rig.open("GET", "/apps/\(app)/events/stream", token: bob.token)
    let mine = try await rig.open("GET", "/apps/\(app)/events/stream", token: ada.token)
    #expect(rig.cloud.openStreams(of: app) == 2)
    try await rig.confirmed("DELETE", "/orgs/\(org)/members/\(bob.account)", by: ada)
    // It comes to an end, whatever was said before.
    _ = try await stream.body.collect(upTo: 1 << 20)
    #expect(rig.cloud.openStreams(of: app) == 1)
    let again = try await rig.open("GET", "/apps/\(app)/events/stream", token: bob.token)
    #expect(again.status == 404)
    withExtendedLifetime(mine) {}
  }

  @Test("an organization goes with its apps, teams and invitations; their streams say so and end")
  func deletion() async throws {
    let scene = try await Scene()
    let (rig, ada, bob, org) = (scene.rig, scene.ada, scene.bob, scene.org)
    let app = try await rig.app(of: ada, in: org, access: "writer")
    let invite = try await rig.invite(to: org, by: ada)
    let stream = try await rig.open(
      "GET", "/apps/\(app)/events/stream?kinds=Nothing", token: bob.token, node: 2)
    let call = #"{"method":"send_message","args":{"message":"hi"}}"#
    try await rig.send("POST", "/apps/\(app)/intents", call, token: ada.token)
    #expect(try await rig.confirmed("DELETE", "/orgs/\(org)", by: ada).status == 204)
    let said = String(decoding: try await stream.body.collect(upTo: 1 << 20), as: UTF8.self)
    let kinds = said.split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { $0.dropFirst(7) }
    #expect(kinds == ["calimero.ready", "calimero.deleted"])
    for (method, path, body) in [
      ("GET", "/orgs/\(org)", nil), ("GET", "/apps/\(app)", nil), ("GET", "/apps/\(app)/events", nil),
      ("POST", "/invites/preview", #"{"code":"\#(invite.code)"}"#),
      ("POST", "/orgs/invites/accept", #"{"code":"\#(invite.code)"}"#), ("DELETE", "/orgs/\(org)", nil),
    ] as [(String, String, String?)] {
      #expect(try await rig.send(method, path, body, token: ada.token).code == "NOT_FOUND", "\(path)")
    }
    #expect(try await rig.send("GET", "/orgs", token: ada.token).json["orgs"] == [])
    #expect(try await rig.send("GET", "/apps", token: ada.token).json["apps"] == [])
    #expect(rig.cloud.openStreams(of: app) == 0)
    #expect(rig.cloud.violations == [])
  }
}
