import Foundation
import MeroHTTP
import MeroWire

/// A node's auth service: logging in, keys and permissions (10 §2.1).
///
/// All throw ``MeroError`` and `CancellationError`, except where they say otherwise. A client that only wants a session
/// uses ``Mero/authenticate(_:)``.
public struct AuthApi: Sendable {
  private let http: NodeHTTP

  /// The auth service of the node that `http` reaches.
  public init(http: NodeHTTP) { self.http = http }

  // MARK: Public

  /// How the service is doing.
  public func getHealth() async throws -> AuthHealth {
    try await http.value(NodeRequest(.get, "/auth/health"))
  }

  /// The ways to log in.
  public func getProviders() async throws -> AuthProviders {
    try await http.value(NodeRequest(.get, "/auth/providers"))
  }

  /// Logs in and answers the tokens; nothing is kept. Never sent twice: each failure counts towards a lock-out.
  public func generateTokens(_ request: TokenRequest) async throws -> TokenResponse {
    try await http.value(try Self.post("/auth/token", request))
  }

  /// Renews a pair and answers the new one; nothing is kept. Never sent twice: a refresh token works once.
  public func refreshToken(_ request: RefreshTokenRequest) async throws -> TokenResponse {
    var call = try Self.post("/auth/refresh", request)
    // Renewing in order to renew would go round in circles.
    call.canRefresh = false
    return try await http.value(call)
  }

  /// Tokens without a proof, from a node built for debugging.
  public func generateMockTokens(_ request: MockTokenRequest) async throws -> TokenResponse {
    try await http.value(try Self.post("/auth/mock-token", request))
  }

  /// Ends the session of a refresh token.
  public func logout(_ request: LogoutRequest) async throws -> LogoutResponse {
    var call = try Self.post("/auth/logout", request)
    call.canRefresh = false
    return try await http.value(call)
  }

  /// Whether a node accepts a token that need not be the session's. It is not renewed, and the session is left alone.
  ///
  /// Never throws: without an answer the token counts as not valid, with status 401.
  public func validateToken(_ token: String) async -> TokenValidation {
    let request = NodeRequest(.head, "/auth/validate", headers: ["authorization": "Bearer \(token)"])
    do {
      let answer = try await http.send(request)
      return TokenValidation(valid: true, status: answer.status, headers: answer.headers)
    } catch {
      return TokenValidation(valid: false, status: (error as? MeroError)?.httpStatus ?? 401)
    }
  }

  // MARK: Protected

  /// What the service is.
  public func getIdentity() async throws -> AuthIdentity {
    try await http.value(NodeRequest(.get, "/admin/identity"))
  }

  /// The service's counters.
  public func getMetrics() async throws -> JSONValue {
    try await http.value(NodeRequest(.get, "/admin/metrics"))
  }

  /// Ends all tokens of a client key.
  @discardableResult
  public func revokeTokens(_ request: RevokeTokenRequest) async throws -> KeyChange {
    try await change(try Self.post("/admin/revoke", request))
  }

  /// The keys that log in by themselves.
  public func listRootKeys() async throws -> [RootKey] {
    try await http.value(NodeRequest(.get, "/admin/keys"))
  }

  /// Makes a root key, or changes the one there is.
  @discardableResult
  public func createRootKey(_ request: CreateKeyRequest) async throws -> KeyChange {
    try await change(try Self.post("/admin/keys", request))
  }

  /// Revokes a root key. The last one stays: ``KeyChange/isDone`` is false then.
  @discardableResult
  public func deleteRootKey(_ keyId: String) async throws -> KeyChange {
    try await change(NodeRequest(.delete, "/admin/keys/\(NodePath.segment(keyId))"))
  }

  /// The keys given to apps.
  public func listClientKeys() async throws -> [ClientKey] {
    try await http.value(NodeRequest(.get, "/admin/keys/clients"))
  }

  /// Makes a key for an app and answers its tokens.
  public func generateClientKey(_ request: GenerateClientKeyRequest) async throws -> TokenResponse {
    try await http.value(try Self.post("/admin/client-key", request))
  }

  /// Revokes a client key.
  @discardableResult
  public func deleteClientKey(keyId: String, clientId: String) async throws -> KeyChange {
    try await change(
      NodeRequest(
        .delete, "/admin/keys/\(NodePath.segment(keyId))/clients/\(NodePath.segment(clientId))"))
  }

  /// What a key permits.
  public func getKeyPermissions(_ keyId: String) async throws -> KeyPermissions {
    try await http.value(NodeRequest(.get, "/admin/keys/\(NodePath.segment(keyId))/permissions"))
  }

  /// Changes what a key permits and answers what it permits now. It does not change tokens that were given already.
  @discardableResult
  public func updateKeyPermissions(
    _ keyId: String, changes: PermissionChanges
  ) async throws -> KeyPermissions {
    let path = "/admin/keys/\(NodePath.segment(keyId))/permissions"
    return try await http.value(NodeRequest(.put, path, body: try Self.json(changes)))
  }

  // MARK: Requests

  /// A change whose answer may be missing.
  private func change(_ request: NodeRequest) async throws -> KeyChange {
    let answer: KeyChange? = try await http.value(request, KeyChange?.self, .dataOptional)
    return answer ?? KeyChange()
  }

  private static func post(_ path: String, _ body: some Encodable) throws(MeroError) -> NodeRequest {
    NodeRequest(.post, path, body: try json(body))
  }

  private static func json(_ body: some Encodable) throws(MeroError) -> NodeRequest.Body {
    do { return try .json(encoding: body) } catch {
      throw .decoding("the request cannot be written as JSON: \(error)")
    }
  }
}
