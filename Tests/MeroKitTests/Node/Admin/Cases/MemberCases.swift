import MeroKit

extension AdminCase {
  static let metadataText =
    #"{"name":"Team","data":{"color":"blue"},"updatedAt":9007199254740993,"updatedBy":"ac"}"#
  static let metadataRecord = MetadataRecord(
    name: "Team", data: ["color": "blue"], updatedAt: 9_007_199_254_740_993, updatedBy: "ac")
  private static let page: @Sendable (Ids) -> [(String, String)] = { _ in [("offset", "5"), ("limit", "10")] }

  static let members: [AdminCase] = [
    .row(
      "GET /admin-api/groups/{group_id}/members", query: page,
      answers: #"""
        {"members":[{"identity":"ac","role":"Admin","name":"Ada"},{"identity":"ad","role":"Wizard"}],
         "selfIdentity":"ac"}
        """#,
      gives: ListGroupMembersResponseData(
        members: [
          GroupMember(identity: "ac", role: .admin, name: "Ada"), GroupMember(identity: "ad", role: "Wizard"),
        ], selfIdentity: "ac")
    ) { api, ids in try await api.listGroupMembers(ids.group, offset: 5, limit: 10) },
    .row(
      "POST /admin-api/groups/{group_id}/members",
      sends: .json {
        #"{"members":[{"identity":"\#($0.account)","role":"ReadOnly"},{"identity":"\#($0.key)","role":"Member"}]}"#
      }
    ) { api, ids in
      try await api.addGroupMembers(
        ids.group,
        request: AddGroupMembersRequest(members: [
          GroupMemberInput(identity: ids.account, role: .readOnly), GroupMemberInput(identity: ids.key),
        ]))
    },
    .row(
      "POST /admin-api/groups/{group_id}/members/remove", sends: .json { #"{"members":["\#($0.account)"]}"# }
    ) { api, ids in
      try await api.removeGroupMembers(ids.group, request: RemoveGroupMembersRequest(members: [ids.account]))
    },
    .row(
      "PUT /admin-api/groups/{group_id}/members/{account}/role", sends: .json { _ in #"{"role":"Admin"}"# }
    ) { api, ids in
      try await api.updateMemberRole(
        ids.group, account: ids.account, request: UpdateMemberRoleRequest(role: "Admin"))
    },
    .row(
      "GET /admin-api/groups/{group_id}/members/{account}/capabilities", answers: #"{"capabilities":231}"#,
      gives: MemberCapabilities(capabilities: 231)
    ) { api, ids in try await api.getMemberCapabilities(ids.group, account: ids.account) },
    .row(
      "PUT /admin-api/groups/{group_id}/members/{account}/capabilities",
      sends: .json { _ in #"{"capabilities":4294967295}"# }
    ) { api, ids in
      try await api.setMemberCapabilities(
        ids.group, account: ids.account, request: SetMemberCapabilitiesRequest(capabilities: .max))
    },
    .row(
      "PUT /admin-api/groups/{group_id}/members/{account}/auto-follow",
      sends: .json { _ in #"{"autoFollowContexts":true,"autoFollowSubgroups":false}"# }
    ) { api, ids in
      try await api.setMemberAutoFollow(
        ids.group, account: ids.account,
        request: SetMemberAutoFollowRequest(autoFollowContexts: true, autoFollowSubgroups: false))
    },
    .row(
      "GET /admin-api/groups/{group_id}/member-devices", query: page,
      answers: #"{"members":[{"account":"ac","devices":[{"deviceId":"d1","signingKey":"k1"}]}]}"#,
      gives: [
        MemberDevicesEntry(account: "ac", devices: [MemberDevice(deviceId: "d1", signingKey: "k1")])
      ]
    ) { api, ids in try await api.listGroupMemberDevices(ids.group, offset: 5, limit: 10) },
  ]

  static let metadata: [AdminCase] = [
    .row(
      "GET /admin-api/groups/{group_id}/metadata", answers: metadataText,
      gives: metadataRecord as MetadataRecord?
    ) {
      api, ids in try await api.getGroupMetadata(ids.group)
    },
    .row(
      "PUT /admin-api/groups/{group_id}/metadata",
      sends: .json { _ in #"{"name":"Team","data":{"color":"blue"}}"# }
    ) {
      api, ids in
      try await api.setGroupMetadata(
        ids.group, request: SetGroupMetadataRequest(name: "Team", data: ["color": "blue"]))
    },
    .row(
      "GET /admin-api/groups/{group_id}/members/{account}/metadata", answers: "null",
      gives: MetadataRecord?.none
    ) { api, ids in try await api.getMemberMetadata(ids.group, account: ids.account) },
    .row(
      "PUT /admin-api/groups/{group_id}/members/{account}/metadata",
      sends: .json { _ in #"{"data":{}}"# }
    ) { api, ids in
      try await api.setMemberMetadata(ids.group, account: ids.account, request: SetMemberMetadataRequest())
    },
    .row(
      "GET /admin-api/groups/{group_id}/contexts/{context_id}/metadata", answers: metadataText,
      gives: metadataRecord as MetadataRecord?
    ) { api, ids in try await api.getContextMetadata(ids.group, contextId: ids.context) },
    .row(
      "PUT /admin-api/groups/{group_id}/contexts/{context_id}/metadata",
      sends: .json { _ in #"{"name":"Notes","data":{}}"# }
    ) { api, ids in
      try await api.setContextMetadata(
        ids.group, contextId: ids.context, request: SetContextMetadataRequest(name: "Notes"))
    },
  ]

  static let groupInvitations: [AdminCase] = [
    .row(
      "POST /admin-api/groups/{group_id}/invite", sends: .json { _ in #"{"recursive":true}"# },
      answers: #"{"invitations":[{"groupId":"g1","invitation":\#(Invitations.text),"groupName":"general"}]}"#,
      gives: CreateGroupInvitationResult.recursive([
        RecursiveInvitationEntry(groupId: "g1", invitation: Invitations.invitation, groupName: "general")
      ])
    ) { api, ids in
      try await api.createGroupInvitation(ids.group, request: CreateGroupInvitationRequest(recursive: true))
    },
    .row(
      "POST /admin-api/groups/join", sends: .json { _ in #"{"invitation":\#(Invitations.text)}"# },
      answers: #"{"groupId":"g1","memberIdentity":"k1","memberAccount":"ac"}"#,
      gives: JoinGroupResponseData(groupId: "g1", memberIdentity: "k1", memberAccount: "ac")
    ) { api, ids in try await api.joinGroup(JoinGroupRequest(invitation: ids.invitation)) },
  ]
}
