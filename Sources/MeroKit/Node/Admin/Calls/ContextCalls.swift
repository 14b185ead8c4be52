import MeroHTTP
import MeroWire

extension AdminApi {
  /// The contexts the caller may see; the node answers at most 1000 at a time, 100 when nothing is said.
  public func getContexts(offset: Int?, limit: Int?) async throws -> GetContextsResponseData {
    try await get("contexts", query: page(offset, limit))
  }

  /// Makes a context of an application in a group.
  @discardableResult
  public func createContext(_ request: CreateContextRequest) async throws -> CreateContextResponseData {
    try await call(.post, "contexts", json(request))
  }

  /// One context.
  public func getContext(_ contextId: String) async throws -> Context {
    try await get("contexts/\(contextId)")
  }

  /// Drops the node's own copy of a context. To remove it for everybody, `detachContextFromGroup`.
  @discardableResult
  public func deleteContext(_ contextId: String) async throws -> DeleteContextResponseData {
    try await call(.delete, "contexts/\(contextId)", nil)
  }

  /// Has one context run another application's code; prefer `upgradeGroup`.
  public func updateContextApplication(
    _ contextId: String, request: UpdateContextApplicationRequest
  ) async throws {
    try await run(.post, "contexts/\(contextId)/application", json(request))
  }

  /// All contexts of an application on the node. A relay refuses it to an account.
  public func getContextsForApplication(_ applicationId: String) async throws -> GetContextsResponseData {
    try await get("contexts/for-application/\(applicationId)")
  }

  /// All contexts of an application on the node, with the keys that may act in them. A relay refuses it to an account.
  public func getContextsWithExecutorsForApplication(
    _ applicationId: String
  ) async throws -> [ContextWithExecutors] {
    // Nodes of different ages answer a list, or an object with one, with or without an envelope.
    let answer: JSONValue = try await get("contexts/with-executors/for-application/\(applicationId)", .either)
    return try (answer["contexts"] ?? answer).read([ContextWithExecutors].self)
  }

  /// What a context's state takes up on the node.
  public func getContextStorage(_ contextId: String) async throws -> ContextStorageResponseData {
    try await get("contexts/\(contextId)/storage")
  }

  /// The signing keys that take part in a context.
  public func getContextIdentities(_ contextId: String) async throws -> GetContextIdentitiesResponseData {
    try await get("contexts/\(contextId)/identities")
  }

  /// The signing keys in a context that are the caller's.
  public func getContextIdentitiesOwned(
    _ contextId: String
  ) async throws -> GetContextIdentitiesResponseData {
    try await get("contexts/\(contextId)/identities-owned")
  }

  /// The group a context belongs to; nil for none.
  public func getContextGroup(_ contextId: String) async throws -> String? {
    try await get("contexts/\(contextId)/group", .dataOptional)
  }

  /// Takes part in a context of a group one is a member of. Its state arrives afterwards, by sync.
  @discardableResult
  public func joinContext(_ contextId: String) async throws -> JoinContextResponseData {
    try await call(.post, "contexts/\(contextId)/join", .emptyObject)
  }

  /// Stops taking part in a context on this node; nobody else is told.
  public func leaveContext(_ contextId: String) async throws {
    try await run(.post, "contexts/\(contextId)/leave", .emptyObject)
  }

  /// Replaces a context's state by a peer's.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 without `force` when the context has changes of its own.
  @discardableResult
  public func resyncContext(
    _ contextId: String, request: ResyncContextRequest
  ) async throws -> ResyncContextResponseData {
    let path: AdminPath = "contexts/\(contextId)/resync"
    let response = try await http.send(path.request(.post, json(request)))
    // An older node says nothing when it has begun.
    guard !response.body.isEmpty else {
      return ResyncContextResponseData(contextId: contextId, resyncStarted: true)
    }
    return try response.json().read(ResyncContextResponseData.self, status: response.status)
  }

  /// Has the node sync a context, or all of them when nil. It returns once that was tried or queued, not when peers agree.
  public func syncContext(_ contextId: String?) async throws {
    // A slash at the end would be another route.
    let path: AdminPath = if let contextId { "contexts/sync/\(contextId)" } else { "contexts/sync" }
    try await run(.post, path, .emptyObject)
  }

  /// Reads a context as the session's account, without a warrant.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 409 when the method is not declared read-only and needs a warrant.
  public func queryContext(
    _ contextId: String, request: QueryContextRequest
  ) async throws -> QueryContextResponseData {
    try await call(.post, "contexts/\(contextId)/query", json(request))
  }

  /// Makes a new signing key, another one at each call.
  public func generateContextIdentity() async throws -> GenerateContextIdentityResponseData {
    try await call(.post, "identity/context", .emptyObject)
  }
}
