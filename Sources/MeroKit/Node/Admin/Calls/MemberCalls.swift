extension AdminApi {
  /// The members of a group, inherited ones included; the node answers at most 1000 at a time, 100 when nothing is said.
  public func listGroupMembers(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> ListGroupMembersResponseData {
    try await get("groups/\(groupId)/members", query: page(offset, limit), .flat)
  }

  /// Adds accounts to a group.
  public func addGroupMembers(_ groupId: String, request: AddGroupMembersRequest) async throws {
    try await run(.post, "groups/\(groupId)/members", json(request))
  }

  /// Removes accounts from a group. Its key changes for those who remain.
  public func removeGroupMembers(_ groupId: String, request: RemoveGroupMembersRequest) async throws {
    try await run(.post, "groups/\(groupId)/members/remove", json(request))
  }

  /// Sets what a member is.
  public func updateMemberRole(
    _ groupId: String, account: String, request: UpdateMemberRoleRequest
  ) async throws {
    try await run(.put, "groups/\(groupId)/members/\(account)/role", json(request))
  }

  /// What a member may do, inherited rights included.
  public func getMemberCapabilities(_ groupId: String, account: String) async throws -> MemberCapabilities {
    try await get("groups/\(groupId)/members/\(account)/capabilities")
  }

  /// Replaces what a member may do.
  public func setMemberCapabilities(
    _ groupId: String, account: String, request: SetMemberCapabilitiesRequest
  ) async throws {
    try await run(.put, "groups/\(groupId)/members/\(account)/capabilities", json(request))
  }

  /// Sets what a member's node joins by itself.
  public func setMemberAutoFollow(
    _ groupId: String, account: String, request: SetMemberAutoFollowRequest
  ) async throws {
    try await run(.put, "groups/\(groupId)/members/\(account)/auto-follow", json(request))
  }

  /// Members with their live devices: the only way from an account to its keys. An admin sees all, a member only itself.
  public func listGroupMemberDevices(
    _ groupId: String, offset: Int?, limit: Int?
  ) async throws -> [MemberDevicesEntry] {
    let answer: ListMemberDevicesResponseData = try await get(
      "groups/\(groupId)/member-devices", query: page(offset, limit), .flat)
    return answer.members
  }
}
