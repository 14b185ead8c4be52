extension AdminApi {
  /// Has a group run another application, or a newer build of the same one. Whether and how state migrates is read from
  /// the builds themselves.
  @discardableResult
  public func upgradeGroup(_ groupId: String, request: UpgradeGroupRequest) async throws
    -> UpgradeGroupResponseData
  {
    try await call(.post, "groups/\(groupId)/upgrade", json(request))
  }

  /// How far a group's upgrade is on this node; nil when there is none.
  public func getGroupUpgradeStatus(_ groupId: String) async throws -> GroupUpgradeStatus? {
    try await get("groups/\(groupId)/upgrade/status", .dataOptional)
  }

  /// Takes up an upgrade of which contexts have failed.
  @discardableResult
  public func retryGroupUpgrade(_ groupId: String) async throws -> RetryGroupUpgradeResponseData {
    try await call(.post, "groups/\(groupId)/upgrade/retry", .emptyObject)
  }

  /// How far an upgrade is in each group of a namespace.
  public func getCascadeStatus(_ namespaceId: String) async throws -> [CascadeStatusEntry] {
    try await get("groups/\(namespaceId)/cascade-status")
  }

  /// How far a namespace's members are with a migration, from what they last reported. For its admin.
  public func getMigrationStatus(_ namespaceId: String) async throws -> MigrationStatus {
    try await get("groups/\(namespaceId)/migration-status", .flat)
  }

  /// Calls off a migration. Contexts already migrated stay so.
  @discardableResult
  public func abortMigration(_ namespaceId: String) async throws -> AbortMigrationResponseData {
    try await call(.post, "groups/\(namespaceId)/migration/abort", .emptyObject, .flat)
  }
}
