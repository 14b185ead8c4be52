import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("The client of a node, against a whole node in memory")
struct MeroNodeTests {
  private let clock = FakeClock(autoAdvance: 1)
  private let node: FakeNode
  private let owner = Credentials(username: FakeNode.username, password: FakeNode.password)

  init() { node = FakeNode(clock: clock.clock, seed: 7) }

  private func client(
    store: any TokenStore = MemoryTokenStore(), _ change: (inout MeroConfig) -> Void = { _ in }
  ) -> Mero {
    var config = MeroConfig(
      baseURL: node.url, credentials: owner, tokenStore: store, clock: clock.clock, random: .halfway)
    change(&config)
    return Mero(config: config, transport: node.transport)
  }

  @Test("somebody logs in, writes, is renewed, reads, and logs out")
  func life() async throws {
    let context = node.makeContext(of: .keyValue)
    let store = MemoryTokenStore()
    let mero = client(store: store)
    let tokens = try await mero.authenticate()
    #expect(tokens.accessToken == node.accessToken)
    let _: JSONValue = try await mero.rpc.execute(
      contextId: context, method: "set_value", argsJson: ["key": "name", "value": "ada"])
    node.expireAccessToken()
    let value: String? = try await mero.rpc.execute(
      contextId: context, method: "get_value", argsJson: ["key": "name"])
    #expect(value == "ada")
    #expect(node.refreshCalls == 1)
    #expect(store.getTokens()?.accessToken == node.accessToken)
    let last = try #require(store.getTokens())
    await mero.logout()
    #expect(node.logoutCalls == 1)
    #expect(store.getTokens() == nil)
    node.expireAccessToken()
    await mero.setTokenData(last)
    await #expect(throws: MeroError.self) { _ = try await mero.admin.getContexts() }
  }

  @Test("300 calls at the same time that meet an expired token make one refresh, and all succeed")
  func storm() async throws {
    let mero = client()
    try await mero.authenticate()
    node.expireAccessToken()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<300 { group.addTask { _ = try await mero.auth.getIdentity() } }
      try await group.waitForAll()
    }
    #expect(node.refreshCalls == 1)
  }

  @Test("a session that the node has revoked is over here too, told once")
  func revoked() async throws {
    let told = Locked<[String]>([])
    let mero = client { $0.onAuthRevoked = { reason in told.withLock { $0.append(reason) } } }
    try await mero.authenticate()
    node.revokeFamily()
    await #expect {
      _ = try await mero.admin.getContexts()
    } throws: {
      if case MeroError.authRevoked("token_revoked", _) = $0 { true } else { false }
    }
    #expect(told.withLock { $0 } == ["token_revoked"])
    #expect(await !mero.isAuthenticated)
  }

  @Test("a refresh token that somebody else has used ends the session")
  func reuse() async throws {
    let mero = client()
    let tokens = try await mero.authenticate()
    node.expireAccessToken()
    _ = try await AuthApi(http: NodeHTTP(baseURL: node.url, transport: node.transport)).refreshToken(
      RefreshTokenRequest(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken))
    await #expect {
      _ = try await mero.admin.getContexts()
    } throws: {
      if case MeroError.authRevoked("token_reuse", _) = $0 { true } else { false }
    }
    #expect(await mero.currentTokenData() == nil)
  }

  @Test("a permission that is missing is not a session that has ended, and no refresh helps")
  func permission() async throws {
    let (access, refresh) = node.makeSession(permissions: ["context:list"])
    let mero = client(store: MemoryTokenStore(.sample(access, refresh)))
    _ = try await mero.admin.getContexts()
    await #expect {
      _ = try await mero.auth.listRootKeys()
    } throws: {
      ($0 as? MeroError)?.http?.authError == "permission_denied"
    }
    #expect(await mero.isAuthenticated)
    #expect(node.refreshCalls == 0)
    #expect(try await mero.checkSession() == .live)
  }

  @Test("sessions that an upgraded node does not know any more have ended")
  func forgotten() async throws {
    let mero = client()
    try await mero.authenticate()
    #expect(try await mero.checkSession() == .live)
    node.forgetSessions()
    guard case .ended = try await mero.checkSession() else {
      Issue.record("the session counts as live")
      return
    }
  }

  @Test("a wrong password is refused, and too many say how long to wait")
  func wrongPassword() async throws {
    let mero = client()
    let wrong = Credentials(username: FakeNode.username, password: "not the password")
    for _ in 0..<5 {
      await #expect {
        try await mero.authenticate(wrong)
      } throws: {
        if case MeroError.authenticationFailed(let text) = $0 { !text.contains("seconds") } else { false }
      }
    }
    await #expect {
      try await mero.authenticate()
    } throws: {
      if case MeroError.authenticationFailed(let text) = $0 { text.contains("seconds") } else { false }
    }
  }

  @Test("every route of the auth service is understood")
  func authService() async throws {
    let mero = client()
    try await mero.authenticate()
    let auth = mero.auth
    #expect(try await auth.getHealth().status == "alive")
    #expect(try await auth.getProviders().providers.map(\.name).contains("user_password"))
    #expect(try await auth.getIdentity().service == "calimero-auth")
    let created = try await auth.createRootKey(
      CreateKeyRequest(
        publicKey: "bob", authMethod: "user_password",
        providerData: ["username": "bob", "password": "bob's password"]))
    #expect(created.isDone)
    let bob = try #require(try await auth.listRootKeys().first { $0.publicKey == "bob" })
    let permissions = try await auth.updateKeyPermissions(
      bob.keyId, changes: PermissionChanges(add: ["context:list"]))
    #expect(permissions.permissions.contains("context:list"))
    #expect(try await auth.getKeyPermissions(bob.keyId) == permissions)
    let client = try await auth.generateClientKey(GenerateClientKeyRequest(permissions: ["context:list"]))
    let validation = await auth.validateToken(client.accessToken)
    #expect(validation.valid && validation.permissions == ["context:list"])
    let key = try #require(try await auth.listClientKeys().first)
    #expect(key.isValid)
    #expect(try await auth.deleteClientKey(keyId: key.rootKeyId, clientId: key.clientId).isDone)
    #expect(await !auth.validateToken(client.accessToken).valid)
    #expect(try await auth.deleteRootKey(bob.keyId).isDone)
    let last = try #require(try await auth.listRootKeys().first { $0.revokedAt == nil })
    #expect(try await !auth.deleteRootKey(last.keyId).isDone)
  }

  @Test("a node of this machine is found, and its address is one")
  func discovery() async throws {
    #expect(await discoverLocalNodes(transport: node.transport) == ["http://localhost:2528"])
    #expect(await isNodeAddress("http://localhost:2528/", transport: node.transport))
  }

  @Test("a method's refusal is its own error, with an answer of 200")
  func refusedMethod() async throws {
    let context = node.makeContext(of: .keyValue)
    let mero = client()
    try await mero.authenticate()
    await #expect {
      let _: JSONValue = try await mero.rpc.execute(contextId: context, method: "no_such_method")
    } throws: {
      guard case MeroError.rpc(let error) = $0 else { return false }
      return error.type == "FunctionCallError" && !error.isTransient
    }
    node.setInitialised(false, context: context)
    await #expect {
      let _: JSONValue = try await mero.rpc.execute(
        contextId: context, method: "get_value", argsJson: ["key": "a"])
    } throws: {
      if case MeroError.rpc(let error) = $0 { error.isTransient } else { false }
    }
  }
}
