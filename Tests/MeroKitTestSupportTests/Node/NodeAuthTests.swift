import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("The auth service of a fake node")
struct NodeAuthTests {
  struct Pair {
    let access: String
    let refresh: String

    init(_ answer: NodeRig.Answer) throws {
      try #require(answer.status == 200, "\(answer.text)")
      access = try #require(answer.data["access_token"]?.stringValue)
      refresh = try #require(answer.data["refresh_token"]?.stringValue)
    }
  }

  // MARK: Logging in

  @Test("a password gets a pair of tokens whose claims can be read and whose signature is made with a secret")
  func login() async throws {
    let rig = NodeRig()
    let answer = try await rig.logIn()
    #expect(answer.json["error"] == .null)
    let pair = try Pair(answer)
    let claims = try claims(pair.access)
    #expect(claims["token_type"] == "access")
    #expect(claims["iat"] == 1_790_000_000)
    #expect(claims["exp"] == 1_790_003_600)
    #expect(claims["permissions"] == ["admin"])
    #expect(claims["key_id"]?.stringValue != nil)
    #expect(try self.claims(pair.refresh)["exp"] == JSONValue(1_790_000_000 + 30 * 86_400))
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access)).status == 200)
  }

  @Test("a token with one changed character is 401 invalid_token, and so is a refresh token as a bearer")
  func forgedTokens() async throws {
    let rig = NodeRig()
    let pair = try Pair(try await rig.logIn())
    let parts = pair.access.split(separator: ".").map(String.init)
    var changed = try claims(pair.access).objectValue ?? [:]
    changed["permissions"] = ["admin", "everything"]
    let forged = "\(parts[0]).\(Base64URL.encode(JSONValue.object(changed).data())).\(parts[2])"
    for token in [forged, pair.refresh, "no token", "a.b.c"] {
      let answer = try await rig.send(.get, "/admin-api/peers", as: .bearer(token))
      #expect(answer.status == 401)
      #expect(answer.authError == "invalid_token")
    }
  }

  @Test("a wrong password is 401 with a text, an empty field 422, bad JSON 400")
  func refusedLogins() async throws {
    let rig = NodeRig()
    let wrong = try await rig.logIn(password: "not-the-password")
    #expect(wrong.status == 401)
    #expect(wrong.error?.hasPrefix("Authentication failed: ") == true)
    #expect(wrong.json["data"] == .null)
    let empty = try await rig.logIn(client: "")
    #expect(empty.status == 422)
    #expect(empty.json["status"] == 422)
    let broken = try await rig.send(
      .post, "/auth/token", bytes: Data("{".utf8), as: .nobody, headers: ["content-type": "application/json"])
    #expect(broken.status == 400)
    #expect(rig.node.tokenCalls == 3)
  }

  @Test("five failures within a minute lock the user out, each further try begins the minute again")
  func throttledLogins() async throws {
    let rig = NodeRig()
    for _ in 0..<5 { #expect(try await rig.logIn(password: "wrong-password").status == 401) }
    let locked = try await rig.logIn()
    #expect(locked.status == 429)
    #expect(locked.headers["retry-after"] == "60")
    rig.clock.jump(by: 50)
    #expect(try await rig.logIn().status == 429)
    rig.clock.jump(by: 50)
    #expect(try await rig.logIn().status == 429)
    rig.node.addUser("ada", password: "another password")
    #expect(try await rig.logIn("ada", password: "another password").status == 200)
    rig.clock.jump(by: 61)
    #expect(try await rig.logIn().status == 200)
  }

  @Test("a client that names itself by a URL gets tokens for that host only")
  func boundTokens() async throws {
    let rig = NodeRig()
    let here = try Pair(try await rig.logIn(client: "http://localhost:5173/app"))
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(here.access)).status == 200)
    let elsewhere = try Pair(try await rig.logIn(client: "https://node.example"))
    let answer = try await rig.send(.get, "/admin-api/peers", as: .bearer(elsewhere.access))
    #expect(answer.status == 403)
    #expect(answer.authError == "invalid_node")
    rig.clock.jump(by: 3_700)
    let refused = try await rig.refresh(elsewhere.access, elsewhere.refresh)
    #expect(refused.status == 403)
    #expect(refused.authError == "invalid_node")
  }

  // MARK: Refreshing

  @Test("an access token is good until a minute after it expires, and only then can be refreshed")
  func expiry() async throws {
    let rig = NodeRig()
    let pair = try Pair(try await rig.logIn())
    rig.clock.jump(by: 3_660)
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access)).status == 200)
    let early = try await rig.refresh(pair.access, pair.refresh)
    #expect(early.status == 401)
    #expect(early.error == "Access token still valid")
    #expect(early.authError == nil)
    rig.clock.jump(by: 1)
    let late = try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access))
    #expect(late.status == 401)
    #expect(late.authError == "token_expired")
    let new = try Pair(try await rig.refresh(pair.access, pair.refresh))
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(new.access)).status == 200)
    #expect(rig.node.accessToken == new.access)
    #expect(rig.node.refreshCalls == 2)
  }

  @Test("a refresh token is used once: the second time is token_reuse, and the owner's session goes on")
  func reuse() async throws {
    let rig = NodeRig()
    let old = Pair(node: rig.node)
    rig.node.expireAccessToken()
    let new = try Pair(try await rig.refresh(old.access, old.refresh))
    let replay = try await rig.refresh(old.access, old.refresh)
    #expect(replay.status == 401)
    #expect(replay.authError == "token_reuse")
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(new.access)).status == 200)
  }

  @Test("of many refreshes at once with one token, one gets a pair")
  func refreshesAtOnce() async throws {
    let rig = NodeRig()
    let pair = Pair(node: rig.node)
    rig.node.expireAccessToken()
    let answers = try await withThrowingTaskGroup(of: NodeRig.Answer.self) { group in
      for _ in 0..<20 { group.addTask { try await rig.refresh(pair.access, pair.refresh) } }
      return try await group.reduce(into: [NodeRig.Answer]()) { $0.append($1) }
    }
    #expect(answers.filter { $0.status == 200 }.count == 1)
    #expect(answers.filter { $0.authError == "token_reuse" }.count == 19)
  }

  @Test("a client key's family is revoked by a replay")
  func reuseByClients() async throws {
    let rig = NodeRig()
    let old = try Pair(try await clientKey(rig, ["context:list"]))
    rig.node.expireAccessToken()
    let new = try Pair(try await rig.refresh(old.access, old.refresh))
    #expect(try await rig.send(.get, "/admin-api/contexts", as: .bearer(new.access)).status == 200)
    #expect(try await rig.refresh(old.access, old.refresh).authError == "token_reuse")
    let revoked = try await rig.send(.get, "/admin-api/contexts", as: .bearer(new.access))
    #expect(revoked.status == 403)
    #expect(revoked.authError == "token_revoked")
    rig.node.expireAccessToken()
    #expect(try await rig.refresh(new.access, new.refresh).status == 500)
  }

  @Test("tokens of the wrong kind, of different users and expired refresh tokens are 401 without a word")
  func refusedRefreshes() async throws {
    let rig = NodeRig()
    rig.node.addUser("ada", password: "another password")
    let pair = try Pair(try await rig.logIn())
    let ada = try Pair(try await rig.logIn("ada", password: "another password"))
    rig.node.expireAccessToken()
    for (access, refresh) in [
      (pair.refresh, pair.refresh), (pair.access, pair.access), (pair.access, ada.refresh),
      ("x", pair.refresh),
      (pair.access, "x"),
    ] {
      let answer = try await rig.refresh(access, refresh)
      #expect(answer.status == 401)
      #expect(answer.authError == nil)
    }
    rig.clock.jump(by: 31 * 86_400)
    #expect(try await rig.refresh(pair.access, pair.refresh).error == "Invalid refresh token")
  }

  @Test("an ended family is token_revoked at the guard and token_reuse at a refresh, and a new login works")
  func revokedFamily() async throws {
    let rig = NodeRig()
    let pair = Pair(node: rig.node)
    rig.node.revokeFamily()
    let guarded = try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access))
    #expect(guarded.status == 403)
    #expect(guarded.authError == "token_revoked")
    rig.node.expireAccessToken()
    #expect(try await rig.refresh(pair.access, pair.refresh).authError == "token_reuse")
    #expect(try await rig.logIn().status == 200)
  }

  @Test("after an upgrade of the node, tokens made before it are 401 without a word, and a new login works")
  func forgottenSessions() async throws {
    let rig = NodeRig()
    let old = Pair(node: rig.node)
    rig.node.forgetSessions()
    for path in ["/admin-api/peers", "/auth/validate"] {
      let answer = try await rig.send(.get, path, as: .bearer(old.access))
      #expect(answer.status == 401)
      #expect(answer.authError == nil)
    }
    #expect(try await rig.refresh(old.access, old.refresh).error == "Invalid access token")
    let new = try Pair(try await rig.logIn())
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(new.access)).status == 200)
  }

  // MARK: Validating and signing out

  @Test("validating says who the bearer is, for GET, HEAD and POST")
  func validate() async throws {
    let rig = NodeRig()
    for method in [HTTPMethod.get, .head, .post] {
      let answer = try await rig.send(method, "/auth/validate")
      #expect(answer.status == 200)
      #expect(answer.headers["x-auth-permissions"] == "admin")
      #expect(answer.headers["x-auth-user"]?.isEmpty == false)
      #expect(answer.bytes.isEmpty == (method == .head))
    }
    rig.node.expireAccessToken()
    #expect(try await rig.send(.head, "/auth/validate").authError == "token_expired")
    #expect(try await rig.send(.head, "/auth/validate", as: .nobody).status == 401)
  }

  @Test("signing out takes one field and ends the login")
  func logout() async throws {
    let rig = NodeRig()
    let pair = Pair(node: rig.node)
    let strict = try await rig.send(
      .post, "/auth/logout", json: ["refresh_token": .string(pair.refresh), "access_token": "x"], as: .nobody)
    #expect(strict.status == 400)
    let answer = try await rig.send(
      .post, "/auth/logout", json: ["refresh_token": .string(pair.refresh)], as: .nobody)
    #expect(answer.data == ["success": true])
    #expect(rig.node.logoutCalls == 1)
    #expect(
      try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access)).authError == "token_revoked")
  }

  @Test("mock tokens are served only when the node is told to, with what was asked for")
  func mockTokens() async throws {
    let rig = NodeRig()
    let body: JSONValue = [
      "client_name": "tests", "permissions": ["context:list"], "access_token_expiry": 30,
      "refresh_token_expiry": 60,
    ]
    #expect(try await rig.send(.post, "/auth/mock-token", json: body, as: .nobody).status == 404)
    rig.node.setMockTokens(true)
    let pair = try Pair(try await rig.send(.post, "/auth/mock-token", json: body, as: .nobody))
    #expect(try claims(pair.access)["exp"] == 1_790_000_030)
    #expect(try await rig.send(.get, "/admin-api/contexts", as: .bearer(pair.access)).status == 200)
    #expect(try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access)).status == 403)
  }

  // MARK: Keys

  @Test("the auth service's own routes are 400 without a bearer")
  func missingBearer() async throws {
    let answer = try await NodeRig().send(.get, "/admin/keys", as: .nobody)
    #expect(answer.status == 400)
    #expect(answer.authError == "invalid_request")
  }

  @Test("root keys are listed, made, and deleted but for the last")
  func rootKeys() async throws {
    let rig = NodeRig()
    let first = try #require(try await rig.send(.get, "/admin/keys").data[0])
    #expect(first["public_key"] == .string(FakeNode.username))
    let firstId = try #require(first["key_id"]?.stringValue)
    let last = try await rig.send(.delete, "/admin/keys/\(firstId)")
    #expect(last.status == 200)
    #expect(last.data["status"] == false)
    let body: JSONValue = [
      "public_key": "ada", "auth_method": "user_password",
      "provider_data": ["username": "ada", "password": "another password"],
    ]
    #expect(try await rig.send(.post, "/admin/keys", json: body).data["message"] == "Key was created")
    #expect(try await rig.send(.post, "/admin/keys", json: body).data["message"] == "Key was updated")
    let ada = try Pair(try await rig.logIn("ada", password: "another password"))
    let owner = rig.node.accessToken
    #expect(try await rig.send(.delete, "/admin/keys/\(firstId)").data["key_id"] == .string(firstId))
    #expect(owner == ada.access)
    #expect(try await rig.send(.get, "/admin/identity", as: .bearer(ada.access)).status == 200)
    #expect(try await rig.logIn().status == 401)
  }

  @Test("a client key holds what it asked for, lives its time, and is listed and revoked")
  func clientKeys() async throws {
    let rig = NodeRig()
    let owner = rig.node.accessToken
    let pair = try Pair(
      try await clientKey(rig, ["context:list"], ["ttl_secs": 600, "application_id": "notes"]))
    #expect(try claims(pair.access)["exp"] == 1_790_000_900)
    #expect(try claims(pair.refresh)["exp"] == JSONValue(1_790_000_000 + 7 * 86_400))
    let listed = try await rig.send(.get, "/admin/keys/clients", as: .bearer(owner)).data[0]
    #expect(listed?["is_valid"] == true)
    #expect(listed?["permissions"] == ["context:list"])
    let denied = try await rig.send(.get, "/admin-api/peers", as: .bearer(pair.access))
    #expect(denied.status == 403)
    #expect(denied.authError == "permission_denied")
    #expect(denied.bytes.isEmpty)
    let root = try #require(listed?["root_key_id"]?.stringValue)
    let client = try #require(listed?["client_id"]?.stringValue)
    let deleted = try await rig.send(.delete, "/admin/keys/\(root)/clients/\(client)", as: .bearer(owner))
    #expect(deleted.data["revoked_at"] == 1_790_000_000)
    #expect(
      try await rig.send(.get, "/admin-api/contexts", as: .bearer(pair.access)).authError == "token_revoked")
  }

  @Test("a client key gets no keys, no admin in a context, and nothing its root lacks")
  func refusedClientKeys() async throws {
    let rig = NodeRig()
    let keys = try await clientKey(rig, ["keys:list"])
    #expect(keys.status == 400)
    #expect(keys.error == "Permission cannot be granted to a client key")
    let bound: JSONObject = ["context_id": .string(NodeRig.anId), "context_identity": "me"]
    #expect(try await clientKey(rig, ["admin"], bound).status == 400)
    let ada = rig.node.makeSession(permissions: ["admin"]).accessToken
    let weak = try await rig.send(
      .put, "/admin/keys/\(try keyId(ada))/permissions", json: ["add": ["blob"], "remove": ["admin"]],
      as: .bearer(ada))
    #expect(weak.data == ["permissions": ["blob"]])
    let lacking = try await rig.send(
      .post, "/admin/client-key",
      json: ["context_id": "", "context_identity": "", "permissions": ["context:list"]], as: .bearer(ada))
    #expect(lacking.status == 400)
    let none = try await rig.send(
      .put, "/admin/keys/\(try keyId(ada))/permissions", json: ["remove": ["blob"]], as: .bearer(ada))
    #expect(none.status == 400)
  }

  @Test("a client key that is bound to a context acts there and nowhere else")
  func boundClientKeys() async throws {
    let rig = NodeRig()
    let owner = rig.node.accessToken
    let here = rig.node.makeContext(of: .keyValue)
    let there = rig.node.makeContext(of: .keyValue)
    let key = try await rig.send(
      .post, "/admin/client-key",
      json: [
        "context_id": .string(here), "context_identity": "me",
        "permissions": ["context:execute", "context:list", "context:subscribe"],
      ], as: .bearer(owner))
    let pair = try Pair(key)
    #expect(
      try claims(pair.access)["permissions"]
        == ["context:execute", "context:list", "context:subscribe", .string("context[\(here),me]")])
    let sender = NodeRig.Sender.bearer(pair.access)
    #expect(try await rig.send(.get, "/admin-api/contexts/\(here)", as: sender).status == 200)
    #expect(try await rig.send(.get, "/admin-api/contexts/\(there)", as: sender).status == 403)
    #expect(try await rig.execute("len", in: here, as: sender)["result"]?["output"] == 0)
    let params: JSONValue = ["contextId": .string(there), "method": "len", "argsJson": [:]]
    #expect(try await rig.rpc("execute", params, as: sender).status == 403)
    let stream = try await rig.follow(as: sender)
    let session = try await stream.connect()
    #expect(try await rig.subscribe(session, contexts: [here, there], as: sender).status == 403)
    let granted = try await rig.subscribe(session, contexts: [here], as: sender)
    #expect(granted.json["result"]?["contexts"] == [.string(here)])
  }

  @Test("a bare development node answers everything to anyone")
  func unguarded() async throws {
    let rig = NodeRig()
    rig.node.setGuarded(false)
    #expect(try await rig.send(.get, "/admin-api/peers", as: .nobody).json == ["count": 2])
  }

  // MARK: Tools

  private func clientKey(
    _ rig: NodeRig, _ permissions: [String], _ more: JSONObject = [:]
  ) async throws -> NodeRig.Answer {
    var body: JSONObject = ["context_id": "", "context_identity": ""]
    for (name, value) in more { body[name] = value }
    body["permissions"] = .array(permissions.map { .string($0) })
    return try await rig.send(.post, "/admin/client-key", json: .object(body))
  }

  private func claims(_ token: String) throws -> JSONValue {
    let parts = token.split(separator: ".")
    try #require(parts.count == 3)
    return try JSONValue(parsing: Data(try Base64URL.decode(String(parts[1]))))
  }

  private func keyId(_ token: String) throws -> String {
    try #require(try claims(token)["key_id"]?.stringValue)
  }
}

extension NodeAuthTests.Pair {
  init(node: FakeNode) {
    access = node.accessToken
    refresh = node.refreshToken
  }
}
