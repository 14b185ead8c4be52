// Names and free data. A namespace's are those of its root group. Data that is set replaces all that was there; to change
// only the name, read first and send the data back.
extension AdminApi {
  /// A group's name and data; nil when never set.
  public func getGroupMetadata(_ groupId: String) async throws -> MetadataRecord? {
    try await get("groups/\(groupId)/metadata", .dataOptional)
  }

  /// Sets a group's name and data.
  public func setGroupMetadata(_ groupId: String, request: SetGroupMetadataRequest) async throws {
    try await run(.put, "groups/\(groupId)/metadata", json(request))
  }

  /// A member's name and data; nil when never set.
  public func getMemberMetadata(_ groupId: String, account: String) async throws -> MetadataRecord? {
    try await get("groups/\(groupId)/members/\(account)/metadata", .dataOptional)
  }

  /// Sets a member's name and data.
  public func setMemberMetadata(
    _ groupId: String, account: String, request: SetMemberMetadataRequest
  ) async throws {
    try await run(.put, "groups/\(groupId)/members/\(account)/metadata", json(request))
  }

  /// A context's name and data; nil when never set.
  public func getContextMetadata(_ groupId: String, contextId: String) async throws -> MetadataRecord? {
    try await get("groups/\(groupId)/contexts/\(contextId)/metadata", .dataOptional)
  }

  /// Sets a context's name and data.
  public func setContextMetadata(
    _ groupId: String, contextId: String, request: SetContextMetadataRequest
  ) async throws {
    try await run(.put, "groups/\(groupId)/contexts/\(contextId)/metadata", json(request))
  }
}
