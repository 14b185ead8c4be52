import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Organizations and invitations, through the client")
struct InviteClusterTests {
  struct Scene {
    let rig = SessionRig()
    let (ada, bob): (CalimeroClient, CalimeroClient)
    let (app, org): (String, String)

    init() async throws {
      ada = rig.client()
      bob = rig.client(nodes: [1, 2, 0])
      app = try await rig.app(ada)
      org = try await ada.apps.get(app: app).orgId
      try await bob.signUp(SoftPasskey(), name: "bob")
      rig.cloud.clearLog()
    }
  }

  @Test("70 §2.27 #20: from an invitation to a member with its teams and an app, and out again")
  func throughout() async throws {
    let scene = try await Scene()
    let (ada, bob, org) = (scene.ada, scene.bob, scene.org)
    let team = try await ada.orgs.teamCreate(org: org, name: "Design").teamId
    let made = try await ada.orgs.inviteCreate(
      org: org, role: .member, teams: [team], label: "for bob", passkey: scene.rig.passkey)
    #expect(made.url == "\(scene.rig.origin)/invite#\(made.code)")
    let stranger = scene.rig.client()
    let preview = try await stranger.publicApi.invitePreview(code: made.code)
    #expect(preview.orgName == "Acme")
    #expect(preview.role == .member)
    #expect(preview.state == .open)
    #expect(preview.invitedBy == "ada")
    #expect(await calimeroError { _ = try await bob.orgs.get(org: org) }?.code == .notFound)
    let joined = try await bob.orgs.inviteAccept(code: made.code)
    #expect(!joined.alreadyMember)
    #expect(try await bob.orgs.inviteAccept(code: made.code).alreadyMember)
    #expect(try await bob.orgs.get(org: org).role == .member)
    var members: [String: [String]?] = [:]
    for try await member in bob.orgs.memberAll(org: org) { members[member.name] = member.teams }
    #expect(members == ["ada": [team], "bob": [team]])
    #expect(try await ada.orgs.inviteList(org: org, state: .used).invites.map(\.uses) == [1])
    #expect(try await stranger.publicApi.invitePreview(code: made.code).state == .used)
    let account = try #require(await bob.account).accountId
    let forbidden = await calimeroError {
      try await bob.orgs.delete(org: org, passkey: scene.rig.passkey)
    }
    #expect(forbidden?.code == .forbidden)
    try await ada.orgs.memberRemove(org: org, account: account, passkey: scene.rig.passkey)
    #expect(await calimeroError { _ = try await bob.orgs.get(org: org) }?.code == .notFound)
    #expect(try await bob.orgs.list().orgs.isEmpty)
    #expect(scene.rig.cloud.violations.isEmpty)
    #expect(scene.rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #20: an acceptance whose answer is lost is sent again, and finds its member joined")
  func lostAcceptance() async throws {
    let scene = try await Scene()
    let made = try await scene.ada.orgs.inviteCreate(
      org: scene.org, role: .viewer, passkey: scene.rig.passkey)
    scene.rig.cloud.nodes[1].loseAnswer(operation: "org_invite_accept")
    let joined = try await scene.bob.orgs.inviteAccept(code: made.code)
    #expect(joined.role == .viewer)
    #expect(joined.alreadyMember)
    #expect(scene.rig.cloud.log.requests("org_invite_accept").map(\.status) == [nil, 200])
    #expect(try await scene.ada.orgs.inviteList(org: scene.org).invites.map(\.uses) == [1])
  }

  @Test("70 §2.27 #20: a closed invitation's refusal says how it was closed")
  func closed() async throws {
    let scene = try await Scene()
    let (ada, org) = (scene.ada, scene.org)
    let revoked = try await ada.orgs.inviteCreate(org: org, role: .member, passkey: scene.rig.passkey)
    let expired = try await ada.orgs.inviteCreate(
      org: org, role: .member, expiresInMs: 60_000, passkey: scene.rig.passkey)
    try await ada.orgs.inviteRevoke(org: org, invite: revoked.invite.inviteId)
    try await ada.orgs.inviteRevoke(org: org, invite: revoked.invite.inviteId)
    scene.rig.clock.jump(by: 60)
    for (code, state) in [(revoked.code, "revoked"), (expired.code, "expired")] {
      let error = await calimeroError { _ = try await scene.bob.orgs.inviteAccept(code: code) }
      guard case .api(let refusal) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(refusal.code == .inviteExpired)
      #expect(refusal.details?["state"]?.stringValue == state)
    }
    #expect(scene.rig.cloud.violations.isEmpty)
    #expect(scene.rig.cloud.unfitRequests == [])
  }

  @Test("an app's stream tells its members of those who come and go by the organization")
  func memberEvents() async throws {
    let scene = try await Scene()
    let (ada, bob, app) = (scene.ada, scene.bob, scene.app)
    let account = try #require(await bob.account).accountId
    let made = try await ada.orgs.inviteCreate(
      org: scene.org, role: .admin, passkey: scene.rig.passkey)
    _ = try await bob.orgs.inviteAccept(code: made.code)
    #expect(try await bob.apps.get(app: app).role == .manager)
    let stream = bob.events(app, from: .oldest)
    try await ada.orgs.memberRemove(org: scene.org, account: account, passkey: scene.rig.passkey)
    let error = await calimeroError { for try await _ in stream {} }
    #expect(error?.code == .notFound)
    var seen: [JSONValue] = []
    for try await event in ada.events(app, from: .oldest, kinds: ["calimero.members"]) {
      #expect(event.kind == "calimero.members")
      seen.append(event.data)
      if seen.count == 2 { break }
    }
    let principal = JSONValue.string(account)
    #expect(
      seen == [
        ["principal": principal, "role": "manager", "removed": false],
        ["principal": principal, "role": "manager", "removed": true],
      ])
    #expect(scene.rig.cloud.violations.isEmpty)
    #expect(scene.rig.cloud.unfitRequests == [])
  }

  @Test("deleting an organization ends the streams of its apps with word of it")
  func deletion() async throws {
    let scene = try await Scene()
    var kinds: [String] = []
    let stream = scene.ada.events(scene.app)
    let reader = Task {
      var kinds: [String] = []
      for try await event in stream { kinds.append(event.kind) }
      return kinds
    }
    #expect(await eventually { scene.rig.cloud.openStreams(of: scene.app) == 1 })
    try await scene.ada.orgs.delete(org: scene.org, passkey: scene.rig.passkey)
    kinds = try await reader.value
    #expect(kinds == ["calimero.deleted"])
    #expect(await calimeroError { _ = try await scene.ada.apps.get(app: scene.app) }?.code == .notFound)
  }
}
