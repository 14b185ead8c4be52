import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("The consent page")
struct ConsentPageTests {
  private let rig: Rig
  private let key = HandPasskey()
  private let host = "localhost:2501"

  init() async throws {
    rig = try Rig()
    rig.cloud.setRedirectUris(["notes://consent", "http://127.0.0.1/back"], of: "com.calimero.chat")
    _ = try await rig.signUp("ada", with: key)
  }

  @Test("the link of an invitation shows what to do with it, and only at node one")
  func inviteLink() async throws {
    let first = try await rig.cloud.nodes[0].handle(
      HTTPRequest(.get, rig.cloud.nodes[0].url.appendingPathComponent("invite")))
    #expect(first.status == 200)
    #expect(first.headers["content-type"]?.hasPrefix("text/html") == true)
    #expect(
      String(decoding: try await first.body.collect(upTo: 1 << 16), as: UTF8.self).contains(
        "mero orgs join -"))
    let second = try await rig.cloud.nodes[1].handle(
      HTTPRequest(.get, rig.cloud.nodes[1].url.appendingPathComponent("invite")))
    #expect(second.status == 403)
  }

  private struct Answer {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    var location: String? { headers["location"] }
    var json: JSONValue { (try? JSONValue(parsing: text)) ?? .null }
  }

  private func ask(
    _ other: Rig? = nil, scopes: String = #"["apps:read","apps:call"]"#,
    redirectUri: String = "notes://consent"
  ) async throws -> String {
    let body =
      #"{"package":"com.calimero.chat","scopes":\#(scopes),"redirectUri":"\#(redirectUri)","#
      + #""state":"a-state-of-22-characters","codeChallenge":"\#(Base64URL.encode(SHA256.hash(Array("v".utf8))))"}"#
    let reply = try await (other ?? rig).send("POST", "/consent/requests", body)
    return try #require(reply.json["requestId"]?.stringValue, "\(reply.json)")
  }

  private func browse(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, type: String? = nil, node: Int = 0,
    host: String? = nil, headers more: HTTPHeaders = [:], at other: Rig? = nil
  ) async throws -> Answer {
    var headers = more
    headers["host"] = host ?? self.host
    headers["content-type"] = type
    let url = try #require(URL(string: "http://127.0.0.1:2501\(path)"))
    let response = try await (other ?? rig).cloud.nodes[node].handle(
      HTTPRequest(method, url, headers: headers, body: body.map { .data(Data($0.utf8)) }))
    let data = try await response.body.collect(upTo: 1 << 20)
    return Answer(
      status: response.status, headers: response.headers, text: String(decoding: data, as: UTF8.self))
  }

  private func submit(
    _ request: String, name: String = "ada", answer: String = "approve",
    scopes: [String] = ["apps%3Aread", "apps%3Acall"], host: String? = nil, headers: HTTPHeaders = [:],
    at other: Rig? = nil
  ) async throws -> Answer {
    let fields = scopes.map { "&scope+\($0)=yes" }.joined()
    return try await browse(
      .post, "/consent", "request=\(request)&name=\(name)&answer=\(answer)\(fields)",
      type: "application/x-www-form-urlencoded", host: host, headers: headers, at: other)
  }

  private func post(
    _ path: String, _ body: JSONValue? = nil, token: String? = nil, confirm: String? = nil,
    headers: HTTPHeaders = [:]
  ) async throws -> Answer {
    var headers = headers
    headers["authorization"] = token.map { "Bearer \($0)" }
    headers["x-calimero-confirm"] = confirm
    return try await browse(
      .post, "/consent/api\(path)", body?.text, type: body == nil ? nil : "application/json",
      headers: headers)
  }

  // MARK: What is shown

  @Test(
    "it names a published package and its publisher as people know them, and so do the request and the grant")
  func names() async throws {
    let world = try await OperatorWorld()
    try await world.approveAcme()
    let counter = OperatorWorld.counter("1.0.0")
    world.rig.cloud.provideCode(of: counter)
    let bundle = try counter.bundle(signedBy: OperatorWorld.publisher, name: "Count <b>", summary: nil)
    try #require(try await world.publish(counter.name, bundle).status == 201)
    let deployment = try await world.deploy(counter, #","redirectUris":["count://consent"]"#)
    try await world.vote("approve", on: deployment.json["decisionId"].text, by: world.olga)
    let body =
      #"{"package":"com.acme.counter","scopes":["apps:read"],"redirectUri":"count://consent","#
      + #""state":"a-state-of-22-characters","codeChallenge":"\#(Base64URL.encode(SHA256.hash(Array("v".utf8))))"}"#
    let asked = try await world.rig.send("POST", "/consent/requests", body)
    let request = try #require(asked.json["requestId"]?.stringValue, "\(asked.json)")
    let seen = try await world.rig.send("GET", "/consent/requests/\(request)", token: world.ada.token)
    #expect(seen.json["packageName"] == "Count <b>")
    #expect(seen.json["publisher"] == "Acme")
    let page = try await browse(.get, "/consent?request=\(request)", at: world.rig)
    #expect(
      page.text.contains(
        "<strong>Count &lt;b&gt;</strong> (<code>com.acme.counter</code>), published by Acme, asks to sign in"
      ))
    let approved = try await world.confirmed(
      "POST", "/consent/requests/\(request)/approve", #"{"scopes":["apps:read"]}"#, by: world.ada)
    #expect(approved.status == 200)
    let grants = try await world.rig.send("GET", "/consent/grants", token: world.ada.token)
    #expect(grants.json["grants"]?[0]?["packageName"] == "Count <b>")
    #expect(world.rig.cloud.violations == [])
  }

  @Test("it says who asks for what and where the answer goes, and lets the browser do nothing else")
  func page() async throws {
    let request = try await ask()
    let page = try await browse(.get, "/consent?request=\(request)")
    #expect(page.status == 200)
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    for text in ["<code>com.calimero.chat</code>", "<code>notes://consent</code>", "<code>apps:call</code>"] {
      #expect(page.text.contains(text), "\(text)")
    }
    #expect(page.text.contains("Change the data of your apps"))
    #expect(page.text.contains(#"value="\#(request)""#))
    let policy = try #require(page.headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; "))
    for (name, element) in [("style-src", "style"), ("script-src", "script")] {
      let source = try #require(
        page.text.components(separatedBy: "<\(element)>").last?.components(separatedBy: "</\(element)>").first
      )
      let hash = Data(SHA256.hash(Array(source.utf8))).base64EncodedString()
      #expect(policy.contains("\(name) 'sha256-\(hash)'"))
    }
    #expect(policy.contains("connect-src 'self'"))
    #expect(policy.contains("form-action 'self' notes:;"))
    #expect(policy.contains("frame-ancestors 'none'"))
    #expect(page.headers["cache-control"] == "no-store")
    // Nothing from elsewhere.
    #expect(!page.text.contains("src="))
    #expect(!page.text.contains("href="))
  }

  @Test("what came with the request is escaped wherever it stands")
  func escaped() async throws {
    rig.cloud.setRedirectUris(["notes://consent?a=1&b=2"], of: "com.calimero.chat")
    let request = try await ask(redirectUri: "notes://consent?a=1&b=2")
    let page = try await browse(.get, "/consent?request=\(request)")
    #expect(page.text.contains("notes://consent?a=1&amp;b=2"))
    let wrong = try await submit(request, name: "%22%3E%3Cscript%3E")
    #expect(wrong.status == 404)
    #expect(wrong.text.contains("&quot;&gt;&lt;script&gt;"))
  }

  @Test("it is the first node's, and shows nothing for a request that is unknown, answered or over")
  func nothing() async throws {
    let request = try await ask()
    #expect(try await browse(.get, "/consent?request=\(request)", node: 1).status == 403)
    let unknown = try await browse(.get, "/consent?request=crq_none")
    #expect(unknown.status == 404)
    #expect(!unknown.text.contains("<form"))
    #expect(unknown.headers["content-security-policy"]?.contains("form-action 'none'") == true)
    #expect(try await submit(request).status == 303)
    #expect(try await browse(.get, "/consent?request=\(request)").status == 410)
    #expect(try await submit(request).status == 410)
    let late = try await ask()
    await rig.clock.advance(by: 600)
    #expect(try await browse(.get, "/consent?request=\(late)").status == 410)
    #expect(try await submit(late).status == 410)
  }

  // MARK: Without a passkey

  @Test("on a cluster for development a name is enough: yes leads back with a code, no with an error")
  func development() async throws {
    let request = try await ask()
    let yes = try await submit(request, scopes: ["apps%3Aread"])
    #expect(yes.status == 303)
    let location = try #require(yes.location)
    #expect(location.hasPrefix("notes://consent?code="))
    #expect(location.hasSuffix("&state=a-state-of-22-characters"))
    let code = try #require(URLComponents(string: location)?.queryItems?.first?.value)
    let body: JSONValue = [
      "requestId": .string(request), "code": .string(code), "codeVerifier": .string("v".padded(to: 43)),
    ]
    // The verifier is another one than the request's.
    #expect(try await rig.send("POST", "/consent/token", body.text).code == "UNAUTHENTICATED")
    let no = try await submit(try await ask(), name: "", answer: "deny")
    #expect(no.location == "notes://consent?error=access_denied&state=a-state-of-22-characters")
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("a name that nobody has, a suspended one, no scope and no answer are told on the page")
  func wrongForms() async throws {
    let request = try await ask()
    let nobody = try await submit(request, name: "eve")
    #expect(nobody.status == 404)
    #expect(nobody.text.contains("There is no account named eve here."))
    #expect(nobody.text.contains(#"value="eve""#))
    #expect(try await submit(request, scopes: []).status == 400)
    #expect(try await submit(request, scopes: ["ops%3Awrite"]).status == 400)
    #expect(try await submit(request, answer: "perhaps").status == 400)
    rig.cloud.suspend(account: "ada")
    #expect(try await submit(request).status == 403)
    rig.cloud.suspend(account: "ada", false)
    #expect(try await submit(request).status == 303)
  }

  @Test(
    "a form of another site is not taken, however it is sent",
    arguments: [
      ["origin": "https://evil.example"], ["origin": "null"], ["origin": "http://localhost:2502"],
      ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
    ] as [HTTPHeaders])
  func elsewhere(_ headers: HTTPHeaders) async throws {
    let request = try await ask()
    #expect(try await submit(request, headers: headers).status == 403)
    #expect(try await post("/auth/signin/begin", [:], headers: headers).status == 403)
    let own: HTTPHeaders = ["origin": "http://localhost:2501", "sec-fetch-site": "same-origin"]
    #expect(try await submit(request, headers: own).status == 303)
  }

  @Test("a name is not enough where the browser came by a name that is not this machine's")
  func rebinding() async throws {
    let request = try await ask()
    for host in ["evil.example:2501", "localhost.evil.example", "192.168.1.2:2501"] {
      let page = try await browse(.get, "/consent?request=\(request)", host: host)
      #expect(!page.text.contains("Without a passkey"))
      #expect(page.headers["content-security-policy"]?.contains("form-action 'none'") == true)
      #expect(try await submit(request, host: host).status == 403)
    }
    #expect(try await submit(request, host: "127.0.0.1:2501").status == 303)
  }

  @Test("a cluster of attested hardware takes a passkey and nothing else")
  func hardware() async throws {
    let rig = try Rig(tdx: TestPKI())
    rig.cloud.setRedirectUris(["notes://consent"], of: "com.calimero.chat")
    _ = try await rig.signUp("ada", with: key)
    let request = try await ask(rig)
    let page = try await browse(.get, "/consent?request=\(request)", at: rig)
    #expect(page.status == 200)
    #expect(!page.text.contains("Without a passkey"))
    #expect(try await submit(request, at: rig).status == 403)
  }

  // MARK: With a passkey

  @Test("with a passkey the page signs in, is asked to confirm the very request, and gets where to go")
  func passkey() async throws {
    let request = try await ask()
    let begun = try await post("/auth/signin/begin", ["name": "ada"])
    #expect(begun.status == 200)
    key.counter += 1
    let session = try await post("/auth/signin/finish", try key.assertion(for: begun.json))
    let token = try #require(session.json["accessToken"]?.stringValue)
    let path = "/consent/requests/\(request)/approve"
    let first = try await post(path, ["scopes": ["apps:read"]], token: token)
    #expect(first.status == 412)
    let question = try #require(first.json["error"]?["details"])
    key.counter += 1
    let credential = try #require(try key.assertion(for: question)["credential"])
    let confirm =
      "v1.\(question["confirmId"]?.stringValue ?? "").\(Base64URL.encode(Array(credential.text.utf8)))"
    // Confirmed was another body.
    #expect(try await post(path, ["scopes": ["apps:call"]], token: token, confirm: confirm).status == 403)
    let yes = try await post(path, ["scopes": ["apps:read"]], token: token, confirm: confirm)
    #expect(yes.status == 200, "\(yes.text)")
    #expect(yes.json["redirectUrl"]?.stringValue?.hasPrefix("notes://consent?code=") == true)
    #expect(try await post("/auth/signout", token: token).status == 204)
    let other = try await ask()
    #expect(try await post("/consent/requests/\(other)/deny", token: token).status == 401)
    #expect(rig.cloud.violations.isEmpty)
  }

  @Test("nothing but what the page needs is served in the clear")
  func narrow() async throws {
    for path in ["/orgs", "/consent/token", "/consent/requests", "/auth/signup/begin", "/auth/refresh", "/x"]
    {
      #expect(try await post(path, [:]).status == 403, "\(path)")
    }
    #expect(try await browse(.get, "/consent/api/orgs").status == 403)
    #expect(try await browse(.post, "/consent/api/auth/signin/begin", "{}", type: "text/plain").status == 403)
    let unsealed = try await browse(.post, "/auth/signin/begin", "{}", type: "application/json")
    #expect(unsealed.status == 403)
    #expect(unsealed.json["error"]?["code"]?.stringValue == "sealed_required")
  }
}

extension String {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: "v", count: max(0, count - self.count))
  }
}
