// What a relay does for accounts without a node. Read what the relay is first: a warrant that names another executor,
// key or release is refused after its number is spent.
extension AdminApi {
  /// Whom a warrant for a context has to name, and whether this relay may run it.
  public func getIntentRelay(_ contextId: String) async throws -> IntentRelayInfo {
    try await get("contexts/\(contextId)/intents")
  }

  /// Runs a write under a warrant.
  public func performIntent(
    _ contextId: String, request: PerformIntentRequest
  ) async throws -> PerformIntentResponseData {
    try await call(.post, "contexts/\(contextId)/intents", json(request))
  }

  /// Publishes a signed statement of presence.
  public func postPresenceIntent(_ contextId: String, request: PresenceIntentRequest) async throws {
    try await run(.post, "contexts/\(contextId)/presence-intents", json(request))
  }

  /// Whom a warrant for a new context has to name, and whether this relay may make it.
  ///
  /// - Parameter author: the account that would create it; the answer then says whether it may.
  public func getContextIntentRelay(
    _ groupId: String, author: String? = nil
  ) async throws -> ContextIntentRelayInfo {
    try await get("groups/\(groupId)/context-intents", query: [("author", author)])
  }

  /// Makes a context under a warrant.
  public func createContextIntent(
    _ groupId: String, request: CreateContextIntentRequest
  ) async throws -> CreateContextIntentResponseData {
    try await call(.post, "groups/\(groupId)/context-intents", json(request))
  }

  /// Whom a warrant for a decision has to name, and whether this relay may publish it.
  public func getGovernanceIntentRelay(_ groupId: String) async throws -> GovernanceIntentRelayInfo {
    try await get("groups/\(groupId)/governance-intents")
  }

  /// Publishes a decision under a warrant.
  ///
  /// - Parameter groupId: the warrant's scope: the group for a group's op, the namespace for a root op.
  public func governanceIntent(
    _ groupId: String, request: GovernanceIntentRequest
  ) async throws -> GovernanceIntentResponseData {
    try await call(.post, "groups/\(groupId)/governance-intents", json(request))
  }

  /// Which numbers of a device's warrants the node has seen. No released node answers it: expect 404.
  public func getWarrantNonce(_ contextId: String, deviceKey: String) async throws -> WarrantNonceState {
    try await get("contexts/\(contextId)/warrant-nonce/\(deviceKey)")
  }

  /// Which numbers of the caller's own warrants the node has seen. No released node answers it: expect 404.
  public func getWarrantNonceAsAuthor(
    _ contextId: String, request: WarrantNonceAsAuthorRequest
  ) async throws -> WarrantNonceState {
    try await call(.post, "contexts/\(contextId)/warrant-nonce", json(request))
  }
}
