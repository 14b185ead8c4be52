extension AdminApi {
  /// Makes a group the old way; prefer `createNamespace` and `createGroupInNamespace`.
  @discardableResult
  public func createGroup(_ request: CreateGroupRequest) async throws -> CreateGroupResponseData {
    try await call(.post, "groups", json(request))
  }

  /// A group as the node sees it.
  public func getGroupInfo(_ groupId: String) async throws -> GroupInfoResponseData {
    try await get("groups/\(groupId)")
  }

  /// The mask new members of a group start with.
  public func getDefaultCapabilities(_ groupId: String) async throws -> UInt32 {
    try await getGroupInfo(groupId).defaultCapabilities
  }

  /// Whether members of the parent are members of a group.
  public func getSubgroupVisibility(_ groupId: String) async throws -> GroupVisibility {
    try await getGroupInfo(groupId).subgroupVisibility
  }

  /// Deletes a group with everything below it. A namespace's root goes with `deleteNamespace`.
  @discardableResult
  public func deleteGroup(_ groupId: String) async throws -> DeleteGroupResponseData {
    try await call(.delete, "groups/\(groupId)", .emptyObject)
  }

  /// The contexts of a group; the node answers at most 1000 at a time, 100 when nothing is said.
  public func listGroupContexts(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> ListGroupContextsResponseData {
    try await get("groups/\(groupId)/contexts", query: page(offset, limit))
  }

  /// The groups directly under a group that the caller may see.
  public func listSubgroups(_ groupId: String) async throws -> [SubgroupEntry] {
    let answer: ListSubgroupsResponse = try await get("groups/\(groupId)/subgroups", .either)
    return answer.subgroups
  }

  /// Moves a group under another one of the same namespace.
  @discardableResult
  public func reparentGroup(
    _ groupId: String, request: ReparentGroupRequest
  ) async throws -> ReparentGroupResponseData {
    try await call(.post, "groups/\(groupId)/reparent", json(request), .either)
  }

  /// Takes a context out of a group, for everybody.
  public func detachContextFromGroup(_ groupId: String, contextId: String) async throws {
    try await run(.post, "groups/\(groupId)/contexts/\(contextId)/remove", .emptyObject)
  }

  /// Leaves a group. A namespace is left with `leaveNamespace`.
  public func leaveGroup(_ groupId: String) async throws {
    try await run(.post, "groups/\(groupId)/leave", .emptyObject)
  }

  /// Fetches a group's decisions from peers.
  @discardableResult
  public func syncGroup(_ groupId: String) async throws -> SyncGroupResponseData {
    try await call(.post, "groups/\(groupId)/sync", .emptyObject)
  }

  /// Makes an inherited membership of an open subgroup an explicit one.
  @discardableResult
  public func joinSubgroupInheritance(_ groupId: String) async throws -> JoinSubgroupInheritanceResponseData {
    try await call(.post, "groups/\(groupId)/join-via-inheritance", .emptyObject)
  }

  /// Sets the mask new members of a group start with. Members keep theirs.
  public func setDefaultCapabilities(_ groupId: String, request: SetDefaultCapabilitiesRequest) async throws {
    try await run(.put, "groups/\(groupId)/settings/default-capabilities", json(request))
  }

  /// Sets whether members of the parent are members of a group.
  public func setSubgroupVisibility(_ groupId: String, request: SetSubgroupVisibilityRequest) async throws {
    try await run(.put, "groups/\(groupId)/settings/subgroup-visibility", json(request))
  }

  /// Makes another admin the group's owner. Needs the owner's root.
  public func transferOwnership(_ groupId: String, request: TransferOwnershipRequest) async throws {
    try await run(.post, "groups/\(groupId)/transfer-ownership", json(request))
  }

  /// Deletes a group that holds no contexts. Needs the owner's root; `deleteGroup` is an admin's.
  public func ownerDeleteGroup(_ groupId: String, request: RootGuardedOpRequest?) async throws {
    try await run(.post, "groups/\(groupId)/owner-delete", json(request ?? RootGuardedOpRequest()))
  }

  /// A signed statement for an outside service that the caller administers a context's group.
  public func issueOwnershipProof(
    _ groupId: String, request: IssueOwnershipProofRequest
  ) async throws -> IssueOwnershipProofResponseData {
    try await call(.post, "groups/\(groupId)/issue-ownership-proof", json(request), .either)
  }

  /// A signed statement for an outside service that the caller administers a namespace.
  public func issueNamespaceOwnershipProof(
    _ groupId: String, request: IssueNamespaceOwnershipProofRequest
  ) async throws -> IssueOwnershipProofResponseData {
    try await call(.post, "groups/\(groupId)/issue-namespace-ownership-proof", json(request), .either)
  }
}
