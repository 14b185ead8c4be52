extension AdminApi {
  /// The namespaces the caller may see; the node answers 100 at a time when nothing is said.
  public func listNamespaces(offset: Int?, limit: Int?) async throws -> [Namespace] {
    try await get("namespaces", query: page(offset, limit))
  }

  /// Founds a namespace, another one at each call. The application must be installed; `NodeAdmin` sees to that.
  @discardableResult
  public func createNamespace(_ request: CreateNamespaceRequest) async throws -> CreateNamespaceResponseData {
    try await call(.post, "namespaces", json(request))
  }

  /// One namespace.
  public func getNamespace(_ namespaceId: String) async throws -> Namespace {
    try await get("namespaces/\(namespaceId)")
  }

  /// Deletes a namespace and everything in it.
  @discardableResult
  public func deleteNamespace(_ namespaceId: String) async throws -> DeleteNamespaceResponseData {
    try await call(.delete, "namespaces/\(namespaceId)", .emptyObject)
  }

  /// The namespaces of an application; the node answers 100 at a time when nothing is said.
  public func listNamespacesForApplication(
    _ applicationId: String, offset: Int?, limit: Int?
  ) async throws -> [Namespace] {
    try await get("namespaces/for-application/\(applicationId)", query: page(offset, limit))
  }

  /// The groups directly under a namespace's root that the caller may see.
  public func listNamespaceGroups(_ namespaceId: String) async throws -> [SubgroupEntry] {
    try await get("namespaces/\(namespaceId)/groups")
  }

  /// Makes a group directly under a namespace's root, open unless the request says otherwise.
  @discardableResult
  public func createGroupInNamespace(
    _ namespaceId: String, request: CreateGroupInNamespaceRequest?
  ) async throws -> CreateGroupInNamespaceResponseData {
    // Always written: what an absent visibility means has changed between nodes.
    var request = request ?? CreateGroupInNamespaceRequest()
    request.visibility = request.visibility ?? CreateGroupInNamespaceRequest.defaultVisibility
    return try await call(.post, "namespaces/\(namespaceId)/groups", json(request))
  }

  /// Makes an invitation to a namespace, or one for each group of its tree.
  public func createNamespaceInvitation(
    _ namespaceId: String, request: CreateNamespaceInvitationRequest?
  ) async throws -> CreateNamespaceInvitationResult {
    try await call(
      .post, "namespaces/\(namespaceId)/invite", json(request ?? CreateNamespaceInvitationRequest()))
  }

  /// Joins a namespace with an invitation. Joining twice is fine, and a failure does not prove that one is no member:
  /// `redeemInvitation` asks.
  @discardableResult
  public func joinNamespace(
    _ namespaceId: String, request: JoinNamespaceRequest
  ) async throws -> JoinNamespaceResponseData {
    try await call(.post, "namespaces/\(namespaceId)/join", json(request), timeout: Self.joinTimeout)
  }

  /// Carries the signed join of somebody without a node.
  @discardableResult
  public func admitJoin(_ namespaceId: String, request: AdmitJoinRequest) async throws
    -> AdmitJoinResponseData
  {
    try await call(
      .post, "namespaces/\(namespaceId)/admit", json(request), .either, timeout: Self.joinTimeout)
  }

  /// Leaves a namespace and every group below it.
  public func leaveNamespace(_ namespaceId: String) async throws {
    try await run(.post, "namespaces/\(namespaceId)/leave", .emptyObject)
  }

  /// Makes another member the namespace's admin. Needs the owner's root.
  public func changeNamespaceAdmin(_ namespaceId: String, request: ChangeNamespaceAdminRequest) async throws {
    try await run(.post, "namespaces/\(namespaceId)/admin", json(request))
  }
}
