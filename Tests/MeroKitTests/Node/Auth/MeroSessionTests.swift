import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("A session with a node")
struct MeroSessionTests {
  private let ada = Credentials(username: "ada", password: "correct horse")

  @Test("a login sends name and password as the node wants them, and keeps the tokens")
  func login() async throws {
    let access = jwt(["exp": 1_790_000_900])
    let node = ScriptedNode { _ in .tokens(access, "R1") }
    let store = MemoryTokenStore(.sample("old", "old"))
    let mero = Mero.over(node, store: store)
    let tokens = try await mero.authenticate(ada)
    #expect(
      tokens
        == TokenData(
          accessToken: access, refreshToken: "R1", expiresAt: Date(timeIntervalSince1970: 1_790_000_900)))
    #expect(store.getTokens() == tokens)
    #expect(await mero.currentTokenData() == tokens)
    let request = try #require(node.requests.first)
    #expect(request.url.path == "/auth/token")
    #expect(request.headers["authorization"] == nil)
    #expect(
      request.json == [
        "auth_method": "user_password", "public_key": "ada", "client_name": "mero-swift-sdk",
        "permissions": ["admin"], "timestamp": 1_790_000_000,
        "provider_data": ["username": "ada", "password": "correct horse"],
      ])
  }

  @Test("a token that does not tell its end is taken to last an hour")
  func opaque() async throws {
    let mero = Mero.over(TokenNode(), store: MemoryTokenStore())
    let tokens = try await mero.authenticate(ada)
    #expect(tokens.expiresAt.timeIntervalSince1970 == 1_790_003_600)
  }

  @Test("a login without a name and a password is not sent")
  func noCredentials() async throws {
    let node = ScriptedNode { _ in .tokens("A", "R") }
    await #expect(throws: MeroError.noCredentials) { try await Mero.over(node).authenticate() }
    #expect(node.requests.isEmpty)
    let mero = Mero.over(node) { $0.credentials = ada }
    #expect(try await mero.authenticate().accessToken == "A")
  }

  @Test(
    "a login that the node refuses is a refused login; a session there was stays", arguments: [400, 401, 422])
  func refused(status: Int) async throws {
    let node = ScriptedNode { _ in .status(status, body: #"{"error":"Authentication failed: no"}"#) }
    let mero = Mero.over(node)
    await #expect(throws: MeroError.authenticationFailed("Authentication failed: no")) {
      try await mero.authenticate(ada)
    }
    #expect(await mero.currentTokenData() == .first)
    #expect(node.requests.count == 1)
  }

  @Test("too many logins say how long to wait, and are not tried again")
  func lockedOut() async throws {
    let node = ScriptedNode { _ in
      .json(["data": nil, "error": "Too many"], status: 429, headers: ["Retry-After": "37"])
    }
    await #expect(throws: MeroError.authenticationFailed("Too many (in 37 seconds)")) {
      try await Mero.over(node).authenticate(ada)
    }
    #expect(node.requests.count == 1)
  }

  @Test("a password that a node repeats is not repeated here")
  func echo() async throws {
    let node = ScriptedNode { request in
      .json(
        ["error": .string("not " + (request.json["provider_data"]?["password"]?.stringValue ?? ""))],
        status: 401)
    }
    await #expect(throws: MeroError.authenticationFailed("not …")) {
      try await Mero.over(node).authenticate(ada)
    }
  }

  @Test("tokens that no header can carry begin no session, and take the place of none")
  func unusableTokens() async throws {
    for token in ["a\r\nX: y", "a b", "é", "a\u{0}"] {
      let node = ScriptedNode { _ in .tokens(token, "R") }
      let mero = Mero.over(node)
      await #expect(throws: MeroError.unusableToken) { try await mero.authenticate(ada) }
      #expect(await mero.currentTokenData() == .first)
    }
  }

  @Test("a node that is away, broken or not a node says nothing about the password")
  func away() async throws {
    let broken = ScriptedNode { _ in .status(503) }
    await #expect { try await Mero.over(broken).authenticate(ada) } throws: {
      if case MeroError.http = $0 { true } else { false }
    }
    #expect(broken.requests.count == 1)
    let silent = ScriptedNode { _ in throw TransportError(kind: .lost, text: "lost", mayHaveBeenSent: true) }
    await #expect(throws: MeroError.network("lost")) { try await Mero.over(silent).authenticate(ada) }
    #expect(silent.requests.count == 1)
    let page = ScriptedNode { _ in HTTPResponse(status: 200, body: HTTPBody(Data("<html>".utf8))) }
    await #expect { try await Mero.over(page).authenticate(ada) } throws: {
      if case MeroError.decoding = $0 { true } else { false }
    }
    let empty = ScriptedNode { _ in .tokens("", "R") }
    await #expect(throws: MeroError.emptyResponse("an access token")) {
      try await Mero.over(empty).authenticate(ada)
    }
  }

  @Test("logging out forgets the session first, and then tells the node with the refresh token alone")
  func logout() async throws {
    let store = MemoryTokenStore(.first)
    let node = ScriptedNode { request in
      #expect(store.getTokens() == nil)
      return .json(["data": ["success": true]])
    }
    let mero = Mero.over(node, store: store)
    await mero.logout()
    #expect(await !mero.isAuthenticated)
    let request = try #require(node.requests.first)
    #expect(request.method == .post && request.url.path == "/auth/logout")
    #expect(request.headers["authorization"] == nil && request.timeout == 3)
    #expect(request.json == ["refresh_token": "R1"])
  }

  @Test("logging out works without a network, on an old node, and with nobody logged in")
  func logoutAlone() async throws {
    for answer in [nil, 404, 500] {
      let node = ScriptedNode { _ in
        guard let answer else { throw TransportError(kind: .cannotConnect, text: "", mayHaveBeenSent: false) }
        return .status(answer)
      }
      let store = MemoryTokenStore(.first)
      let mero = Mero.over(node, store: store)
      await mero.logout()
      #expect(store.getTokens() == nil)
      #expect(node.requests.count == 1)
      await mero.logout()
      #expect(node.requests.count == 1)
    }
  }

  @Test("forgetting the session tells the node nothing")
  func clearToken() async throws {
    let node = ScriptedNode { _ in .status(500) }
    let store = MemoryTokenStore(.first)
    let mero = Mero.over(node, store: store)
    await mero.clearToken()
    #expect(store.getTokens() == nil && node.requests.isEmpty)
  }

  @Test("tokens from elsewhere begin a session; their end is read from them when it is not given")
  func setTokens() async throws {
    let mero = Mero.over(TokenNode(), store: MemoryTokenStore())
    #expect(await !mero.isAuthenticated)
    let access = jwt(["exp": 2000])
    await mero.setTokenData(
      TokenData(accessToken: access, refreshToken: "R", expiresAt: Date(timeIntervalSince1970: 0)))
    #expect(await mero.currentTokenData()?.expiresAt.timeIntervalSince1970 == 2000)
    await mero.setTokenData(.first)
    #expect(await mero.currentTokenData() == .first)
    await mero.setTokenData(from: AuthCallbackResult(accessToken: "C", refreshToken: ""))
    #expect(
      await mero.currentTokenData()
        == TokenData(
          accessToken: "C", refreshToken: "", expiresAt: Date(timeIntervalSince1970: 1_790_003_600)))
  }

  @Test("a request without a session, or with a blank token, has no Authorization")
  func noBearer() async throws {
    for tokens in [nil, TokenData.sample(" ", "R")] {
      let node = ScriptedNode { _ in .json(["data": "x"]) }
      let mero = Mero.over(node, store: MemoryTokenStore(tokens))
      _ = try await mero.ask()
      #expect(node.requests[0].headers["authorization"] == nil)
    }
  }

  @Test("a session is live when the node says so, also after it had to be renewed")
  func live() async throws {
    let node = TokenNode()
    let mero = Mero.over(node)
    #expect(try await mero.checkSession() == .live)
    node.expire()
    #expect(try await mero.checkSession() == .live)
    #expect(node.refreshes == 1)
  }

  @Test("a session has ended when the node refuses it or its refresh, or there is none")
  func ended() async throws {
    let refusing = Mero.over(ScriptedNode { _ in .status(401) })
    #expect(try await refusing.checkSession().isEnded)
    let node = TokenNode { _ in .status(401) }
    node.expire()
    #expect(try await Mero.over(node).checkSession().isEnded)
    let revoked = TokenNode()
    revoked.state.withLock { $0.guardError = "token_revoked" }
    #expect(try await Mero.over(revoked).checkSession().isEnded)
    #expect(try await Mero.over(node, store: MemoryTokenStore()).checkSession() == .ended(.noCredentials))
  }

  @Test("a session is not known to have ended while the node is away, also in the middle of a refresh")
  func unknown() async throws {
    let away = ScriptedNode { _ in
      throw TransportError(kind: .cannotConnect, text: "", mayHaveBeenSent: false)
    }
    #expect(try await Mero.over(away).checkSession() == .unknown(.network("")))
    let node = TokenNode { _ in
      throw TransportError(kind: .cannotConnect, text: "off", mayHaveBeenSent: false)
    }
    node.expire()
    let mero = Mero.over(node)
    #expect(try await mero.checkSession() == .unknown(.network("off")))
    #expect(await mero.isAuthenticated)
  }
}

extension SessionCheck {
  fileprivate var isEnded: Bool { if case .ended = self { true } else { false } }
}
