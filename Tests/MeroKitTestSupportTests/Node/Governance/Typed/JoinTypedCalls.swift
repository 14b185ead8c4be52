import MeroCrypto
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

extension TypedCall {
  /// Invitations and joins.
  static let joins: [TypedCall] = [
    TypedCall("POST", "/namespaces/{namespace_id}/invite") { turn in
      let admitters: JSONValue = [.string(turn.account)]
      let body: JSONValue = [
        "expirationTimestamp": 3600, "recursive": false, "admitters": admitters,
        "admitterAddrs": ["/ip4/127.0.0.1"],
      ]
      let request = CreateNamespaceInvitationRequest(
        expirationTimestamp: 3600, recursive: false, admitters: [turn.account],
        admitterAddrs: ["/ip4/127.0.0.1"])
      let result = try await turn.send(body: body) {
        try await $0.createNamespaceInvitation(turn.namespace, request: request)
      }
      let invitation = try #require(result.invitation)
      #expect(invitation.admitterAddrs == ["/ip4/127.0.0.1"])
      #expect(invitation.invitation.admitters == [turn.account])
      #expect(invitation.invitation.expirationTimestamp == 1_790_003_600)
      try await check(invitation, turn)
      try await checkTree(turn)
    },
    TypedCall("POST", "/groups/{group_id}/invite") { turn in
      let result = try await turn.send { try await $0.createGroupInvitation(turn.namespace, request: nil) }
      let invitation = try #require(result.invitation)
      // A day, when nothing is said, and whoever may admit.
      #expect(invitation.invitation.expirationTimestamp == 1_790_086_400)
      #expect(Set(invitation.invitation.admitters) == [turn.account, turn.node.account])
      try await check(invitation, turn)
      let short = try await turn.send(body: ["expirationTimestamp": 60]) {
        try await $0.createGroupInvitation(
          turn.namespace, request: CreateGroupInvitationRequest(expirationTimestamp: 60))
      }
      #expect(short.invitation?.invitation.expirationTimestamp == 1_790_000_060)
    },
    TypedCall("POST", "/namespaces/{namespace_id}/join") { turn in
      let invitation = try turn.invitation()
      let theirs = invitation.invitation.namespaceId
      let body: JSONValue = ["invitation": .object(invitation.json), "groupName": "theirs"]
      let answer = try await turn.send(body: body) {
        try await $0.joinNamespace(
          theirs, request: JoinNamespaceRequest(invitation: invitation, groupName: "theirs"))
      }
      let expected = JoinNamespaceResponseData(
        namespaceId: theirs, memberIdentity: turn.node.signingKey, memberAccount: turn.node.account)
      #expect(answer == expected)
      #expect(try await turn.world.pair.bob.members(of: theirs)[turn.node.account] == "Member")
    },
    TypedCall("POST", "/groups/join") { turn in
      let invitation = try turn.invitation()
      let theirs = invitation.invitation.namespaceId
      let answer = try await turn.send {
        try await $0.joinGroup(JoinGroupRequest(invitation: invitation))
      }
      let expected = JoinGroupResponseData(
        groupId: theirs, memberIdentity: turn.node.signingKey, memberAccount: turn.node.account)
      #expect(answer == expected)
      #expect(try await turn.world.pair.bob.members(of: theirs)[turn.node.account] == "Member")
    },
    TypedCall("POST", "/namespaces/{namespace_id}/admit") { turn in
      let joiner = try TestDevice(0x21).account
      #expect(try await turn.rig.members(of: turn.namespace)[joiner] == nil)
      let request = AdmitJoinRequest(
        invitation: try turn.invitation(), signedOp: try turn.text("signedOp"))
      try await turn.expect(true) { try await $0.admitJoin(turn.namespace, request: request).published }
      #expect(try await turn.rig.members(of: turn.namespace)[joiner] == "Member")
    },
  ]

  /// An invitation to the namespace that this node signed, and that is good for a join.
  private static func check(_ invitation: SignedGroupOpenInvitation, _ turn: TypedTurn) async throws {
    #expect(invitation.invitation.namespaceId == turn.namespace)
    #expect(Hex.encode(invitation.invitation.inviterIdentity) == turn.node.signingKey)
    #expect(invitation.inviterAccount == turn.node.account)
    #expect(invitation.applicationId.map { Hex.encode($0) } == turn.application)
    #expect(try await turn.appKey() == invitation.appKey.map { Hex.encode($0) })
    guard invitation.invitation.admitters.contains(turn.node.account) else { return }
    let bob = turn.world.pair.bob
    #expect(try await bob.join(turn.namespace, .object(invitation.json)).status == 200)
    #expect(try await turn.rig.members(of: turn.namespace)[bob.node.account] == "Member")
  }

  /// Of a whole tree, one for each group.
  private static func checkTree(_ turn: TypedTurn) async throws {
    let result = try await turn.send(body: ["recursive": true]) {
      try await $0.createNamespaceInvitation(
        turn.namespace, request: CreateNamespaceInvitationRequest(recursive: true))
    }
    guard case .recursive(let entries) = result else {
      Issue.record("there is one invitation, not one for each group")
      return
    }
    #expect(Set(entries.map(\.groupId)) == [turn.namespace, turn.group])
    #expect(entries.allSatisfy { $0.invitation.invitation.namespaceId == $0.groupId })
  }
}
