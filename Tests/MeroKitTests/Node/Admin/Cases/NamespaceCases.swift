import MeroKit
import MeroWire

extension AdminCase {
  private static let namespaceText = #"""
    {"namespaceId":"n1","appKey":"b1","targetApplicationId":"a1","createdAt":1790000000,"name":"Team",
     "memberCount":2,"contextCount":3,"subgroupCount":4,"appVersion":"1.2.3",
     "founding":{"founderAccountId":"ac","salt":"s1"},"upgradePolicy":"LazyOnAccess"}
    """#
  private static let namespace = Namespace(
    namespaceId: "n1", appKey: "b1", targetApplicationId: "a1", createdAt: 1_790_000_000, name: "Team",
    memberCount: 2, contextCount: 3, subgroupCount: 4, appVersion: "1.2.3",
    founding: NamespaceFounding(founderAccountId: "ac", salt: "s1"))

  static let namespaces: [AdminCase] = [
    .row(
      "GET /admin-api/namespaces", query: { _ in [("offset", "0"), ("limit", "1000")] },
      answers: "[\(namespaceText)]", gives: [namespace]
    ) { api, _ in try await api.listNamespaces(offset: 0, limit: 1000) },
    .row(
      "POST /admin-api/namespaces",
      sends: .json { #"{"applicationId":"\#($0.application)","name":"Team","appKey":"\#($0.blob)"}"# },
      answers: #"{"namespaceId":"n1","founding":{"founderAccountId":"ac","salt":"s1"}}"#,
      gives: CreateNamespaceResponseData(
        namespaceId: "n1", founding: NamespaceFounding(founderAccountId: "ac", salt: "s1"))
    ) { api, ids in
      try await api.createNamespace(
        CreateNamespaceRequest(applicationId: ids.application, name: "Team", appKey: ids.blob))
    },
    .row("GET /admin-api/namespaces/{namespace_id}", answers: namespaceText, gives: namespace) { api, ids in
      try await api.getNamespace(ids.namespace)
    },
    .row(
      "DELETE /admin-api/namespaces/{namespace_id}", sends: .emptyObject, answers: #"{"isDeleted":true}"#,
      gives: DeleteNamespaceResponseData(isDeleted: true)
    ) { api, ids in try await api.deleteNamespace(ids.namespace) },
    .row(
      "GET /admin-api/namespaces/for-application/{application_id}",
      query: { _ in [("offset", "1"), ("limit", "2")] }, answers: "[\(namespaceText)]", gives: [namespace]
    ) { api, ids in try await api.listNamespacesForApplication(ids.application, offset: 1, limit: 2) },
    .row(
      "GET /admin-api/namespaces/{namespace_id}/groups",
      answers: #"[{"groupId":"g1","name":"general"},{"groupId":"g2"}]"#,
      gives: [SubgroupEntry(groupId: "g1", name: "general"), SubgroupEntry(groupId: "g2")]
    ) { api, ids in try await api.listNamespaceGroups(ids.namespace) },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/groups",
      sends: .json { _ in #"{"groupName":"general","visibility":"open"}"# }, answers: #"{"groupId":"g1"}"#,
      gives: CreateGroupInNamespaceResponseData(groupId: "g1")
    ) { api, ids in
      try await api.createGroupInNamespace(
        ids.namespace, request: CreateGroupInNamespaceRequest(groupName: "general"))
    },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/invite",
      sends: .json {
        #"""
        {"expirationTimestamp":3600,"recursive":false,"admitters":["\#($0.account)"],
         "admitterAddrs":["https://relay.test"]}
        """#
      },
      answers: #"{"invitation":\#(Invitations.text),"groupName":"Team"}"#,
      gives: CreateNamespaceInvitationResult.single(Invitations.invitation, groupName: "Team")
    ) { api, ids in
      try await api.createNamespaceInvitation(
        ids.namespace,
        request: CreateNamespaceInvitationRequest(
          expirationTimestamp: 3600, recursive: false, admitters: [ids.account],
          admitterAddrs: ["https://relay.test"]))
    },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/join",
      sends: .json { _ in #"{"invitation":\#(Invitations.text),"groupName":"Team"}"# },
      answers: #"{"namespaceId":"n1","memberIdentity":"k1","memberAccount":"ac","governanceOp":"old"}"#,
      gives: JoinNamespaceResponseData(namespaceId: "n1", memberIdentity: "k1", memberAccount: "ac")
    ) { api, ids in
      try await api.joinNamespace(
        ids.namespace, request: JoinNamespaceRequest(invitation: ids.invitation, groupName: "Team"))
    },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/admit",
      sends: .json { _ in #"{"invitation":\#(Invitations.text),"signedOp":"0a0b"}"# },
      answers: #"{"published":true}"#, gives: AdmitJoinResponseData(published: true)
    ) { api, ids in
      try await api.admitJoin(
        ids.namespace, request: AdmitJoinRequest(invitation: ids.invitation, signedOp: "0a0b"))
    },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/leave", sends: .emptyObject,
      answers: #"{"namespaceId":"n1","memberPublicKey":"k1"}"#
    ) { api, ids in try await api.leaveNamespace(ids.namespace) },
    .row(
      "POST /admin-api/namespaces/{namespace_id}/admin",
      sends: .json { #"{"newAdmin":"\#($0.account)","rootProof":"aa"}"# }
    ) { api, ids in
      try await api.changeNamespaceAdmin(
        ids.namespace, request: ChangeNamespaceAdminRequest(newAdmin: ids.account, rootProof: ids.rootProof))
    },
  ]
}

/// An invitation with members that this version does not know, in the signed part and beside it.
enum Invitations {
  static let text: String = {
    let bytes = { (byte: UInt8) in
      "[" + [String](repeating: "\(byte)", count: 32).joined(separator: ",") + "]"
    }
    return #"""
      {"invitation":{"inviter_identity":\#(bytes(1)),"group_id":\#(bytes(0x42)),
       "expiration_timestamp":18446744073709551615,"secret_salt":\#(bytes(7)),"invited_role":1,
       "admitters":["\#(Ids.id(0x0A))"],"signed_later":{"n":12345678901234567890}},
       "inviter_signature":"\#(String(repeating: "ab", count: 64))","inviter_account":"\#(Ids.id(0xCC))",
       "admitter_addrs":["/dns4/relay/tcp/1/p2p/Qm"],"application_id":\#(bytes(0xA1)),"app_key":\#(bytes(0xB1)),
       "hint_later":[1.50]}
      """#
  }()

  static let invitation: SignedGroupOpenInvitation = {
    guard let object = try? json(text).objectValue,
      let invitation = try? SignedGroupOpenInvitation(json: object)
    else { preconditionFailure("the sample is no invitation") }
    return invitation
  }()
}
