import Foundation
import MeroAPI
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Confirmations against a cluster")
struct StepUpClusterTests {
  /// A cluster, a client that is signed in without a passkey at hand, and two organizations.
  struct Scene {
    let rig = SessionRig()
    let client: CalimeroClient
    let passkey: WatchedPasskey
    let (org, other): (String, String)

    init() async throws {
      client = rig.client()
      passkey = WatchedPasskey(rig.passkey)
      try await client.signUp(rig.passkey, name: "ada")
      org = try await client.orgs.create(name: "Acme").orgId
      other = try await client.orgs.create(name: "Other").orgId
      rig.cloud.clearLog()
    }

    var deletions: [FakeCloudLog.Inner] { rig.cloud.log.requests("org_delete") }
    func orgs() async throws -> [String] { try await client.orgs.list().orgs.map(\.orgId) }
  }

  @Test(
    "70 §2.27 #9: a 412 is answered with the call's passkey: one question, the same request again, same node")
  func perCall() async throws {
    let scene = try await Scene()
    let client = WatchedPasskey(scene.rig.passkey)
    await scene.client.useStepUp(client)
    try await scene.client.orgs.delete(org: scene.org, passkey: scene.passkey)
    #expect(await scene.passkey.asked == 1)
    #expect(await client.asked == 0)
    #expect(scene.deletions.map(\.status) == [412, 204])
    #expect(Set(scene.deletions.map(\.requestId)).count == 1)
    #expect(Set(scene.deletions.map(\.node)).count == 1)
    // Answering a question is not another try.
    #expect(scene.deletions.map(\.attempt) == [1, 1])
    #expect(try await scene.orgs() == [scene.other])
    #expect(scene.rig.cloud.violations.isEmpty)
    #expect(scene.rig.cloud.unfitRequests == [])
  }

  @Test(
    "70 §2.27 #9: without one it is answered with the client's, set by useStepUp, until that is taken away")
  func clientLevel() async throws {
    let scene = try await Scene()
    await scene.client.useStepUp(scene.passkey)
    _ = try await scene.client.orgs.inviteCreate(org: scene.org, role: .member)
    let posted = try await scene.client.postConfirmed(
      "/orgs/\(scene.org)/invites", body: ["role": "viewer"])
    #expect(posted["invite"]?["role"]?.stringValue == "viewer")
    #expect(await scene.passkey.asked == 2)
    await scene.client.useStepUp(nil)
    let error = await calimeroError {
      _ = try await scene.client.orgs.inviteCreate(org: scene.org, role: .member)
    }
    #expect(error == .confirm(.required(action: "org_invite_create")))
    #expect(try await scene.client.orgs.inviteList(org: scene.org).invites.count == 2)
    #expect(scene.rig.cloud.violations.isEmpty)
    #expect(scene.rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #9: with none the error names the action, and nothing more is sent")
  func none() async throws {
    let scene = try await Scene()
    let error = await calimeroError { try await scene.client.orgs.delete(org: scene.org) }
    #expect(error == .confirm(.required(action: "org_delete")))
    #expect(scene.deletions.map(\.status) == [412])
    #expect(try await scene.orgs().count == 2)
  }

  @Test("70 §2.27 #9: a challenge for another path is not signed, and nothing more is sent")
  func otherPath() async throws {
    let scene = try await Scene()
    // A node that would have the deletion of one organization confirmed with the question for another's.
    let asked = try await scene.client.request(
      CalimeroRequest(method: .delete, path: "/orgs/\(scene.other)"))
    let details = try #require(try JSONValue(parsing: asked.body)["error"]?["details"])
    scene.rig.cloud.clearLog()
    scene.rig.cloud.nodes[0].answer(
      412, "CONFIRM_REQUIRED", operation: "org_delete", details: details)
    let error = await calimeroError {
      try await scene.client.orgs.delete(org: scene.org, passkey: scene.passkey)
    }
    #expect(error == .confirm(.mismatch))
    #expect(await scene.passkey.asked == 0)
    #expect(scene.deletions.map(\.status) == [412])
    #expect(try await scene.orgs().count == 2)
  }

  @Test("70 §2.27 #9: a declined sheet sends nothing more")
  func declined() async throws {
    let scene = try await Scene()
    await scene.passkey.behave(.decline)
    let error = await calimeroError {
      try await scene.client.orgs.delete(org: scene.org, passkey: scene.passkey)
    }
    #expect(error == .confirm(.declined))
    #expect(await scene.passkey.asked == 1)
    #expect(scene.deletions.map(\.status) == [412])
    #expect(try await scene.orgs().count == 2)
  }

  @Test("an answer the cluster does not accept is rejected with its reason, and nobody is asked twice")
  func rejected() async throws {
    let scene = try await Scene()
    await scene.passkey.behave(.spoil)
    let error = await calimeroError {
      try await scene.client.orgs.delete(org: scene.org, passkey: scene.passkey)
    }
    #expect(error == .confirm(.rejected(reason: "signature")))
    #expect(await scene.passkey.asked == 1)
    #expect(scene.deletions.map(\.status) == [412, 403])
    #expect(try await scene.orgs().count == 2)
  }

  @Test("a person who took too long is asked anew by the node once, which the client does not follow")
  func tooLate() async throws {
    let scene = try await Scene()
    await scene.passkey.behave(.dawdle(scene.rig.clock))
    let error = await calimeroError {
      try await scene.client.orgs.delete(org: scene.org, passkey: scene.passkey)
    }
    #expect(error == .confirm(.rejected(reason: "expired")))
    #expect(await scene.passkey.asked == 1)
    #expect(try await scene.orgs().count == 2)
  }

  @Test("a passkey that is another account's is not even used")
  func foreignPasskey() async throws {
    let scene = try await Scene()
    let bob = SoftPasskey()
    try await scene.rig.client().signUp(bob, name: "bob")
    let error = await calimeroError { try await scene.client.orgs.delete(org: scene.org, passkey: bob) }
    #expect(error == .passkey(.noCredential))
    #expect(scene.deletions.map(\.status) == [412])
  }

  @Test("what needs no confirmation in this case asks for none")
  func conditional() async throws {
    let scene = try await Scene()
    let bob = scene.rig.client()
    let account = try await bob.signUp(SoftPasskey(), name: "bob").accountId
    scene.rig.cloud.join("bob", org: scene.org, as: "member")
    let passkey = scene.passkey
    func change(_ role: Components.Schemas.OrgRole) async throws -> Int {
      _ = try await scene.client.orgs.memberUpdate(
        org: scene.org, account: account, role: role, passkey: passkey)
      return await passkey.asked
    }
    #expect(try await change(.viewer) == 0)
    #expect(try await change(.admin) == 1)
    #expect(try await change(.member) == 2)
    try await bob.orgs.memberRemove(org: scene.org, account: account)
    #expect(try await scene.client.orgs.memberList(org: scene.org).members.map(\.name) == ["ada"])
  }
}

/// A passkey in software that counts how often it is asked, and may misbehave.
actor WatchedPasskey: OriginlessPasskey {
  enum Behaviour {
    case sign
    case decline
    /// Signs, and then flips a bit of the signature.
    case spoil
    /// Signs once more than five minutes have passed.
    case dawdle(FakeClock)
  }

  private(set) var asked = 0
  private let inner: SoftPasskey
  private var behaviour = Behaviour.sign

  init(_ inner: SoftPasskey) { self.inner = inner }

  func behave(_ behaviour: Behaviour) { self.behaviour = behaviour }

  func create(_ options: PasskeyCreationOptions) async throws -> RegistrationCredential {
    try await create(options, at: nil)
  }

  func get(_ options: PasskeyRequestOptions) async throws -> AssertionCredential {
    try await get(options, at: nil)
  }

  func create(_ options: PasskeyCreationOptions, at node: URL?) async throws -> RegistrationCredential {
    try await inner.create(options, at: node)
  }

  func get(_ options: PasskeyRequestOptions, at node: URL?) async throws -> AssertionCredential {
    asked += 1
    switch behaviour {
    case .sign: return try await inner.get(options, at: node)
    case .decline: throw PasskeyFailure.cancelled
    case .dawdle(let clock):
      let answer = try await inner.get(options, at: node)
      clock.jump(by: 301)
      return answer
    case .spoil:
      var answer = try await inner.get(options, at: node)
      var signature = try Base64URL.decode(answer.response.signature)
      signature[signature.count - 1] ^= 1
      answer.response.signature = Base64URL.encode(signature)
      return answer
    }
  }
}
