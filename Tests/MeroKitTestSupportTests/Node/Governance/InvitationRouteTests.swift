import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("Invitations and joins of a fake node")
struct InvitationRouteTests {
  @Test("a join on another node works through the link, and both say so")
  func joins() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace(name: "team")
    let answer = try await pair.join(namespace)
    #expect(answer.status == 200)
    #expect(answer.data["namespaceId"]?.stringValue == namespace)
    #expect(answer.data["memberAccount"]?.stringValue == pair.bob.node.account)
    #expect(answer.data["memberIdentity"]?.stringValue == pair.bob.node.signingKey)
    #expect(try await pair.bob.namespaces() == [namespace])
    let members = [pair.alice.node.account: "Admin", pair.bob.node.account: "Member"]
    #expect(try await pair.alice.members(of: namespace) == members)
    #expect(try await pair.bob.members(of: namespace) == members)
  }

  @Test("joining again is the same join")
  func joinsOnce() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    let invitation = try await pair.alice.invite(to: namespace)
    let first = try await pair.bob.join(namespace, invitation)
    #expect(try await pair.bob.join(namespace, invitation).json == first.json)
    #expect(try await pair.alice.members(of: namespace).count == 2)
  }

  @Test("nobody to ask is 504, and a member who may not admit 503")
  func nobodyAnswers() async throws {
    let pair = NodePair(delay: nil)
    let namespace = pair.alice.node.makeNamespace()
    let invitation = try await pair.alice.invite(to: namespace)
    #expect(try await pair.bob.join(namespace, invitation).status == 504)
    pair.alice.node.link(pair.bob.node)
    let stranger: JSONValue = ["admitters": [.string(NodeRig.anId)]]
    let other = try await pair.alice.invite(to: namespace, stranger)
    #expect(try await pair.bob.join(namespace, other).status == 503)
    #expect(try await pair.bob.join(namespace, invitation).status == 200)
  }

  @Test("an invitation is good for a day at most, and then 409 says when it ended")
  func expires() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    let invitation = try await pair.alice.invite(to: namespace, ["expirationTimestamp": 1_000_000])
    #expect(invitation["invitation"]?["expiration_timestamp"]?.int64 == 1_790_086_400)
    await pair.clock.advance(by: 86_401)
    _ = pair.bob.node.makeSession()
    let answer = try await pair.bob.join(namespace, invitation)
    #expect(answer.status == 409)
    #expect(answer.error == "invitation for group \(namespace) expired at 1790086400")
  }

  @Test("an invitation that somebody else used up is 409")
  func isUsedUp() async throws {
    let pair = NodePair()
    let carol = NodeRig(FakeNode(url: "http://localhost:2530", clock: pair.clock.clock, seed: 3), pair.clock)
    carol.node.link(pair.alice.node)
    let namespace = pair.alice.node.makeNamespace()
    let invitation = try await pair.alice.invite(to: namespace)
    #expect(try await pair.bob.join(namespace, invitation).status == 200)
    #expect(try await carol.join(namespace, invitation).status == 409)
  }

  @Test("an invitation to another namespace than the path's, or one that was changed, is 400")
  func mustFit() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    let invitation = try await pair.alice.invite(to: namespace)
    let elsewhere = try await pair.bob.join(NodeRig.anId, invitation)
    #expect(elsewhere.status == 400)
    #expect(elsewhere.error?.contains("does not match namespace_id") == true)
    var body = try #require(invitation["invitation"]?.objectValue)
    body["invited_role"] = 0
    var changed = try #require(invitation.objectValue)
    changed["invitation"] = .object(body)
    let answer = try await pair.bob.join(namespace, .object(changed))
    #expect(answer.status == 400)
    #expect(answer.error?.hasPrefix("invitation for group \(namespace) is invalid:") == true)
  }

  @Test("what is not signed may be missing or unknown")
  func hintsAreFree() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    var invitation = try #require(try await pair.alice.invite(to: namespace).objectValue)
    for hint in ["inviter_account", "admitter_addrs", "application_id", "app_key"] { invitation[hint] = nil }
    invitation["a_newer_hint"] = [1, 2]
    #expect(try await pair.bob.join(namespace, .object(invitation)).status == 200)
  }

  @Test("whoever was removed is not readmitted by an invitation, only by being added")
  func removedStayOut() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    try await pair.join(namespace)
    let bob = JSONValue.string(pair.bob.node.account)
    #expect(try await pair.alice.post("/groups/\(namespace)/members/remove", ["members": [bob]]).json == [:])
    #expect(try await pair.bob.namespaces() == [])
    #expect(try await pair.bob.get("/namespaces/\(namespace)").status == 404)
    let invitation = try await pair.alice.invite(to: namespace)
    #expect(try await pair.bob.join(namespace, invitation).status == 409)
    let row: JSONValue = ["identity": bob, "role": "Member"]
    #expect(try await pair.alice.post("/groups/\(namespace)/members", ["members": [row]]).json == [:])
    #expect(try await pair.bob.namespaces() == [namespace])
  }

  @Test("an invitation names admins as admitters, sorted, and carries what a joiner needs to begin")
  func mints() async throws {
    let rig = NodeRig()
    let namespace = rig.node.makeNamespace(name: "team")
    let answer = try await rig.post("/namespaces/\(namespace)/invite")
    #expect(answer.data["groupName"]?.stringValue == "team")
    let invitation = try #require(answer.data["invitation"])
    #expect(invitation["invitation"]?["admitters"] == [.string(rig.node.account)])
    #expect(invitation["invitation"]?["invited_role"] == 1)
    #expect(invitation["inviter_account"]?.stringValue == rig.node.account)
    #expect(invitation["app_key"]?.arrayValue?.count == 32)
    #expect(invitation["invitation"]?["inviter_identity"]?.arrayValue?.count == 32)
  }

  @Test("a recursive invitation is one for each group of the tree")
  func recursive() async throws {
    let rig = NodeRig()
    let namespace = rig.node.makeNamespace()
    let group = try await rig.makeGroup(in: namespace, ["groupName": "notes", "visibility": "restricted"])
    let list = try await rig.post("/namespaces/\(namespace)/invite", ["recursive": true]).data["invitations"]
    #expect(list?.arrayValue?.compactMap { $0["groupId"]?.stringValue } == [namespace, group])
    #expect(list?[1]?["groupName"] == "notes")
    #expect(try await rig.post("/namespaces/\(group)/invite").status == 400)
    #expect(try await rig.post("/groups/\(group)/invite").status == 200)
  }

  @Test("a join that lands is answered late, or not at all, and the membership is there")
  func landsAnyway() async throws {
    let pair = NodePair()
    let first = pair.alice.node.makeNamespace()
    pair.bob.node.replaceAnswer("POST /admin-api/namespaces/{namespace_id}/join", status: 504)
    #expect(try await pair.join(first).status == 504)
    #expect(try await pair.bob.namespaces() == [first])

    let second = pair.alice.node.makeNamespace()
    pair.bob.node.answerJoins(after: 90)
    async let answer = pair.join(second)
    await pair.clock.waitForSleepers(1)
    #expect(try await pair.bob.namespaces().contains(second))
    await pair.clock.advance(by: 90)
    #expect(try await answer.status == 200)
  }

  @Test("a namespace that was joined stays empty until its sync is released")
  func heldSync() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace(name: "team")
    let context = pair.alice.node.makeContext(in: namespace)
    pair.bob.node.holdSync(true)
    try await pair.join(namespace)
    #expect(try await pair.bob.namespaces() == [namespace])
    #expect(try await pair.bob.members(of: namespace) == [pair.bob.node.account: "Member"])
    #expect(try await pair.bob.get("/groups/\(namespace)/contexts").data == [])
    #expect(try await pair.bob.get("/groups/\(namespace)/metadata").data == .null)
    pair.bob.node.holdSync(false)
    #expect(
      try await pair.bob.get("/groups/\(namespace)/contexts").data[0]?["contextId"]?.stringValue == context)
    #expect(try await pair.bob.members(of: namespace).count == 2)
  }

  @Test("over a slow link a join is answered before the data comes, and a sync of the group fetches it")
  func slowLink() async throws {
    let pair = NodePair(delay: 5)
    let namespace = pair.alice.node.makeNamespace(name: "team")
    try await pair.join(namespace)
    #expect(try await pair.bob.get("/groups/\(namespace)/metadata").data == .null)
    await pair.clock.advance(by: 5)
    #expect(try await pair.bob.get("/groups/\(namespace)/metadata").data["name"] == "team")

    let other = pair.alice.node.makeNamespace(name: "other")
    try await pair.join(other)
    #expect(try await pair.bob.get("/groups/\(other)/metadata").data == .null)
    #expect(try await pair.bob.post("/groups/\(other)/sync").data["memberCount"] == 2)
    #expect(try await pair.bob.get("/groups/\(other)/metadata").data["name"] == "other")
  }

  @Test("joining by the older route, and on an older node, answers groupId")
  func olderShapes() async throws {
    let pair = NodePair()
    let namespace = pair.alice.node.makeNamespace()
    let invitation = try await pair.alice.invite(to: namespace)
    let answer = try await pair.bob.post("/groups/join", ["invitation": invitation])
    #expect(answer.data["groupId"]?.stringValue == namespace)
    pair.bob.node.setOld(true)
    #expect(try await pair.bob.join(namespace, invitation).data["groupId"]?.stringValue == namespace)
  }
}
