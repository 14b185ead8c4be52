import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("an account's session at a relay", .timeLimit(.minutes(5)))
struct RelaySessionTests {
  @Test(
    "40 §9.2: a login names the node's key, the device and the app, and has exactly the fields that nodes know"
  )
  func login() async throws {
    let rig = try SealedRig()
    let tokens = try await RelayLogin.login(
      relayURL: rig.relay.url, nodeKey: rig.relay.nodeKey, credential: rig.session.credential,
      keys: rig.session.keys, env: rig.env)
    #expect(tokens.expiresAt == rig.clock.now + 900)
    let login = try #require(rig.relay.logins.first)
    #expect(login.nodeKey == rig.relay.nodeKey)
    #expect(login.deviceKey == rig.session.keys.signPublicKey)
    #expect(login.audience == "cli")
    #expect(login.expiresAt - login.issuedAt == 300)
    let body = try #require(rig.relay.log.last { $0.path == "/auth/token" }?.json)
    #expect(
      body.objectValue.map { Set($0.keys) } == [
        "auth_method", "public_key", "client_name", "timestamp", "provider_data",
      ])
    #expect(body["public_key"]?.stringValue == login.sessionKey)
    #expect(body["client_name"] == "https://relay.test")
    #expect(body["timestamp"]?.int64 == 1_790_000_000)
    #expect(rig.sealed == ["GET /auth/challenge", "POST /auth/token"])
  }

  @Test("an app that has a name logs in by it")
  func clientName() async throws {
    var rig = try SealedRig()
    rig.env.clientName = "Notes"
    _ = try #require(await rig.relaySession().token())
    #expect(rig.relay.log.last?.json?["client_name"] == "Notes")
  }

  @Test("40 §9.2: an answer without a challenge or a token cannot be used")
  func useless() async throws {
    let rig = try SealedRig()
    for (route, json) in [
      ("GET /auth/challenge", JSONValue.object(["data": ["challenge": "short"]])),
      ("GET /auth/challenge", ["data": [:]]),
      ("POST /auth/token", ["data": ["access_token": " "]]),
    ] {
      rig.relay.node.failNext(route, status: 200, json: json)
      do {
        _ = try await RelayLogin.login(
          relayURL: rig.relay.url, nodeKey: rig.relay.nodeKey, credential: rig.session.credential,
          keys: rig.session.keys, env: rig.env)
        Issue.record("\(json.text) was taken for an answer")
      } catch AccountError.protocolViolation(let text) { #expect(!text.isEmpty) }
    }
  }

  @Test("40 §9.2: a challenge and tokens are read at the top of an answer too")
  func bareAnswers() async throws {
    let rig = try SealedRig()
    let challenge = String(repeating: "22", count: 32)
    rig.relay.node.failNext("GET /auth/challenge", status: 200, json: ["challenge": .string(challenge)])
    rig.relay.node.failNext(
      "POST /auth/token", status: 200, json: ["access_token": "opaque", "refresh_token": "r"])
    let tokens = try await RelayLogin.login(
      relayURL: rig.relay.url, nodeKey: rig.relay.nodeKey, credential: rig.session.credential,
      keys: rig.session.keys, env: rig.env)
    #expect(tokens.accessToken == "opaque")
    #expect(tokens.refreshToken == "r")
    #expect(tokens.expiresAt == rig.clock.now + 3600)
    #expect(rig.relay.log.last?.json?["provider_data"]?["challenge"]?.stringValue == challenge)
  }

  @Test("40 §19 #57: ten who read at once without a token share one login")
  func sharedLogin() async throws {
    let rig = try SealedRig()
    let session = rig.relaySession()
    let tokens = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<10 { group.addTask { await session.token() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(tokens.count == 10)
    #expect(Set(tokens).count == 1)
    #expect(tokens.first != .some(nil))
    #expect(rig.relay.logins.count == 1)
  }

  @Test(
    "40 §19 #58: a token with 31 seconds left is used, and one with 30 or fewer makes way for a new login")
  func renewal() async throws {
    let rig = try SealedRig()
    let session = rig.relaySession()
    let first = try #require(await session.token())
    rig.clock.jump(by: 900 - 31)
    #expect(await session.token() == first)
    #expect(rig.relay.logins.count == 1)
    rig.clock.jump(by: 1)
    let second = try #require(await session.token())
    #expect(second != first)
    rig.clock.jump(by: 900 - 29)
    let third = try #require(await session.token())
    #expect(third != second)
    #expect(rig.relay.logins.count == 3)
  }

  @Test("a token that lasts less than the margin is used once, rather than none")
  func shortLived() async throws {
    let rig = try SealedRig()
    let claims: JSONValue = ["exp": 1_790_000_010]
    let token = ["{}", claims.text, "x"].map { Base64URL.encode(Data($0.utf8)) }.joined(separator: ".")
    let answer: JSONValue = ["data": ["access_token": .string(token), "refresh_token": "r"]]
    rig.relay.node.replaceAnswer("POST /auth/token", status: 200, json: answer)
    let session = rig.relaySession()
    #expect(await session.token() == token)
    #expect(await session.token() != token)
    #expect(rig.relay.logins.count == 2)
  }

  @Test(
    "40 §19 #59: after a failed login the read's 401 is what the caller sees, and the next read logs in again"
  )
  func failedLogin() async throws {
    let rig = try SealedRig()
    let session = rig.relaySession()
    rig.relay.refuse("POST /auth/token", status: 401)
    let none = await session.token()
    #expect(none == nil)
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: none) == 401)
    let token = try #require(await session.token())
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: token) == 200)
  }

  @Test("40 §9.2: a token that the relay did not accept is dropped, unless it was replaced meanwhile")
  func dropped() async throws {
    let rig = try SealedRig()
    let session = rig.relaySession()
    let first = try #require(await session.token())
    rig.relay.node.forgetSessions()
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: first) == 401)
    await session.dropToken(first)
    let second = try #require(await session.token())
    #expect(second != first)
    await session.dropToken(first)
    #expect(await session.token() == second)
    #expect(rig.relay.logins.count == 2)
  }

  @Test("who gives up waiting for a login does not end it for the others")
  func abandoned() async throws {
    let rig = try SealedRig()
    let session = rig.relaySession()
    rig.relay.node.delay("GET /auth/challenge", seconds: 3)
    let impatient = Task { await session.token() }
    try await SealedRig.until { rig.relay.log.contains { $0.path == "/auth/challenge" } }
    let patient = Task { await session.token() }
    impatient.cancel()
    #expect(await impatient.value == nil)
    try await SealedRig.until { rig.clock.sleeperCount > 0 && rig.clock.nextWake == 3 }
    await rig.clock.advance(by: 3)
    #expect(await patient.value != nil)
    #expect(rig.relay.logins.count == 1)
  }

  @Test(
    "40 §9.2: logging out hands in exactly the refresh token, and ends the session; a relay that is away changes nothing"
  )
  func logout() async throws {
    let rig = try SealedRig()
    let tokens = try await RelayLogin.login(
      relayURL: rig.relay.url, nodeKey: rig.relay.nodeKey, credential: rig.session.credential,
      keys: rig.session.keys, env: rig.env)
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: tokens.accessToken) == 200)
    await RelayLogin.logout(relayURL: rig.relay.url, refreshToken: tokens.refreshToken, env: rig.env)
    #expect(rig.relay.log.last?.json == ["refresh_token": .string(tokens.refreshToken)])
    #expect(try await rig.status(.get, "/admin-api/contexts", bearer: tokens.accessToken) == 403)
    rig.relay.node.down()
    await RelayLogin.logout(relayURL: rig.relay.url, refreshToken: tokens.refreshToken, env: rig.env)
    await RelayLogin.logout(relayURL: "", refreshToken: tokens.refreshToken, env: rig.env)
  }
}
