import MeroKit

extension AdminCase {
  private static let proof = IssueOwnershipProofResponseData(
    signerPublicKey: "k1", signedPayload: "cGF5", signature: "c2ln",
    founding: NamespaceFounding(founderAccountId: "ac", salt: "s1"), credential: "cc")
  private static let proofText = #"""
    {"signerPublicKey":"k1","signedPayload":"cGF5","signature":"c2ln",
     "founding":{"founderAccountId":"ac","salt":"s1"},"credential":"cc"}
    """#

  static let groups: [AdminCase] = [
    .row(
      "POST /admin-api/groups",
      sends: .json {
        #"{"applicationId":"\#($0.application)","appKey":"\#($0.blob)","name":"x","parentGroupId":"\#($0.group)"}"#
      },
      answers: #"{"groupId":"g1"}"#, gives: CreateGroupResponseData(groupId: "g1")
    ) { api, ids in
      try await api.createGroup(
        CreateGroupRequest(
          applicationId: ids.application, appKey: ids.blob, name: "x", parentGroupId: ids.group))
    },
    .row(
      "GET /admin-api/groups/{group_id}",
      answers: #"""
        {"groupId":"g1","appKey":"b1","targetApplicationId":"a1","memberCount":2,"contextCount":3,
         "activeUpgrade":\#(upgradeText),"defaultCapabilities":4294967295,"subgroupVisibility":"restricted",
         "metadata":\#(metadataText),"groupStateHash":"h1","namespaceId":"n1","ownerOpCounter":18446744073709551615}
        """#,
      gives: GroupInfoResponseData(
        groupId: "g1", appKey: "b1", targetApplicationId: "a1", memberCount: 2, contextCount: 3,
        activeUpgrade: upgrade, defaultCapabilities: .max, subgroupVisibility: .restricted,
        metadata: metadataRecord, groupStateHash: "h1", namespaceId: "n1", ownerOpCounter: .max)
    ) { api, ids in try await api.getGroupInfo(ids.group) },
    .row(
      "DELETE /admin-api/groups/{group_id}", sends: .emptyObject, answers: #"{"isDeleted":true}"#,
      gives: DeleteGroupResponseData(isDeleted: true)
    ) { api, ids in try await api.deleteGroup(ids.group) },
    .row(
      "GET /admin-api/groups/{group_id}/contexts", query: { _ in [("offset", "5"), ("limit", "10")] },
      answers: #"[{"contextId":"c1","name":"Notes"},{"contextId":"c2"}]"#,
      gives: [GroupContextEntry(contextId: "c1", name: "Notes"), GroupContextEntry(contextId: "c2")]
    ) { api, ids in try await api.listGroupContexts(ids.group, offset: 5, limit: 10) },
    .row(
      "GET /admin-api/groups/{group_id}/subgroups", answers: #"{"subgroups":[{"groupId":"g2","name":null}]}"#,
      gives: [SubgroupEntry(groupId: "g2")]
    ) { api, ids in try await api.listSubgroups(ids.group) },
    .row(
      "POST /admin-api/groups/{group_id}/reparent", sends: .json { #"{"newParentId":"\#($0.newParent)"}"# },
      answers: #"{"reparented":false}"#, gives: ReparentGroupResponseData(reparented: false)
    ) { api, ids in
      try await api.reparentGroup(ids.group, request: ReparentGroupRequest(newParentId: ids.newParent))
    },
    .row("POST /admin-api/groups/{group_id}/contexts/{context_id}/remove", sends: .emptyObject) { api, ids in
      try await api.detachContextFromGroup(ids.group, contextId: ids.context)
    },
    .row(
      "POST /admin-api/groups/{group_id}/leave", sends: .emptyObject,
      answers: #"{"groupId":"g1","memberPublicKey":"k1"}"#
    ) { api, ids in try await api.leaveGroup(ids.group) },
    .row(
      "POST /admin-api/groups/{group_id}/sync", sends: .emptyObject,
      answers: #"{"groupId":"g1","appKey":"b1","targetApplicationId":"a1","memberCount":2,"contextCount":3}"#,
      gives: SyncGroupResponseData(
        groupId: "g1", synced: true, appKey: "b1", targetApplicationId: "a1", memberCount: 2, contextCount: 3)
    ) { api, ids in try await api.syncGroup(ids.group) },
    .row(
      "POST /admin-api/groups/{group_id}/join-via-inheritance", sends: .emptyObject,
      answers: #"{"groupId":"g1","memberPublicKey":"k1","wasInherited":true}"#,
      gives: JoinSubgroupInheritanceResponseData(groupId: "g1", memberPublicKey: "k1", wasInherited: true)
    ) { api, ids in try await api.joinSubgroupInheritance(ids.group) },
    .row(
      "PUT /admin-api/groups/{group_id}/settings/default-capabilities",
      sends: .json { _ in #"{"defaultCapabilities":231}"# }
    ) { api, ids in
      try await api.setDefaultCapabilities(
        ids.group, request: SetDefaultCapabilitiesRequest(defaultCapabilities: 231))
    },
    .row(
      "PUT /admin-api/groups/{group_id}/settings/subgroup-visibility",
      sends: .json { _ in #"{"subgroupVisibility":"open"}"# }
    ) { api, ids in
      try await api.setSubgroupVisibility(
        ids.group, request: SetSubgroupVisibilityRequest(subgroupVisibility: .open))
    },
    .row(
      "POST /admin-api/groups/{group_id}/transfer-ownership",
      sends: .json { #"{"newOwner":"\#($0.account)","rootProof":"aa"}"# }
    ) { api, ids in
      try await api.transferOwnership(
        ids.group, request: TransferOwnershipRequest(newOwner: ids.account, rootProof: ids.rootProof))
    },
    .row("POST /admin-api/groups/{group_id}/owner-delete", sends: .json { _ in #"{"rootProof":"aa"}"# }) {
      api, ids in
      try await api.ownerDeleteGroup(ids.group, request: RootGuardedOpRequest(rootProof: ids.rootProof))
    },
    .row(
      "POST /admin-api/groups/{group_id}/issue-ownership-proof",
      sends: .json {
        #"""
        {"audience":"service","contextId":"\#($0.context)","subject":"billing","nonce":"\#(Ids.id(9))",
         "expiresAtMs":1790000000123}
        """#
      },
      answers: proofText, gives: proof
    ) { api, ids in
      try await api.issueOwnershipProof(
        ids.group,
        request: IssueOwnershipProofRequest(
          audience: "service", contextId: ids.context, subject: "billing", nonce: Ids.id(9),
          expiresAtMs: 1_790_000_000_123))
    },
    .row(
      "POST /admin-api/groups/{group_id}/issue-namespace-ownership-proof",
      sends: .json { _ in
        #"{"audience":"service","subject":"billing","nonce":"\#(Ids.id(9))","expiresAtMs":1790000000123}"#
      },
      answers: proofText, gives: proof
    ) { api, ids in
      try await api.issueNamespaceOwnershipProof(
        ids.group,
        request: IssueNamespaceOwnershipProofRequest(
          audience: "service", subject: "billing", nonce: Ids.id(9), expiresAtMs: 1_790_000_000_123))
    },
  ]
}
