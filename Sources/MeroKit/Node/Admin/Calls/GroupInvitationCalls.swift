// The older pair, for any group; new code invites to namespaces.
extension AdminApi {
  /// Makes an invitation to a group.
  public func createGroupInvitation(
    _ groupId: String, request: CreateGroupInvitationRequest?
  ) async throws -> CreateGroupInvitationResult {
    try await call(.post, "groups/\(groupId)/invite", json(request ?? CreateGroupInvitationRequest()))
  }

  /// Joins the group an invitation names.
  @discardableResult
  public func joinGroup(_ request: JoinGroupRequest) async throws -> JoinGroupResponseData {
    try await call(.post, "groups/join", json(request))
  }
}
