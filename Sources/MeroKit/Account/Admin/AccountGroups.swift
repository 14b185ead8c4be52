import Foundation

// Groups and members as an account governs them (40 §14.2, B).

extension AccountAdmin {
  /// Makes a subgroup: open unless it is asked to be restricted, since one that is opened later strands its members.
  @discardableResult
  public func createGroupInNamespace(
    _ namespaceId: String, request: CreateGroupInNamespaceRequest?
  ) async throws -> CreateGroupInNamespaceResponseData {
    try await learnNamespace(of: namespaceId, "createGroupInNamespace")
    let creation = try GovernanceOps.subgroupCreation(
      parentId: namespaceId, restricted: request?.visibility == .restricted, admin: session.account,
      random: env.random)
    let groupId = creation.groupId
    let answered = try await deps.governRoot(session, namespaceId, creation.op)
    // The id follows from what was signed. What a relay calls it must not become a group to sign for; one that names none
    // is taken to mean the group that was asked.
    guard [groupId, namespaceId.lowercased()].contains(answered.lowercased()) else {
      throw AccountError.protocolViolation(
        "group \(groupId) was to be made, and the relay answers for \(Excerpt.of(answered, upTo: 64))")
    }
    let namespace =
      DelegatedAccounts.namespaceOfGroup(session, groupId: namespaceId, store: env.store) ?? namespaceId
    DelegatedAccounts.rememberGroupNamespace(
      session.account, groupId: groupId, namespaceId: namespace, store: env.store)
    if let name = request?.groupName {
      _ = try await deps.governGroup(session, groupId, try GovernanceOps.groupMetadataSet(name: name))
    }
    return CreateGroupInNamespaceResponseData(groupId: groupId)
  }

  /// Deletes a subgroup.
  @discardableResult
  public func deleteGroup(_ groupId: String) async throws -> DeleteGroupResponseData {
    try await governRoot(groupId) { try GovernanceOps.groupDeleted(rootGroupId: groupId) }
    return DeleteGroupResponseData(isDeleted: true)
  }

  /// Moves a subgroup.
  @discardableResult
  public func reparentGroup(
    _ groupId: String, request: ReparentGroupRequest
  ) async throws -> ReparentGroupResponseData {
    try await governRoot(groupId) {
      try GovernanceOps.groupReparented(childGroupId: groupId, newParentId: request.newParentId)
    }
    return ReparentGroupResponseData(reparented: true)
  }

  /// Leaves a group.
  public func leaveGroup(_ groupId: String) async throws {
    try await governGroup(groupId) { try GovernanceOps.memberLeft(member: session.account) }
  }

  /// Leaves a namespace.
  public func leaveNamespace(_ namespaceId: String) async throws {
    try await governGroup(namespaceId) { try GovernanceOps.memberLeft(member: session.account) }
  }

  /// Sets the capabilities of new members.
  public func setDefaultCapabilities(_ groupId: String, request: SetDefaultCapabilitiesRequest) async throws {
    try await governGroup(groupId) {
      try GovernanceOps.defaultCapabilitiesSet(capabilities: request.defaultCapabilities)
    }
  }

  /// Says whether members of the parent are members here: `open` or, with any other word, not.
  public func setSubgroupVisibility(_ groupId: String, request: SetSubgroupVisibilityRequest) async throws {
    try await governGroup(groupId) {
      try GovernanceOps.subgroupVisibilitySet(request.subgroupVisibility == .open ? .open : .restricted)
    }
  }

  /// Nothing: the relay syncs by itself.
  @discardableResult
  public func syncGroup(_ groupId: String) async throws -> SyncGroupResponseData {
    _ = try relay("syncGroup")
    return SyncGroupResponseData(groupId: groupId, synced: true)
  }

  // MARK: Members

  /// Makes accounts members, in order; the first that is refused ends it.
  public func addGroupMembers(_ groupId: String, request: AddGroupMembersRequest) async throws {
    try await learnNamespace(of: groupId, "addGroupMembers")
    let ops = try request.members.map { try GovernanceOps.memberAdded(member: $0.identity, role: $0.role) }
    for op in ops { _ = try await deps.governGroup(session, groupId, op) }
  }

  /// Removes members, in order.
  public func removeGroupMembers(_ groupId: String, request: RemoveGroupMembersRequest) async throws {
    try await learnNamespace(of: groupId, "removeGroupMembers")
    let ops = try request.members.map { try GovernanceOps.memberRemoved(member: $0) }
    for op in ops { _ = try await deps.governGroup(session, groupId, op) }
  }

  /// Gives a member another role.
  public func updateMemberRole(_ groupId: String, account: String, request: UpdateMemberRoleRequest)
    async throws
  {
    try await governGroup(groupId) { try GovernanceOps.memberRoleSet(member: account, role: request.role) }
  }

  /// Gives a member other capabilities.
  public func setMemberCapabilities(
    _ groupId: String, account: String, request: SetMemberCapabilitiesRequest
  ) async throws {
    try await governGroup(groupId) {
      try GovernanceOps.memberCapabilitySet(member: account, capabilities: request.capabilities)
    }
  }

  // MARK: Names and data

  /// Replaces a group's name and data.
  public func setGroupMetadata(_ groupId: String, request: SetGroupMetadataRequest) async throws {
    try await governGroup(groupId) {
      try GovernanceOps.groupMetadataSet(name: request.name, data: request.data)
    }
  }

  /// Replaces a member's name and data.
  public func setMemberMetadata(
    _ groupId: String, account: String, request: SetMemberMetadataRequest
  ) async throws {
    try await governGroup(groupId) {
      try GovernanceOps.memberMetadataSet(member: account, name: request.name, data: request.data)
    }
  }

  /// Replaces a context's name and data.
  public func setContextMetadata(
    _ groupId: String, contextId: String, request: SetContextMetadataRequest
  ) async throws {
    try await governGroup(groupId) {
      try GovernanceOps.contextMetadataSet(
        contextId: contextId, name: request.name, data: request.data)
    }
  }
}
