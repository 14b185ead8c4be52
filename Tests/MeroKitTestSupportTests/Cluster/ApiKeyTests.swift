import Foundation
import MeroWire
import Testing

@testable import MeroKitTestSupport

@Suite("FakeCloud: API keys")
struct ApiKeyTests {
  static let scopes = APIDocument.shared.scopes.subtracting(["all"]).sorted()

  @Test("70 §2.27 #21: each scope alone allows exactly its operations", arguments: scopes)
  func scopeAlone(scope: String) async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    let org = try await rig.org(of: ada)
    let app = try await rig.app(of: ada, in: org)
    let key = try await rig.key([scope], of: ada)
    var allowed = 0
    for operation in APIDocument.shared.operations
    where operation.acceptsSession && ClusterState.handlers[operation.id] != nil {
      let (status, code, missing) = try await Self.send(operation, rig, key, org: org, app: app)
      if operation.scopes == [scope] || (operation.scopes.isEmpty && operation.acceptsApiKey) {
        allowed += 1
        let refusals = ["SCOPE_MISSING", "HUMAN_REQUIRED", "UNAUTHENTICATED"]
        #expect(!refusals.contains(code ?? ""), "\(operation.id): \(status)")
      } else if operation.takesConfirmation && !operation.acceptsApiKey {
        #expect(code == "HUMAN_REQUIRED", "\(operation.id): \(status)")
      } else {
        #expect(code == "SCOPE_MISSING", "\(operation.id): \(status)")
        #expect(missing == operation.scopes.first ?? "all", "\(operation.id)")
      }
    }
    // `auth_session_get` takes every key.
    #expect(allowed >= 1)
    #expect(rig.cloud.violations == [])
  }

  /// Sends an operation as simply as it can be sent. What comes after the check of scopes may refuse it.
  static func send(
    _ operation: ServedOperation, _ rig: Rig, _ key: String, org: String, app: String
  ) async throws -> (status: Int, code: String?, scope: String?) {
    let ids = ["org": org, "app": app]
    let template = try #require(paths[operation.id])
    let path = operation.pathParameters.reduce(template) {
      $0.replacingOccurrences(of: "{\($1)}", with: ids[$1] ?? "none")
    }
    var body: String?
    if case .json = operation.body { body = "{}" }
    let response = try await rig.open(operation.method, path, body, token: key)
    // A stream that is granted has no end to wait for.
    guard response.status >= 400 else { return (response.status, nil, nil) }
    let json = try JSONValue(parsing: try await response.body.collect(upTo: 1 << 20))
    return (
      response.status, json["error"]?["code"]?.stringValue, json["error"]?["details"]?["scope"]?.stringValue
    )
  }

  /// The paths of the document's operations, by their ids.
  private static let paths: [String: String] = {
    let root = (try? JSONValue(parsing: OpenAPIDocument.json)) ?? .null
    var paths: [String: String] = [:]
    for (path, methods) in root["paths"]?.objectValue ?? [:] {
      for (_, operation) in methods.objectValue ?? [:] {
        if let id = operation["operationId"]?.stringValue { paths[id] = path }
      }
    }
    return paths
  }()

  @Test("70 §2.27 #21: a key limited to apps sees those in lists and gets 404 for others")
  func limitedToApps() async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    let org = try await rig.org(of: ada)
    let (mine, other) = (try await rig.app(of: ada, in: org, "mine"), try await rig.app(of: ada, in: org))
    let scopes = ["apps:read", "apps:view", "apps:manage"]
    let key = try await rig.key(scopes, #","apps":["\#(mine)"]"#, of: ada)
    #expect(try await rig.send("GET", "/apps", token: key).texts("apps", "appId") == [mine])
    #expect(try await rig.send("GET", "/apps/\(mine)", token: key).status == 200)
    #expect(try await rig.send("GET", "/apps/\(other)", token: key).code == "NOT_FOUND")
    let view = #"{"method":"get_messages","args":{}}"#
    #expect(try await rig.send("POST", "/apps/\(mine)/views", view, token: key).status == 200)
    #expect(try await rig.send("POST", "/apps/\(other)/views", view, token: key).code == "NOT_FOUND")
    // What it made would be outside its limits.
    let new = #"{"name":"new","package":"com.calimero.chat","org":"\#(org)"}"#
    #expect(try await rig.send("POST", "/apps", new, token: key).code == "FORBIDDEN")
    #expect(rig.cloud.violations == [])
  }

  @Test("70 §2.27 #21: a key limited to organizations knows of those and their apps alone")
  func limitedToOrgs() async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    let (mine, other) = (try await rig.org(of: ada, "Mine"), try await rig.org(of: ada, "Other"))
    let app = try await rig.app(of: ada, in: mine)
    let foreign = try await rig.app(of: ada, in: other)
    let scopes = ["apps:read", "orgs:read", "orgs:manage"]
    let key = try await rig.key(scopes, #","orgs":["\#(mine)"]"#, of: ada)
    #expect(try await rig.send("GET", "/orgs", token: key).texts("orgs", "orgId") == [mine])
    #expect(try await rig.send("GET", "/apps", token: key).texts("apps", "appId") == [app])
    #expect(try await rig.send("GET", "/apps/\(foreign)", token: key).code == "NOT_FOUND")
    #expect(try await rig.send("PATCH", "/orgs/\(mine)", #"{"name":"A"}"#, token: key).status == 200)
    for (method, path, body) in [
      ("GET", "", nil), ("PATCH", "", #"{"name":"A"}"#), ("GET", "/members", nil), ("GET", "/invites", nil),
      ("POST", "/teams", #"{"name":"A"}"#),
    ] as [(String, String, String?)] {
      let reply = try await rig.send(method, "/orgs/\(other)\(path)", body, token: key)
      #expect(reply.code == "NOT_FOUND", "\(method) \(path)")
    }
    // What it made would be outside its limits.
    #expect(try await rig.send("POST", "/orgs", #"{"name":"New"}"#, token: key).code == "FORBIDDEN")
  }

  @Test("a secret is answered once, has the form of a key, and is told from every other text")
  func secret() async throws {
    let rig = try Rig()
    let ada = try await rig.person("ada")
    let body = #"{"label":"nightly","scopes":["orgs:read","orgs:read"],"expiresAt":1790000600000}"#
    let made = try await rig.confirmed("POST", "/auth/api-keys", body, by: ada, node: 1)
    #expect(made.status == 201)
    let secret = try #require(made.json["secret"]?.stringValue)
    let id = try #require(made.json["key"]?["keyId"]?.stringValue)
    #expect(secret.hasPrefix("cmk_\(id.dropFirst(4))_"))
    // The prefix, the id, an underscore and 43 characters.
    #expect(secret.count == 74)
    #expect(made.json["key"]?["scopes"] == ["orgs:read"])
    let listed = try await rig.send("GET", "/auth/api-keys", token: ada.token)
    #expect(listed.json["keys"] == [made.json["key"] ?? .null])
    #expect(!listed.json.text.contains(secret.suffix(43)))
    let me = try await rig.send("GET", "/auth/session", token: secret, node: 2)
    #expect(me.json["kind"] == "apiKey")
    #expect(me.json["keyId"]?.stringValue == id)
    #expect(me.json["accountId"]?.stringValue == ada.account)
    let used = try await rig.send("GET", "/auth/api-keys", token: ada.token)
    #expect(used.json["keys"]?[0]?["lastUsedAt"] == 1_789_999_980_000)
    let cut = [String(secret.dropLast(1)), String(secret.dropLast(43))]
    for wrong in cut + [secret + "_", "cmk_\(id)", "cmk_", "cmk__"] {
      let reply = try await rig.send("GET", "/auth/session", token: wrong)
      #expect(reply.code == "UNAUTHENTICATED", "\(wrong)")
    }
    await rig.clock.advance(by: 600)
    #expect(try await rig.send("GET", "/auth/session", token: secret).code == "TOKEN_EXPIRED")
    #expect(rig.cloud.violations == [])
  }

  @Test("a revoked key is over at every node at once, and revoking it again changes nothing")
  func revoke() async throws {
    let rig = try Rig()
    let (ada, bob) = (try await rig.person("ada"), try await rig.person("bob"))
    let key = try await rig.key(["orgs:read"], of: ada)
    let id = try await rig.send("GET", "/auth/session", token: key).json["keyId"]?.stringValue ?? ""
    let path = "/auth/api-keys/\(id)"
    #expect(try await rig.send("DELETE", path, token: bob.token).code == "NOT_FOUND")
    #expect(try await rig.send("DELETE", path, token: key).code == "SCOPE_MISSING")
    #expect(try await rig.send("DELETE", path, token: ada.token).status == 204)
    #expect(try await rig.send("GET", "/orgs", token: key, node: 2).code == "TOKEN_REVOKED")
    #expect(try await rig.send("DELETE", path, token: ada.token, node: 1).status == 204)
    #expect(try await rig.send("GET", "/auth/api-keys", token: ada.token).json["keys"] == [])
  }

  @Test(
    "a key that could not be is refused before anybody is asked for a passkey",
    arguments: [
      (#"{"label":"x","scopes":[]}"#, "scopes"), (#"{"label":"x","scopes":["all"]}"#, "scopes"),
      (#"{"label":"x","scopes":["apps:everything"]}"#, "scopes"),
      (#"{"label":" x","scopes":["orgs:read"]}"#, "label"),
      (#"{"label":"x","scopes":["orgs:read"],"orgs":["org_none"]}"#, "orgs"),
      (#"{"label":"x","scopes":["orgs:read"],"orgs":["{foreign}"]}"#, "orgs"),
      (#"{"label":"x","scopes":["orgs:read"],"apps":["{app}"]}"#, "apps"),
      (#"{"label":"x","scopes":["orgs:read"],"expiresAt":1790000000000}"#, "expiresAt"),
    ])
  func impossible(body: String, field: String) async throws {
    let rig = try Rig(nodes: 1)
    let (ada, bob) = (try await rig.person("ada"), try await rig.person("bob"))
    let foreign = try await rig.org(of: bob)
    let app = try await rig.app(of: bob, in: foreign)
    let filled = body.replacingOccurrences(of: "{foreign}", with: foreign)
      .replacingOccurrences(of: "{app}", with: app)
    let reply = try await rig.send("POST", "/auth/api-keys", filled, token: ada.token)
    #expect(reply.code == "INVALID_ARGUMENT")
    #expect(reply.details?["field"]?.stringValue == field)
  }

  @Test("an account has at most fifty keys; a revoked one makes room")
  func fifty() async throws {
    let rig = try Rig(nodes: 1)
    let ada = try await rig.person("ada")
    for _ in 0..<50 { _ = try await rig.key(["orgs:read"], of: ada) }
    let body = #"{"label":"robot","scopes":["orgs:read"]}"#
    let refused = try await rig.confirmed("POST", "/auth/api-keys", body, by: ada)
    #expect(refused.status == 403)
    #expect(refused.code == "QUOTA_EXCEEDED")
    #expect(refused.details == ["quota": "apiKeys"])
    var ids: [String] = []
    var cursor: String?
    repeat {
      let path = "/auth/api-keys?limit=20" + (cursor.map { "&cursor=\($0)" } ?? "")
      let page = try await rig.send("GET", path, token: ada.token)
      ids += page.texts("keys", "keyId")
      cursor = page.json["nextCursor"]?.stringValue
    } while cursor != nil
    #expect(ids.count == 50)
    #expect(ids == ids.sorted(by: >))
    #expect(try await rig.send("DELETE", "/auth/api-keys/\(ids[7])", token: ada.token).status == 204)
    #expect(try await rig.confirmed("POST", "/auth/api-keys", body, by: ada).status == 201)
    #expect(rig.cloud.violations == [])
  }
}
