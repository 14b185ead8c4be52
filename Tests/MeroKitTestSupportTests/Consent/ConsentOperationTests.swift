import Foundation
import MeroCrypto
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("Consent at a node")
struct ConsentOperationTests {
  private let rig: Rig
  private let key = HandPasskey()
  private let token: String
  private let verifier = "0123456789012345678901234567890123456789012"

  init() async throws {
    rig = try Rig()
    rig.cloud.setRedirectUris(["notes://consent"], of: "com.calimero.chat")
    token = try #require(try await rig.signUp("ada", with: key)["accessToken"]?.stringValue)
  }

  private func create(_ change: (inout JSONObject) -> Void = { _ in }) async throws -> Rig.Reply {
    var body: JSONObject = [
      "package": "com.calimero.chat", "scopes": ["apps:read", "storage:read"],
      "redirectUri": "notes://consent",
      "state": "a-state-of-22-characters",
      "codeChallenge": .string(Base64URL.encode(SHA256.hash(Array(verifier.utf8)))),
    ]
    change(&body)
    return try await rig.send("POST", "/consent/requests", JSONValue.object(body).text)
  }

  private func request(_ change: (inout JSONObject) -> Void = { _ in }) async throws -> String {
    let reply = try await create(change)
    return try #require(reply.json["requestId"]?.stringValue, "\(reply.json)")
  }

  private func approve(_ request: String, _ body: String = #"{"scopes":["apps:read"]}"#) async throws
    -> Rig.Reply
  {
    let path = "/consent/requests/\(request)/approve"
    let first = try await rig.send("POST", path, body, token: token)
    guard let question = first.details, first.status == 412 else { return first }
    key.counter += 1
    let credential = try #require(try key.assertion(for: question)["credential"])
    let confirm =
      "v1.\(question["confirmId"]?.stringValue ?? "").\(Base64URL.encode(Array(credential.text.utf8)))"
    return try await rig.send("POST", path, body, token: token, headers: [("x-calimero-confirm", confirm)])
  }

  private func code(_ reply: Rig.Reply) throws -> String {
    let url = try #require(reply.json["redirectUrl"]?.stringValue, "\(reply.json)")
    return try #require(URLComponents(string: url)?.queryItems?.first { $0.name == "code" }?.value)
  }

  private func exchange(_ request: String, _ code: String, _ verifier: String? = nil) async throws
    -> Rig.Reply
  {
    let body: JSONValue = [
      "requestId": .string(request), "code": .string(code),
      "codeVerifier": .string(verifier ?? self.verifier),
    ]
    return try await rig.send("POST", "/consent/token", body.text)
  }

  @Test("what cannot be granted is not asked for")
  func creation() async throws {
    #expect(try await create { $0["package"] = "com.example.none" }.status == 404)
    #expect(try await create { $0["scopes"] = ["all"] }.code == "INVALID_ARGUMENT")
    #expect(try await create { $0["scopes"] = ["apps:read", "made:up"] }.code == "INVALID_ARGUMENT")
    #expect(try await create { $0["scopes"] = [] }.status == 400)
    #expect(try await create { $0["redirectUri"] = "notes://other" }.code == "INVALID_ARGUMENT")
    #expect(try await create { $0["state"] = "short" }.status == 400)
    #expect(
      try await create { $0["codeChallenge"] = .string(String(repeating: "=", count: 43)) }.status == 400)
    #expect(try await create().status == 201)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("the person sees what is asked, and grants at most that")
  func approval() async throws {
    let id = try await request()
    let seen = try await rig.send("GET", "/consent/requests/\(id)", token: token)
    #expect(seen.json["package"]?.stringValue == "com.calimero.chat")
    #expect(seen.json["state"]?.stringValue == "open")
    #expect(try await approve(id, #"{"scopes":["apps:read","apps:call"]}"#).code == "INVALID_ARGUMENT")
    #expect(try await approve(id, #"{"scopes":[]}"#).code == "INVALID_ARGUMENT")
    #expect(
      try await approve(id, #"{"scopes":["apps:read"],"apps":["app_none"]}"#).code == "INVALID_ARGUMENT")
    let answer = try await approve(id)
    let session = try await exchange(id, try code(answer))
    #expect(session.status == 200)
    #expect(session.json["kind"]?.stringValue == "consent")
    #expect(session.json["scopes"]?.arrayValue?.compactMap(\.stringValue) == ["apps:read"])
    let after = try await rig.send("GET", "/consent/requests/\(id)", token: token)
    #expect(after.json["state"]?.stringValue == "spent")
    // Answered is answered, and whose answer it was is nobody else's business.
    #expect(try await approve(id).code == "CONSENT_EXPIRED")
    #expect(
      try await rig.send("POST", "/consent/requests/\(id)/deny", token: token).code == "CONSENT_EXPIRED")
    let bob = try await rig.signUp("bob")["accessToken"]?.stringValue
    #expect(try await rig.send("GET", "/consent/requests/\(id)", token: bob).status == 404)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("apps asked for limit the session to them, or to fewer")
  func apps() async throws {
    let org = try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: token)
    func app(_ name: String) async throws -> String {
      let body =
        #"{"name":"\#(name)","package":"com.calimero.chat","org":"\#(org.json["orgId"]?.stringValue ?? "")"}"#
      return try #require(try await rig.send("POST", "/apps", body, token: token).json["appId"]?.stringValue)
    }
    let (one, two) = (try await app("one"), try await app("two"))
    let asked = try await request { $0["apps"] = [.string(one)] }
    let body = #"{"scopes":["apps:read"],"apps":["\#(two)"]}"#
    #expect(try await approve(asked, body).code == "INVALID_ARGUMENT")
    #expect(try await approve(asked, #"{"scopes":["apps:read"],"apps":[]}"#).code == "INVALID_ARGUMENT")
    let limited = try await exchange(asked, try code(try await approve(asked)))
    let first = limited.json["accessToken"]?.stringValue
    #expect(try await rig.send("GET", "/apps/\(one)", token: first).status == 200)
    #expect(try await rig.send("GET", "/apps/\(two)", token: first).status == 404)
    // Where none are named the person chooses.
    let open = try await request()
    let chosen = try await exchange(open, try code(try await approve(open, body)))
    let other = chosen.json["accessToken"]?.stringValue
    #expect(try await rig.send("GET", "/apps/\(two)", token: other).status == 200)
    #expect(try await rig.send("GET", "/apps/\(one)", token: other).status == 404)
    #expect(rig.cloud.violations.isEmpty)
  }

  /// A session that was granted these scopes and no others.
  private func consented(_ scopes: [JSONValue]) async throws -> String {
    let id = try await request { $0["scopes"] = .array(scopes) }
    let body: JSONValue = ["scopes": .array(scopes)]
    let session = try await exchange(id, try code(try await approve(id, body.text)))
    return try #require(session.json["accessToken"]?.stringValue, "\(session.json)")
  }

  @Test(
    "beyond its scopes a consented session does what a passkey confirms, looks at itself and signs out, no more"
  )
  func beyondScopes() async throws {
    let session = try await consented(["apps:view"])
    var reached: Set<String> = []
    for operation in APIDocument.shared.operations
    where operation.acceptsSession && operation.scopes.isEmpty && operation.id != "auth_signout" {
      let reply = try await ApiKeyTests.send(operation, rig, session, org: "none", app: "none")
      if reply.code == "SCOPE_MISSING" {
        let scope = operation.id == "app_presence_set" ? "apps:events" : "all"
        #expect(reply.scope == scope, "\(operation.id)")
      } else {
        reached.insert(operation.id)
      }
    }
    #expect(
      reached.sorted() == [
        "app_delete", "app_upgrade", "auth_key_create", "auth_passkey_begin", "auth_passkey_finish",
        "auth_passkey_remove", "auth_session_get", "consent_approve", "deployment_create",
        "deployment_delete", "deployment_update", "org_delete", "org_invite_create", "org_member_remove",
        "org_member_update", "org_team_delete", "package_yank",
      ])
    #expect(try await rig.send("POST", "/auth/signout", token: session).status == 204)
    #expect(try await rig.send("GET", "/auth/session", token: token).status == 200)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a consented session changes members when a passkey confirms that, and does not leave by itself")
  func members() async throws {
    let org = try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: token).json["orgId"]?
      .stringValue
    _ = try await rig.signUp("bob")
    let path = "/orgs/\(try #require(org))/members/"
    rig.cloud.join("bob", org: try #require(org), as: "owner")
    func member(_ name: String) -> String {
      path + rig.cloud.store.withState { $0.accountsByName[name]?.id ?? "" }
    }
    let session = try await consented(["orgs:read"])
    let leave = try await rig.send("DELETE", member("ada"), token: session)
    #expect(leave.code == "SCOPE_MISSING")
    #expect(leave.details == ["scope": "all"])
    #expect(try await rig.send("DELETE", member("bob"), token: session).code == "CONFIRM_REQUIRED")
    let demote = #"{"role":"member"}"#
    #expect(try await rig.send("PATCH", member("bob"), demote, token: session).code == "CONFIRM_REQUIRED")
    rig.cloud.join("bob", org: try #require(org), as: "member")
    let weaken = try await rig.send("PATCH", member("bob"), #"{"role":"viewer"}"#, token: session)
    #expect(weaken.code == "SCOPE_MISSING")
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a consented session that was granted events is present too (70 §2.13)")
  func present() async throws {
    let org = try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: token).json["orgId"]?
      .stringValue
    let body = #"{"name":"app","package":"com.calimero.chat","org":"\#(org ?? "")"}"#
    let app = try await rig.send("POST", "/apps", body, token: token).json["appId"]?.stringValue
    let path = "/apps/\(try #require(app))/presence"
    let session = try await consented(["apps:events"])
    let state = #"{"state":{"typing":true},"version":1}"#
    #expect(try await rig.send("PUT", path, state, token: session).status == 204)
    let entries = try await rig.send("GET", path, token: session).json["entries"]?.arrayValue
    #expect(entries?.map { $0["state"] } == [["typing": true]])
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a request is open for ten minutes and a code for one")
  func times() async throws {
    let late = try await request()
    await rig.clock.advance(by: 599.9)
    let answer = try await approve(late)
    #expect(answer.status == 200)
    await rig.clock.advance(by: 60)
    #expect(try await exchange(late, try code(answer)).code == "CONSENT_EXPIRED")
    #expect(try await rig.send("GET", "/consent/requests/\(late)", token: token).code == "CONSENT_EXPIRED")
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("denying takes no passkey and may be repeated; the answer leads back with the state")
  func denial() async throws {
    let id = try await request()
    let path = "/consent/requests/\(id)/deny"
    let first = try await rig.send("POST", path, token: token)
    #expect(
      first.json["redirectUrl"]?.stringValue
        == "notes://consent?error=access_denied&state=a-state-of-22-characters")
    #expect(try await rig.send("POST", path, token: token).json == first.json)
    #expect(try await approve(id).code == "CONSENT_EXPIRED")
    #expect(try await exchange(id, "guess").code == "UNAUTHENTICATED")
    #expect(try await exchange("crq_none", "guess").code == "NOT_FOUND")
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("grants are listed newest first, to their account alone, and end their sessions")
  func grants() async throws {
    var sessions: [String] = []
    for _ in 0..<3 {
      let id = try await request()
      let session = try await exchange(id, try code(try await approve(id)))
      sessions.append(try #require(session.json["accessToken"]?.stringValue))
    }
    let listed = try await rig.send("GET", "/consent/grants?limit=2", token: token)
    let grants = try #require(listed.json["grants"]?.arrayValue)
    #expect(grants.count == 2)
    #expect(listed.json["nextCursor"] != nil)
    let newest = try #require(grants.first?["grantId"]?.stringValue)
    let bob = try await rig.signUp("bob")["accessToken"]?.stringValue
    #expect(try await rig.send("DELETE", "/consent/grants/\(newest)", token: bob).status == 404)
    #expect(
      try await rig.send("GET", "/consent/grants", token: bob).json["grants"]?.arrayValue?.isEmpty == true)
    #expect(try await rig.send("DELETE", "/consent/grants/\(newest)", token: token).status == 204)
    #expect(try await rig.send("GET", "/apps", token: sessions[2]).code == "TOKEN_REVOKED")
    #expect(try await rig.send("GET", "/apps", token: sessions[1]).status == 200)
    #expect(try await rig.send("DELETE", "/consent/grants/\(newest)", token: token).status == 404)
    #expect(rig.cloud.violations.isEmpty)
  }
}
