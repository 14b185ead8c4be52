import Foundation
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("FakeCloud: order of checks, organizations and apps")
struct RuleTests {
  @Test("credential, then existence, then role, then shape, then state (70 §2.8)")
  func order() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    let stranger = try await rig.signUp("eve")["accessToken"]?.stringValue
    let reader = try await rig.signUp("bob")["accessToken"]?.stringValue
    rig.cloud.share(app, with: "bob", as: "reader")
    let bad = #"{"method":7,"extra":true}"#
    let good = #"{"method":"send_message","args":{"message":"hi"}}"#
    let path = "/apps/\(app)/intents"
    #expect(try await rig.send("POST", path, bad).code == "UNAUTHENTICATED")
    #expect(try await rig.send("POST", path, bad, token: "cms_unknown").code == "UNAUTHENTICATED")
    #expect(try await rig.send("POST", path, bad, token: stranger).code == "NOT_FOUND")
    #expect(try await rig.send("POST", path, bad, token: reader).code == "FORBIDDEN")
    rig.cloud.setState("upgrading", ofApp: app)
    #expect(try await rig.send("POST", path, bad, token: token).code == "BAD_REQUEST")
    #expect(try await rig.send("POST", path, good, token: token).code == "APP_NOT_READY")
    let view = #"{"method":"get_messages","args":{}}"#
    #expect(try await rig.send("POST", "/apps/\(app)/views", view, token: reader).status == 200)
    rig.cloud.setState("suspended", ofApp: app)
    #expect(try await rig.send("POST", path, good, token: token).code == "SUSPENDED")
    #expect(try await rig.send("GET", "/apps/\(app)", token: reader).json["state"] == "suspended")
    #expect(rig.cloud.violations == [])
  }

  @Test(
    "a request that does not fit the document is refused",
    arguments: [
      (#"{"name":"Acme","color":"red"}"#, "BAD_REQUEST", nil), (#"{}"#, "BAD_REQUEST", nil),
      (#"{"name":7}"#, "BAD_REQUEST", nil), ("[]", "BAD_REQUEST", nil), ("{", "BAD_REQUEST", nil),
      ("", "BAD_REQUEST", nil), (#"{"name":""}"#, "INVALID_ARGUMENT", "name"),
      (#"{"name":" Acme"}"#, "INVALID_ARGUMENT", "name"),
      (#"{"name":"A\u0007"}"#, "INVALID_ARGUMENT", "name"),
      (#"{"name":"Acme","idempotencyKey":"a b"}"#, "INVALID_ARGUMENT", "idempotencyKey"),
    ] as [(String, String, String?)])
  func shapes(body: String, code: String, field: String?) async throws {
    let rig = try Rig(nodes: 1)
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    let reply = try await rig.send("POST", "/orgs", body, token: token)
    #expect(reply.status == 400)
    #expect(reply.code == code)
    #expect(reply.details?["field"]?.stringValue == field)
  }

  @Test("query parameters are checked as the document says, unknown ones too")
  func queries() async throws {
    let rig = try Rig(nodes: 1)
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    for (query, code) in [
      ("limit=0", "INVALID_ARGUMENT"), ("limit=201", "INVALID_ARGUMENT"), ("limit=ten", "INVALID_ARGUMENT"),
      ("colour=red", "BAD_REQUEST"), ("limit=1&limit=2", "BAD_REQUEST"), ("cursor=%zz", "BAD_REQUEST"),
      ("cursor=nope", "INVALID_CURSOR"),
    ] {
      #expect(try await rig.send("GET", "/orgs?\(query)", token: token).code == code, "\(query)")
    }
    #expect(try await rig.send("GET", "/orgs?limit=200", token: token).status == 200)
  }

  @Test("a path without an operation is 404")
  func unknownPaths() async throws {
    let rig = try Rig(nodes: 1)
    #expect(try await rig.send("GET", "/nowhere").code == "NOT_FOUND")
    #expect(try await rig.send("DELETE", "/info").code == "NOT_FOUND")
    #expect(try await rig.send("GET", "/orgs/").code == "NOT_FOUND")
  }

  @Test("every answer names the node and the request")
  func headers() async throws {
    let rig = try Rig()
    let reply = try await rig.send("GET", "/info", node: 1)
    #expect(reply.headers["x-calimero-node"] == rig.cloud.nodes[1].id)
    #expect(reply.headers["x-calimero-request-id"] == "r-1")
    #expect(reply.headers["content-type"] == "application/json")
    #expect(rig.cloud.log.inner == [rig.cloud.log.inner[0]])
    let entry = try #require(rig.cloud.log.inner.first)
    #expect((entry.node, entry.attempt, entry.requestId) == (1, 1, "r-1"))
    #expect((entry.method, entry.path, entry.operation, entry.status) == ("GET", "/info", "public_info", 200))
    rig.cloud.clearLog()
    #expect(rig.cloud.log.inner.isEmpty)
  }

  @Test("an organization is made once per key and seen by its members alone")
  func orgs() async throws {
    let rig = try Rig()
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    let eve = try await rig.signUp("eve")["accessToken"]?.stringValue
    let body = #"{"name":"Acme","idempotencyKey":"k"}"#
    let org = try await rig.send("POST", "/orgs", body, token: token)
    #expect(org.status == 201)
    #expect(org.json["role"] == "owner")
    #expect(try await rig.send("POST", "/orgs", body, token: token, node: 1).json == org.json)
    let reused = try await rig.send("POST", "/orgs", #"{"name":"Other","idempotencyKey":"k"}"#, token: token)
    #expect(reused.code == "IDEMPOTENCY_KEY_REUSED")
    let id = org.json["orgId"]?.stringValue ?? ""
    #expect(try await rig.send("GET", "/orgs/\(id)", token: token, node: 2).json == org.json)
    #expect(try await rig.send("GET", "/orgs/\(id)", token: eve).code == "NOT_FOUND")
    rig.cloud.join("eve", org: id, as: "viewer")
    let seen = try await rig.send("GET", "/orgs/\(id)", token: eve)
    #expect(seen.json["role"] == "viewer")
    #expect(seen.json["memberCount"] == 2)
  }

  @Test("lists come in pages that miss nothing; a cursor is bound to listing, filters and caller")
  func pages() async throws {
    let rig = try Rig(nodes: 1)
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    let names = ["delta", "Alpha", "charlie", "bravo", "Echo"]
    var ids: [String] = []
    for name in names {
      let org = try await rig.send("POST", "/orgs", #"{"name":"\#(name)"}"#, token: token)
      ids.append(org.json["orgId"]?.stringValue ?? "")
    }
    var seen: [String] = []
    var cursor: String?
    repeat {
      let path = "/orgs?limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")
      let page = try await rig.send("GET", path, token: token)
      seen += page.json["orgs"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
      cursor = page.json["nextCursor"]?.stringValue
    } while cursor != nil
    #expect(seen == ["Alpha", "bravo", "charlie", "delta", "Echo"])
    for name in ["one", "two", "three"] {
      let body = #"{"name":"\#(name)","package":"com.calimero.chat","org":"\#(ids[0])"}"#
      #expect(try await rig.send("POST", "/apps", body, token: token).status == 201)
    }
    let first = try await rig.send("GET", "/apps?org=\(ids[0])&limit=1", token: token)
    #expect(first.json["apps"]?[0]?["name"] == "three", "newest first")
    let bound = try #require(first.json["nextCursor"]?.stringValue)
    let next = try await rig.send("GET", "/apps?org=\(ids[0])&limit=5&cursor=\(bound)", token: token)
    #expect(next.json["apps"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == ["two", "one"])
    #expect(next.json["nextCursor"] == nil)
    #expect(try await rig.send("GET", "/apps?cursor=\(bound)", token: token).code == "INVALID_CURSOR")
    #expect(try await rig.send("GET", "/orgs?cursor=\(bound)", token: token).code == "INVALID_CURSOR")
    #expect(try await rig.send("GET", "/apps?package=com.other", token: token).json["apps"] == [])
    let orgs = try await rig.send("GET", "/orgs?limit=1", token: token).json["nextCursor"]?.stringValue ?? ""
    let eve = try await rig.signUp("eve")["accessToken"]?.stringValue
    #expect(try await rig.send("GET", "/orgs?cursor=\(orgs)", token: eve).code == "INVALID_CURSOR")
  }

  @Test("an app needs a package and a free name; the newest version is taken unless one is named")
  func apps() async throws {
    let rig = try Rig(nodes: 1)
    for version in ["1.10.0", "1.9.0", "2.0.0-rc.1"] {
      rig.cloud.register(FakePackage("com.example.notes", version: version) { _ in })
    }
    rig.cloud.register(FakePackage("com.example.two", version: "2.0.0-rc.1") { _ in })
    rig.cloud.register(FakePackage("com.example.two", version: "2.0.0") { _ in })
    let token = try await rig.signUp("ada")["accessToken"]?.stringValue
    let viewer = try await rig.signUp("vic")["accessToken"]?.stringValue
    let org =
      try await rig.send("POST", "/orgs", #"{"name":"Acme"}"#, token: token).json["orgId"]?.stringValue ?? ""
    rig.cloud.join("vic", org: org, as: "viewer")
    func create(_ name: String, _ package: String, _ more: String = "", token: String?) async throws
      -> Rig.Reply
    {
      try await rig.send(
        "POST", "/apps", #"{"name":"\#(name)","package":"\#(package)","org":"\#(org)"\#(more)}"#, token: token
      )
    }
    let app = try await create("notes", "com.example.two", token: token)
    #expect(app.json["version"] == "2.0.0")
    #expect(app.json["state"] == "ready")
    #expect(app.json["role"] == "manager")
    #expect(app.json["seq"] == 0)
    let old = try await create("old", "com.example.notes", #","version":"1.9.0""#, token: token)
    #expect(old.json["version"] == "1.9.0")
    #expect(try await create("NOTES", "com.example.two", token: token).code == "NAME_TAKEN")
    #expect(try await create("x", "com.example.none", token: token).code == "NOT_FOUND")
    #expect(
      try await create("x", "com.example.notes", #","version":"3.0.0""#, token: token).code == "NOT_FOUND")
    #expect(try await create("x", "com.example.notes", token: viewer).code == "FORBIDDEN")
    let key = #","idempotencyKey":"k""#
    let kept = try await create("once", "com.example.notes", key, token: token)
    #expect(kept.status == 201)
    #expect(try await create("once", "com.example.notes", key, token: token).json == kept.json)
  }

  @Test("70 §2.27 #19: an app's role is the strongest of organization, creation, own entry and open access")
  func roles() async throws {
    let rig = try Rig(nodes: 1)
    let (token, app) = try await rig.appOf("ada")
    let org = try await rig.send("GET", "/apps/\(app)", token: token).json["orgId"]?.stringValue ?? ""
    let open = try await rig.send(
      "POST", "/apps",
      #"{"name":"open","package":"com.calimero.chat","org":"\#(org)","orgAccess":"writer"}"#, token: token)
    let shared = open.json["appId"]?.stringValue ?? ""
    let bob = try await rig.signUp("bob")["accessToken"]?.stringValue
    func role(_ app: String) async throws -> String? {
      try await rig.send("GET", "/apps/\(app)", token: bob).json["role"]?.stringValue
    }
    for (inOrg, own, expected) in [
      (nil, nil, [nil, nil]), ("viewer", nil, [nil, "reader"]), ("member", nil, [nil, "writer"]),
      ("viewer", "writer", ["writer", "writer"]), ("member", "reader", ["reader", "writer"]),
      ("admin", "reader", ["manager", "manager"]), ("owner", nil, ["manager", "manager"]),
    ] as [(String?, String?, [String?])] {
      if let inOrg { rig.cloud.join("bob", org: org, as: inOrg) }
      rig.cloud.share(app, with: "bob", as: own)
      rig.cloud.share(shared, with: "bob", as: own)
      #expect(try await [role(app), role(shared)] == expected)
    }
  }
}
