import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("A node's auth service")
struct AuthApiTests {
  private func api(_ answer: @autoclosure @escaping @Sendable () -> HTTPResponse) -> (AuthApi, ScriptedNode) {
    let node = ScriptedNode { _ in answer() }
    return (Mero.over(node).auth, node)
  }

  private func data(_ value: JSONValue) -> HTTPResponse { .json(["data": value, "error": nil]) }

  @Test("the public routes are asked for and read as they are")
  func publicRoutes() async throws {
    let (health, node) = api(data(["status": "alive", "storage": true, "uptime_seconds": 7]))
    let answer = try await health.getHealth()
    #expect(answer.status == "alive" && answer.storage == true && answer.uptimeSeconds == 7)
    #expect(node.requests[0].url.path == "/auth/health")
    let (providers, _) = api(
      data([
        "providers": [
          ["name": "user_password", "type": "p", "description": "d", "configured": true, "config": ["a": 1]]
        ], "count": 1,
      ]))
    let ways = try await providers.getProviders()
    #expect(ways.count == 1 && ways.providers[0].config == ["a": 1])
    let (mock, asked) = api(.tokens("A", "R"))
    let tokens = try await mock.generateMockTokens(MockTokenRequest(clientName: "x", accessTokenExpiry: 5))
    #expect(tokens == TokenResponse(accessToken: "A", refreshToken: "R"))
    #expect(asked.requests[0].json == ["client_name": "x", "access_token_expiry": 5])
    let (logout, told) = api(data(["success": true]))
    #expect(try await logout.logout(LogoutRequest(refreshToken: "R")).success)
    #expect(told.requests[0].json == ["refresh_token": "R"])
  }

  @Test("the protected routes carry the bearer and are read as they are")
  func protectedRoutes() async throws {
    let (identity, node) = api(
      data(["service": "calimero-auth", "version": "1", "authentication_mode": "forward", "providers": ["p"]])
    )
    #expect(try await identity.getIdentity().providers == ["p"])
    #expect(node.requests[0].bearer == "A1" && node.requests[0].url.path == "/admin/identity")
    let (metrics, _) = api(data(["requests": JSONValue(12_345_678_901_234_567_890 as UInt64)]))
    #expect(try await metrics.getMetrics()["requests"]?.numberValue?.text == "12345678901234567890")
    let (keys, _) = api(
      data([
        [
          "key_id": "k", "public_key": "ada", "auth_method": "user_password", "created_at": 5,
          "revoked_at": nil,
          "permissions": ["admin"],
        ]
      ]))
    #expect(try await keys.listRootKeys().map(\.revokedAt) == [nil])
    let (clients, listed) = api(
      data([
        [
          "client_id": "c", "root_key_id": "k", "name": "n", "permissions": [], "created_at": 5,
          "revoked_at": 6, "is_valid": false,
        ]
      ]))
    #expect(try await clients.listClientKeys().map(\.revokedAt) == [6])
    #expect(listed.requests[0].url.path == "/admin/keys/clients")
  }

  @Test("optional fields are left out, never null")
  func absentFields() async throws {
    let (api, node) = api(.tokens("A", "R"))
    _ = try await api.generateClientKey(GenerateClientKeyRequest(permissions: ["context:execute"]))
    _ = try await api.generateClientKey(
      GenerateClientKeyRequest(
        contextId: "c", contextIdentity: "i", permissions: [], applicationId: "a", ttlSecs: .max))
    #expect(
      node.requests[0].json == [
        "context_id": "", "context_identity": "", "permissions": ["context:execute"],
      ])
    #expect(node.requests[1].json["ttl_secs"]?.uint64 == .max)
    #expect(node.requests[1].json["application_id"] == "a")
  }

  @Test("a change of keys succeeds unless the node says that it did not, whatever else it answers")
  func changes() async throws {
    let (deleted, node) = api(data(["key_id": "k", "revoked_at": 7]))
    let answer = try await deleted.deleteRootKey("a/b")
    #expect(answer.isDone && answer.revokedAt == 7)
    #expect(node.requests[0].url.absoluteString.hasSuffix("/admin/keys/a%2Fb"))
    #expect(node.requests[0].body == nil)
    let (kept, _) = api(data(["status": false, "message": "Cannot delete the last active root key"]))
    #expect(try await !kept.deleteRootKey("k").isDone)
    let (silent, client) = api(HTTPResponse(status: 204))
    #expect(try await silent.deleteClientKey(keyId: "k", clientId: "c").isDone)
    #expect(client.requests[0].url.path == "/admin/keys/k/clients/c")
    let (revoked, _) = api(data(["success": true, "message": "m"]))
    #expect(try await revoked.revokeTokens(RevokeTokenRequest(clientId: "c")).message == "m")
    let (created, made) = api(data(["status": true, "message": "Key was created"]))
    #expect(
      try await created.createRootKey(CreateKeyRequest(publicKey: "ada", authMethod: "user_password")).isDone)
    #expect(
      made.requests[0].json == ["public_key": "ada", "auth_method": "user_password", "provider_data": [:]])
  }

  @Test("permissions are read and changed by what comes and goes")
  func permissions() async throws {
    let (api, node) = api(data(["permissions": ["admin"]]))
    #expect(try await api.getKeyPermissions("k").permissions == ["admin"])
    _ = try await api.updateKeyPermissions("k", changes: PermissionChanges(add: ["blob"]))
    #expect(node.requests.map(\.method) == [.get, .put])
    #expect(node.requests[1].json == ["add": ["blob"]])
    #expect(node.requests[1].url.path == "/admin/keys/k/permissions")
  }

  @Test("a given token is judged by its own header, and what the node says of it is read")
  func validation() async throws {
    let (api, node) = api(
      HTTPResponse(status: 200, headers: ["X-Auth-User": "ada", "X-Auth-Permissions": "blob, context:list"]))
    let answer = await api.validateToken("other")
    #expect(answer.valid && answer.status == 200)
    #expect(answer.user == "ada" && answer.permissions == ["blob", "context:list"])
    #expect(node.requests[0].bearer == "other" && node.requests[0].method == .head)
  }

  @Test("a token that is not good, or a node that is away, is an answer and not an error")
  func invalidToken() async throws {
    let (refusing, node) = api(.status(403, "token_revoked"))
    #expect(await refusing.validateToken("other") == TokenValidation(valid: false, status: 403))
    #expect(node.requests.count == 1)
    let away = ScriptedNode { _ in throw TransportError(kind: .lost, text: "", mayHaveBeenSent: true) }
    #expect(await Mero.over(away).auth.validateToken("x") == TokenValidation(valid: false, status: 401))
    #expect(away.requests.count == 1)
  }
}
