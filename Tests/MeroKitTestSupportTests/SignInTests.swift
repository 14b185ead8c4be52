import Foundation
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: passkeys and sessions")
struct SignInTests {
  @Test("an account signs in again with either algorithm, by name or discovered", arguments: [true, false])
  func signIn(isES256: Bool) async throws {
    let rig = try Rig()
    let passkey = isES256 ? try HandPasskey.es256() : HandPasskey()
    let first = try await rig.signUp("ada", with: passkey)
    for body in [#"{"name":"ada"}"#, "{}"] {
      let begun = try await rig.send("POST", "/auth/signin/begin", body, node: 1)
      passkey.counter += 1
      let finish = try passkey.assertion(for: begun.json)
      let reply = try await rig.send("POST", "/auth/signin/finish", finish.text, node: 2)
      #expect(reply.status == 200)
      #expect(reply.json["accountId"] == first["accountId"])
      #expect(reply.json["sessionId"] != first["sessionId"])
      #expect(reply.json["accessExpiresInMs"] == 900_000)
    }
    let me = try await rig.send("GET", "/auth/session", token: first["accessToken"]?.stringValue)
    #expect(me.json["name"] == "ada")
    #expect(rig.cloud.violations == [])
  }

  typealias Spoil = @Sendable (HandPasskey) -> Void

  static let badRegistrations: [(String, Spoil)] = [
    ("type", { $0.createType = "webauthn.get" }), ("challenge", { $0.challengeOverride = "AAAA" }),
    ("origin", { $0.origin = "http://localhost.evil.example" }),
    ("scheme", { $0.origin = "https://localhost" }),
    ("port", { $0.origin = "http://localhost:0x1" }), ("cross-origin", { $0.crossOrigin = true }),
    ("relying party", { $0.rpId = "example.com" }), ("user presence", { $0.createFlags = 0x44 }),
    ("user verification", { $0.createFlags = 0x41 }), ("attested data", { $0.createFlags = 0x05 }),
    ("backed up without being eligible", { $0.createFlags = 0x55 }),
    ("left-over bytes", { $0.trailing = [0] }),
  ]

  @Test(
    "a registration with a wrong part is PASSKEY_REJECTED and spends the ceremony",
    arguments: badRegistrations)
  func registration(what: String, spoil: Spoil) async throws {
    let rig = try Rig(nodes: 1)
    let passkey = HandPasskey()
    let begun = try await rig.send("POST", "/auth/signup/begin", #"{"name":"ada"}"#)
    let good = try passkey.registration(for: begun.json)
    spoil(passkey)
    let bad = try passkey.registration(for: begun.json)
    let refused = try await rig.send("POST", "/auth/signup/finish", bad.text)
    #expect(refused.status == 401, "\(what)")
    #expect(refused.code == "PASSKEY_REJECTED", "\(what)")
    let late = try await rig.send("POST", "/auth/signup/finish", good.text)
    #expect(late.code == "CEREMONY_EXPIRED")
  }

  static let badAssertions: [(String, Spoil)] = [
    ("type", { $0.getType = "webauthn.create" }), ("challenge", { $0.challengeOverride = "AAAA" }),
    ("origin", { $0.origin = "https://localhost" }), ("cross-origin", { $0.crossOrigin = true }),
    ("relying party", { $0.rpId = "example.com" }), ("user presence", { $0.getFlags = 0x04 }),
    ("user verification", { $0.getFlags = 0x01 }), ("backup eligibility", { $0.getFlags = 0x0D }),
    ("signature", { $0.breaksSignature = true }), ("counter", { $0.counter = 5 }),
    ("credential", { $0.credentialId[0] ^= 1 }), ("user handle", { $0.userHandle = "AAAA" }),
  ]

  @Test(
    "an assertion with a wrong part is PASSKEY_REJECTED and spends the ceremony", arguments: badAssertions)
  func assertion(what: String, spoil: Spoil) async throws {
    let rig = try Rig(nodes: 1)
    let passkey = try HandPasskey.es256()
    passkey.counter = 5
    _ = try await rig.signUp("ada", with: passkey)
    passkey.counter = 6
    let begun = try await rig.send("POST", "/auth/signin/begin", "{}")
    let good = try passkey.assertion(for: begun.json)
    spoil(passkey)
    let refused = try await rig.send(
      "POST", "/auth/signin/finish", try passkey.assertion(for: begun.json).text)
    #expect(refused.code == "PASSKEY_REJECTED", "\(what)")
    #expect(try await rig.send("POST", "/auth/signin/finish", good.text).code == "CEREMONY_EXPIRED")
  }

  @Test("another account's passkey does not answer a ceremony that names an account")
  func namedAccount() async throws {
    let rig = try Rig(nodes: 1)
    let (ada, bob) = (HandPasskey(), HandPasskey())
    _ = try await rig.signUp("ada", with: ada)
    _ = try await rig.signUp("bob", with: bob)
    let begun = try await rig.send("POST", "/auth/signin/begin", #"{"name":"ada"}"#)
    bob.counter = 1
    let reply = try await rig.send("POST", "/auth/signin/finish", try bob.assertion(for: begun.json).text)
    #expect(reply.code == "PASSKEY_REJECTED")
  }

  @Test("subdomains of the relying party may ask, over https only")
  func origins() async throws {
    for (origin, isAllowed) in [
      ("https://calimero.cloud", true), ("https://app.calimero.cloud", true),
      ("http://calimero.cloud", false),
      ("https://evilcalimero.cloud", false), ("https://calimero.cloud.evil.example", false),
      ("https://calimero.cloud:8443", false), ("https://.calimero.cloud", false),
    ] {
      let rig = try Rig(nodes: 1, rpId: "calimero.cloud")
      let passkey = HandPasskey()
      passkey.rpId = "calimero.cloud"
      passkey.origin = origin
      let begun = try await rig.send("POST", "/auth/signup/begin", #"{"name":"ada"}"#)
      let reply = try await rig.send(
        "POST", "/auth/signup/finish", try passkey.registration(for: begun.json).text)
      #expect((reply.status == 201) == isAllowed, "\(origin)")
    }
  }

  @Test(
    "finishing again within a minute gives the same session at any node, later or with another passkey it does not"
  )
  func repeatedFinish() async throws {
    let rig = try Rig()
    let passkey = HandPasskey()
    let begun = try await rig.send("POST", "/auth/signup/begin", #"{"name":"ada"}"#)
    let finish = try passkey.registration(for: begun.json).text
    let first = try await rig.send("POST", "/auth/signup/finish", finish)
    await rig.clock.advance(by: 59)
    let again = try await rig.send("POST", "/auth/signup/finish", finish, node: 2)
    #expect(again.status == 201)
    #expect(again.json["accessToken"] == first.json["accessToken"])
    #expect(again.json["accessExpiresInMs"] == 841_000)
    let other = try HandPasskey().registration(for: begun.json).text
    #expect(try await rig.send("POST", "/auth/signup/finish", other).code == "CEREMONY_EXPIRED")
    await rig.clock.advance(by: 1)
    #expect(try await rig.send("POST", "/auth/signup/finish", finish).code == "CEREMONY_EXPIRED")
  }

  @Test("a ceremony is over after five minutes")
  func expiredCeremony() async throws {
    let rig = try Rig(nodes: 1)
    let begun = try await rig.send("POST", "/auth/signup/begin", #"{"name":"ada"}"#)
    await rig.clock.advance(by: 300)
    let reply = try await rig.send(
      "POST", "/auth/signup/finish", try HandPasskey().registration(for: begun.json).text)
    #expect(reply.status == 410)
    #expect(reply.code == "CEREMONY_EXPIRED")
  }

  @Test("an unknown name begins a sign-in that looks like a known one's, the same each time")
  func unknownName() async throws {
    let rig = try Rig(nodes: 1)
    _ = try await rig.signUp("ada")
    var allowed: [JSONValue?] = []
    for name in ["nobody", "nobody", "somebody", "ada"] {
      let begun = try await rig.send("POST", "/auth/signin/begin", #"{"name":"\#(name)"}"#)
      #expect(begun.status == 200)
      #expect(begun.json["options"]?["allowCredentials"]?.arrayValue?.count == 1)
      allowed.append(begun.json["options"]?["allowCredentials"]?[0]?["id"])
    }
    #expect(allowed[0] == allowed[1])
    #expect(Set(allowed.compactMap { $0?.stringValue?.count }) == [22])
    #expect(allowed[0] != allowed[2])
  }

  @Test("a cluster that is closed or wants an invitation says so; a taken name too")
  func signUpModes() async throws {
    let rig = try Rig(nodes: 1, signup: .closed)
    let body = #"{"name":"ada"}"#
    #expect(try await rig.send("POST", "/auth/signup/begin", body).code == "SIGNUP_CLOSED")
    rig.cloud.setSignup(.invite)
    rig.cloud.admit(invite: "secret")
    #expect(try await rig.send("POST", "/auth/signup/begin", body).code == "INVITE_REQUIRED")
    let invited = try await rig.send("POST", "/auth/signup/begin", #"{"name":"ada","invite":"secret"}"#)
    #expect(invited.status == 200)
    rig.cloud.setSignup(.open)
    _ = try await rig.signUp("ada")
    #expect(try await rig.send("POST", "/auth/signup/begin", body).code == "NAME_TAKEN")
    let late = try await rig.send(
      "POST", "/auth/signup/finish", try HandPasskey().registration(for: invited.json).text)
    #expect(late.code == "NAME_TAKEN")
  }

  @Test("a code that makes one account is used up by it, also for whoever began before")
  func usedUpCode() async throws {
    let rig = try Rig(nodes: 1, signup: .invite)
    rig.cloud.admit(invite: "once", uses: 1)
    func begin(_ name: String) async throws -> Rig.Reply {
      try await rig.send("POST", "/auth/signup/begin", #"{"name":"\#(name)","invite":"once"}"#)
    }
    func finish(_ begun: Rig.Reply) async throws -> Rig.Reply {
      try await rig.send("POST", "/auth/signup/finish", try HandPasskey().registration(for: begun.json).text)
    }
    let (ada, bob) = (try await begin("ada"), try await begin("bob"))
    #expect(try await finish(ada).status == 201)
    #expect(try await finish(bob).code == "CEREMONY_EXPIRED")
    let again = try await begin("bob")
    #expect(again.status == 410)
    #expect(again.code == "INVITE_EXPIRED")
    #expect(again.details == ["state": "used"])
    let restarted = try rig.restarted(nodes: 1)
    let late = try await restarted.send("POST", "/auth/signup/begin", #"{"name":"bob","invite":"once"}"#)
    #expect(late.code == "INVITE_EXPIRED")
    rig.cloud.admit(invite: "once")
    #expect(try await finish(try await begin("bob")).status == 201)
    #expect(rig.cloud.violations == [])
  }

  @Test("a refresh token gives one new pair, the same again for ten seconds, and then revokes the session")
  func refresh() async throws {
    let rig = try Rig()
    let first = try await rig.signUp("ada")
    func refresh(_ session: JSONValue, node: Int = 0) async throws -> Rig.Reply {
      let token = session["refreshToken"]?.stringValue ?? ""
      return try await rig.send("POST", "/auth/refresh", #"{"refreshToken":"\#(token)"}"#, node: node)
    }
    await rig.clock.advance(by: 900)
    let stale = try await rig.send("GET", "/auth/session", token: first["accessToken"]?.stringValue)
    #expect(stale.code == "TOKEN_EXPIRED")
    let second = try await refresh(first)
    #expect(second.json["sessionId"] == first["sessionId"])
    #expect(second.json["refreshToken"] != first["refreshToken"])
    await rig.clock.advance(by: 10)
    let again = try await refresh(first, node: 1)
    #expect(again.json["accessToken"] == second.json["accessToken"])
    await rig.clock.advance(by: 0.001)
    #expect(try await refresh(first).code == "REFRESH_REUSED")
    let revoked = try await rig.send("GET", "/auth/session", token: second.json["accessToken"]?.stringValue)
    #expect(revoked.code == "TOKEN_REVOKED")
    #expect(try await refresh(second.json).code == "TOKEN_REVOKED")
    #expect(try await refresh(["refreshToken": "cmr_unknown"]).code == "UNAUTHENTICATED")
  }

  @Test("a refresh token that was not used for thirty days is over")
  func expiredRefresh() async throws {
    let rig = try Rig(nodes: 1)
    let session = try await rig.signUp("ada")
    rig.clock.jump(by: 30 * 86_400)
    let token = session["refreshToken"]?.stringValue ?? ""
    let reply = try await rig.send("POST", "/auth/refresh", #"{"refreshToken":"\#(token)"}"#)
    #expect(reply.code == "TOKEN_EXPIRED")
  }

  @Test("a refresh token that was traded betrays itself for thirty days, and is forgotten after that")
  func forgottenTokens() async throws {
    let rig = try Rig(nodes: 1)
    func refresh(_ session: JSONValue) async throws -> Rig.Reply {
      let token = session["refreshToken"]?.stringValue ?? ""
      return try await rig.send("POST", "/auth/refresh", #"{"refreshToken":"\#(token)"}"#)
    }
    func count() -> (Int, Int) {
      rig.cloud.store.withState { ($0.tokens.count, $0.accessTokens.count) }
    }
    let first = try await rig.signUp("ada")
    let second = try await refresh(first).json
    rig.clock.jump(by: 29 * 86_400)
    let third = try await refresh(second).json
    #expect(count() == (3, 3))
    rig.clock.jump(by: 86_400)
    let fourth = try await refresh(third).json
    #expect(count() == (2, 2))
    #expect(try await refresh(first).code == "UNAUTHENTICATED")
    #expect(try await refresh(third).json["accessToken"] == fourth["accessToken"])
    let me = try await rig.send("GET", "/auth/session", token: fourth["accessToken"]?.stringValue)
    #expect(me.status == 200)
    rig.clock.jump(by: 28 * 86_400)
    #expect(try await refresh(third).code == "REFRESH_REUSED")
  }

  @Test(
    "a session that is over and a key that was revoked are told for thirty days, and then are as any other text"
  )
  func forgottenSessions() async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    let key = try await rig.key(["orgs:read"], of: ada)
    let id = try await rig.send("GET", "/auth/session", token: key).json["keyId"]?.stringValue ?? ""
    #expect(try await rig.send("DELETE", "/auth/api-keys/\(id)", token: ada.token).status == 204)
    #expect(try await rig.send("POST", "/auth/signout", token: ada.token).status == 204)
    rig.clock.jump(by: 30 * 86_400 - 1)
    _ = try await rig.signUp("bob")
    #expect(try await rig.send("GET", "/orgs", token: key).code == "TOKEN_REVOKED")
    rig.clock.jump(by: 86_400)
    _ = try await rig.signUp("cleo")
    #expect(try await rig.send("GET", "/orgs", token: key).code == "UNAUTHENTICATED")
    #expect(try await rig.send("GET", "/orgs", token: ada.token).code == "TOKEN_REVOKED")
    #expect(rig.cloud.store.withState { $0.apiKeys.count } == 0)
    // The session could have been refreshed for thirty days, and thirty more have to go by.
    rig.clock.jump(by: 29 * 86_400 + 1)
    _ = try await rig.signUp("dora")
    #expect(try await rig.send("GET", "/orgs", token: ada.token).code == "UNAUTHENTICATED")
    let left = rig.cloud.store.withState { ($0.sessions.count, $0.tokens.count) }
    #expect(left == (3, 3))
    #expect(try await rig.restarted(nodes: 1).signUp("emil")["name"] == "emil")
  }

  @Test("signing out ends the session at every node")
  func signOut() async throws {
    let rig = try Rig()
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    #expect(try await rig.send("POST", "/auth/signout", token: token, node: 1).status == 204)
    #expect(try await rig.send("GET", "/auth/session", token: token, node: 2).code == "TOKEN_REVOKED")
  }

  @Test("70 §2.27 #12: a node that has not heard of a young session says UNAUTHENTICATED until it has")
  func youngSession() async throws {
    let rig = try Rig()
    rig.cloud.setSessionLag(milliseconds: 2000)
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    #expect(try await rig.send("GET", "/auth/session", token: token, node: 0).status == 200)
    #expect(try await rig.send("GET", "/auth/session", token: token, node: 1).code == "UNAUTHENTICATED")
    await rig.clock.advance(by: 2)
    #expect(try await rig.send("GET", "/auth/session", token: token, node: 1).status == 200)
  }

  @Test("a suspended account is SUSPENDED before anything else is looked at")
  func suspended() async throws {
    let rig = try Rig(nodes: 1)
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    rig.cloud.suspend(account: "ada")
    let reply = try await rig.send("GET", "/orgs/none", token: token)
    #expect(reply.code == "SUSPENDED")
    #expect(reply.details == ["subject": "account"])
    rig.cloud.suspend(account: "ada", false)
    #expect(try await rig.send("GET", "/orgs/none", token: token).code == "NOT_FOUND")
  }
}
