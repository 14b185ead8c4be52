import Foundation
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: invitations")
struct InviteTests {
  struct Scene {
    let rig: Rig
    let ada: Person
    let org: String

    init(nodes: Int = 1) async throws {
      rig = try Rig(nodes: nodes)
      ada = try await rig.person("ada")
      org = try await rig.org(of: ada)
    }

    func accept(_ code: String, by person: Person, node: Int = 0) async throws -> Rig.Reply {
      try await rig.send(
        "POST", "/orgs/invites/accept", #"{"code":"\#(code)"}"#, token: person.token, node: node)
    }

    func preview(_ code: String) async throws -> Rig.Reply {
      try await rig.send("POST", "/invites/preview", #"{"code":"\#(code)"}"#)
    }

    func state(of id: String) async throws -> String? {
      let list = try await rig.send("GET", "/orgs/\(org)/invites", token: ada.token)
      return list.json["invites"]?.arrayValue?.first { $0["inviteId"]?.stringValue == id }?["state"]?
        .stringValue
    }

    func close(_ invite: (id: String, code: String), as state: String) async throws {
      switch state {
      case "used": #expect(try await accept(invite.code, by: rig.person("first")).status == 200)
      case "revoked": try await rig.send("DELETE", "/orgs/\(org)/invites/\(invite.id)", token: ada.token)
      case "expired": await rig.clock.advance(by: 60)
      default: break
      }
    }
  }

  @Test(
    "70 §2.27 #20: an invitation is made with what was asked for or the defaults, its code in a link's fragment"
  )
  func create() async throws {
    let scene = try await Scene()
    let (rig, ada, org) = (scene.rig, scene.ada, scene.org)
    let team = try await rig.team(of: ada, in: org)
    let plain = try await rig.confirmed("POST", "/orgs/\(org)/invites", #"{"role":"viewer"}"#, by: ada)
    #expect(plain.status == 201)
    let invite = try #require(plain.json["invite"])
    #expect(invite["state"] == "open")
    #expect(invite["maxUses"] == 1)
    #expect(invite["uses"] == 0)
    #expect(invite["expiresAt"] == 1_790_604_800_000)
    #expect(invite["createdBy"]?.stringValue == ada.account)
    let code = try #require(plain.json["code"]?.stringValue)
    #expect(code.count == 43)
    #expect(plain.json["url"]?.stringValue == "http://localhost:2501/invite#\(code)")
    let body =
      #"{"role":"admin","teams":["\#(team)"],"label":"for bob","maxUses":3,"expiresInMs":60000}"#
    let full = try await rig.confirmed("POST", "/orgs/\(org)/invites", body, by: ada)
    #expect(full.json["invite"]?["teams"] == [.string(team)])
    #expect(full.json["invite"]?["label"] == "for bob")
    #expect(full.json["invite"]?["maxUses"] == 3)
    #expect(full.json["invite"]?["expiresAt"] == 1_790_000_060_000)
    let list = try await rig.send("GET", "/orgs/\(org)/invites", token: ada.token)
    #expect(list.json["invites"] == [full.json["invite"] ?? .null, invite])
    // Neither the listing nor the records hold the code.
    #expect(!list.json.text.contains(code))
    let kept = rig.cloud.store.withState { $0.invites.values.map { JSONValue.object($0.written()).text } }
    #expect(kept.count == 2)
    #expect(!kept.joined().contains(code))
    #expect(rig.cloud.violations == [])
  }

  @Test(
    "70 §2.27 #20: an invitation that is not open is 410 with its state to whoever is outside",
    arguments: ["used", "revoked", "expired"])
  func states(state: String) async throws {
    let scene = try await Scene()
    let bob = try await scene.rig.person("bob")
    let invite = try await scene.rig.invite(
      #"{"role":"member","expiresInMs":60000}"#, to: scene.org, by: scene.ada)
    #expect(try await scene.state(of: invite.id) == "open")
    #expect(try await scene.preview(invite.code).json["state"] == "open")
    try await scene.close(invite, as: state)
    #expect(try await scene.state(of: invite.id) == state)
    #expect(try await scene.preview(invite.code).json["state"]?.stringValue == state)
    let refused = try await scene.accept(invite.code, by: bob)
    #expect(refused.status == 410)
    #expect(refused.code == "INVITE_EXPIRED")
    #expect(refused.details == ["state": .string(state)])
    #expect(try await scene.rig.send("GET", "/orgs/\(scene.org)", token: bob.token).code == "NOT_FOUND")
    // What closed it first decides, whatever happens later.
    try await scene.close(invite, as: "revoked")
    await scene.rig.clock.advance(by: 60)
    #expect(try await scene.state(of: invite.id) == state)
    #expect(scene.rig.cloud.violations == [])
  }

  @Test("70 §2.27 #20: accepting joins with role and teams; teams deleted since are skipped")
  func join() async throws {
    let scene = try await Scene(nodes: 3)
    let (rig, ada, org) = (scene.rig, scene.ada, scene.org)
    let bob = try await rig.person("bob")
    let (kept, gone) = (try await rig.team(of: ada, in: org, "A"), try await rig.team(of: ada, in: org, "B"))
    let invite = try await rig.invite(
      #"{"role":"viewer","teams":["\#(kept)","\#(gone)"]}"#, to: org, by: ada)
    try await rig.confirmed("DELETE", "/orgs/\(org)/teams/\(gone)", by: ada)
    await rig.clock.advance(by: 5)
    let joined = try await scene.accept(invite.code, by: bob, node: 1)
    #expect(
      joined.json == ["orgId": .string(org), "orgName": "Acme", "role": "viewer", "alreadyMember": false])
    let members = try await rig.send("GET", "/orgs/\(org)/members", token: bob.token)
    #expect(members.texts("members", "name") == ["ada", "bob"])
    #expect(members.json["members"]?[1]?["teams"] == [.string(kept)])
    #expect(members.json["members"]?[1]?["joinedAt"] == 1_790_000_005_000)
    #expect(rig.cloud.violations == [])
  }

  @Test("70 §2.27 #20: accepting twice is harmless, also when the first time was the last use")
  func twice() async throws {
    let scene = try await Scene(nodes: 3)
    let (bob, eve) = (try await scene.rig.person("bob"), try await scene.rig.person("eve"))
    let invite = try await scene.rig.invite(
      #"{"role":"member","maxUses":2}"#, to: scene.org, by: scene.ada)
    func uses() async throws -> Int? {
      try await scene.rig.send("GET", "/orgs/\(scene.org)/invites", token: scene.ada.token)
        .json["invites"]?[0]?["uses"]?.int
    }
    #expect(try await scene.accept(invite.code, by: bob).json["alreadyMember"] == false)
    let again = try await scene.accept(invite.code, by: bob, node: 1)
    #expect(again.json["alreadyMember"] == true)
    #expect(again.json["role"] == "member")
    #expect(try await uses() == 1)
    #expect(try await scene.accept(invite.code, by: eve).json["alreadyMember"] == false)
    #expect(try await scene.state(of: invite.id) == "used")
    for person in [bob, eve] {
      let late = try await scene.accept(invite.code, by: person, node: 2)
      #expect(late.status == 200)
      #expect(late.json["alreadyMember"] == true)
    }
    #expect(try await uses() == 2)
    #expect(try await scene.accept(invite.code, by: scene.rig.person("zoe")).details == ["state": "used"])
  }

  @Test("70 §2.27 #20: a member's role is raised by a stronger open invitation, and by nothing else")
  func raised() async throws {
    let scene = try await Scene()
    let (rig, ada, org) = (scene.rig, scene.ada, scene.org)
    let bob = try await rig.person("bob")
    rig.cloud.join("bob", org: org, as: "member")
    let (weaker, stronger) = (
      try await rig.invite(#"{"role":"viewer"}"#, to: org, by: ada),
      try await rig.invite(#"{"role":"admin"}"#, to: org, by: ada)
    )
    let revoked = try await rig.invite(#"{"role":"admin"}"#, to: org, by: ada)
    try await scene.close(revoked, as: "revoked")
    #expect(try await scene.accept(weaker.code, by: bob).json["role"] == "member")
    #expect(try await scene.accept(revoked.code, by: bob).json["role"] == "member")
    let raised = try await scene.accept(stronger.code, by: bob)
    #expect(raised.json["role"] == "admin")
    #expect(raised.json["alreadyMember"] == true)
    #expect(try await scene.state(of: stronger.id) == "open")
    #expect(try await scene.accept(stronger.code, by: ada).json["role"] == "owner")
    #expect(try await rig.send("GET", "/orgs/\(org)", token: bob.token).json["role"] == "admin")
    #expect(rig.cloud.violations == [])
  }

  @Test(
    "70 §2.27 #20: the preview tells name, role, state and inviter to whoever holds the code, and to nobody else"
  )
  func preview() async throws {
    let scene = try await Scene()
    let invite = try await scene.rig.invite(#"{"role":"admin"}"#, to: scene.org, by: scene.ada)
    let seen = try await scene.preview(invite.code)
    #expect(
      seen.json == [
        "orgName": "Acme", "role": "admin", "state": "open", "invitedBy": "ada",
        "expiresAt": 1_790_604_800_000,
      ])
    for code in ["", "nope", invite.id, String(invite.code.dropLast())] {
      #expect(try await scene.preview(code).code == "NOT_FOUND", "\(code)")
      #expect(try await scene.accept(code, by: scene.ada).code == "NOT_FOUND", "\(code)")
    }
    let key = try await scene.rig.key(["orgs:manage"], of: scene.ada)
    let robot = try await scene.rig.send(
      "POST", "/orgs/invites/accept", #"{"code":"\#(invite.code)"}"#, token: key)
    #expect(robot.code == "SCOPE_MISSING")
    #expect(scene.rig.cloud.violations == [])
  }

  @Test("closed invitations are listed for thirty days, by state if asked, and then are unknown")
  func listing() async throws {
    let scene = try await Scene()
    let (rig, ada, org) = (scene.rig, scene.ada, scene.org)
    var ids: [String: String] = [:]
    var code = ""
    for state in ["open", "used", "revoked", "expired"] {
      let life = state == "open" ? 30 * 86_400_000 : 60_000
      let invite = try await rig.invite(#"{"role":"member","expiresInMs":\#(life)}"#, to: org, by: ada)
      try await scene.close(invite, as: state)
      ids[state] = invite.id
      code = invite.code
    }
    func listed(_ query: String = "") async throws -> [String] {
      // Sessions end sooner than invitations; a new one looks at the list.
      let begun = try await rig.send("POST", "/auth/signin/begin", "{}")
      let finish = try ada.passkey.assertion(for: begun.json).text
      let token = try await rig.send("POST", "/auth/signin/finish", finish).json["accessToken"]?.stringValue
      return try await rig.send("GET", "/orgs/\(org)/invites\(query)", token: token)
        .texts("invites", "inviteId")
    }
    for (state, id) in ids { #expect(try await listed("?state=\(state)") == [id], "\(state)") }
    #expect(try await listed() == ids.values.sorted(by: >))
    rig.clock.jump(by: 30 * 86_400 - 61)
    #expect(try await listed().count == 4)
    rig.clock.jump(by: 1)
    // Those that were used or revoked are gone after thirty days, the one that ran out a minute later.
    #expect(try await Set(listed()) == [ids["open"], ids["expired"]])
    rig.clock.jump(by: 60)
    #expect(try await listed() == [ids["open"]])
    #expect(try await scene.preview(code).code == "NOT_FOUND")
    #expect(rig.cloud.violations == [])
  }
}
