import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@Suite("The login page of a fake node")
struct NodeLoginPageTests {
  private func form(_ fields: KeyValuePairs<String, String>) -> Data {
    let text = fields.map { "\($0.key)=\(Self.encode($0.value))" }.joined(separator: "&")
    return Data(text.utf8)
  }

  private static func encode(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  private static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  private func show(_ rig: NodeRig, callback: String, more: String = "") async throws -> NodeRig.Answer {
    try await rig.send(.get, "/auth/login?callback-url=\(Self.encode(callback))\(more)", as: .nobody)
  }

  private func submit(
    _ rig: NodeRig, callback: String, username: String = FakeNode.username,
    password: String = FakeNode.password, permissions: String = "admin", headers: HTTPHeaders = [:]
  ) async throws -> NodeRig.Answer {
    var headers = headers
    headers["content-type"] = headers["content-type"] ?? "application/x-www-form-urlencoded"
    let body = form([
      "callback-url": callback, "permissions": permissions, "mode": "admin", "username": username,
      "password": password,
    ])
    return try await rig.send(.post, "/auth/login", bytes: body, as: .nobody, headers: headers)
  }

  /// What stands in the fragment of the address the page leads to.
  private func fragment(_ answer: NodeRig.Answer) throws -> [String: String] {
    let location = try #require(answer.headers["location"])
    let hash = try #require(location.firstIndex(of: "#"))
    let pairs = location[location.index(after: hash)...].split(separator: "&").map {
      pair -> (String, String) in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts[1].removingPercentEncoding ?? "")
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  @Test("it says in words what is asked for, and lets a browser do nothing but send the form and go back")
  func page() async throws {
    let rig = NodeRig()
    let answer = try await show(
      rig, callback: "http://localhost:3000/back", more: "&permissions=context:execute,blob,made:up&mode=x")
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
    #expect(answer.text.contains("Read and change the data of contexts"))
    #expect(answer.text.contains("<code>made:up</code>"))
    #expect(!answer.text.contains("<script"))
    let policy = try #require(answer.headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; "))
    let style = try #require(
      answer.text.components(separatedBy: "<style>").last?.components(separatedBy: "</style>").first)
    let hash = Data(SHA256.hash(Array(style.utf8))).base64EncodedString()
    #expect(policy.contains("style-src 'sha256-\(hash)'"))
    #expect(policy.contains("form-action 'self' http://localhost:3000;"))
    #expect(policy.contains("frame-ancestors 'none'"))
    #expect(answer.headers["cache-control"] == "no-store")
  }

  @Test("without permissions it asks for those of the mode")
  func modes() async throws {
    let rig = NodeRig()
    let answer = try await show(rig, callback: "http://localhost/", more: "&mode=multi-context")
    #expect(answer.text.contains("<code>context:create</code>"))
    #expect(!answer.text.contains("<code>admin</code>"))
  }

  @Test("a login leads back with tokens that work, in the fragment, and names the node as it was reached")
  func login() async throws {
    let rig = NodeRig()
    let answer = try await submit(
      rig, callback: "http://localhost:3000/back?state=1", headers: ["host": "127.0.0.1:2528"])
    #expect(answer.status == 303)
    #expect(answer.headers["location"]?.hasPrefix("http://localhost:3000/back?state=1#access_token=") == true)
    let fields = try fragment(answer)
    #expect(fields["node_url"] == "http://127.0.0.1:2528")
    #expect(
      fields.keys.sorted() == [
        "access_token", "application_id", "context_id", "context_identity", "node_url", "refresh_token",
      ])
    let token = try #require(fields["access_token"])
    #expect(try await rig.send(.get, "/admin/keys", as: .bearer(token)).status == 200)
  }

  @Test("tokens permit what was asked for and no more")
  func narrow() async throws {
    let rig = NodeRig()
    let fields = try fragment(
      try await submit(rig, callback: "http://localhost/", permissions: "context:list,blob:list"))
    let token = try #require(fields["access_token"])
    #expect(try await rig.send(.get, "/admin-api/contexts", as: .bearer(token)).status == 200)
    #expect(try await rig.send(.get, "/admin-api/namespaces", as: .bearer(token)).status == 403)
  }

  @Test("what the user's own key lacks is not granted")
  func beyond() async throws {
    let rig = NodeRig()
    rig.node.addUser("reader", password: "reader-password", permissions: ["context:list"])
    for permissions in ["admin", "context:list,blob", "keys:list"] {
      let answer = try await submit(
        rig, callback: "http://localhost/", username: "reader", password: "reader-password",
        permissions: permissions)
      #expect(answer.status == 400)
      #expect(answer.headers["location"] == nil)
    }
  }

  @Test(
    "tokens go to this machine and to the node itself, and nowhere else",
    arguments: [
      "https://evil.example/", "//localhost/", "notes://auth", "javascript:alert(1)", "data:text/html,x",
      "http://localhost@evil.example/", "http://localhost:80@evil.example/", "http://evil.example#localhost",
      "http://localhost#x", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
      "http://evil.example\\@localhost/", "http://local host/", "http://localhost/\u{e9}", "http:localhost",
      "http://", "", "http://localhost%2eevil.example/", "http://0x7f000001.evil/", "HTTP://EVIL.EXAMPLE/",
    ])
  func hostile(_ callback: String) async throws {
    let rig = NodeRig()
    for answer in [try await show(rig, callback: callback), try await submit(rig, callback: callback)] {
      #expect(answer.status == 400)
      #expect(answer.headers["location"] == nil)
      #expect(!answer.text.contains("<form"))
      #expect(answer.headers["content-security-policy"]?.contains("form-action 'none'") == true)
    }
    #expect(rig.node.tokenCalls == 0)
  }

  @Test(
    "this machine and the node's own origin are fine",
    arguments: [
      "http://localhost:3000/cb", "https://127.0.0.1/", "http://[::1]:8080/", "http://app.localhost/",
      "https://node.example/done",
    ])
  func fine(_ callback: String) async throws {
    let rig = NodeRig(url: "https://node.example")
    #expect(try await show(rig, callback: callback).status == 200)
    #expect(try await submit(rig, callback: callback).status == 303)
  }

  @Test("another destination is fine once it is allowed, an app's own scheme too")
  func allowed() async throws {
    let rig = NodeRig()
    #expect(rig.node.allowLoginCallback("notes://auth"))
    #expect(rig.node.allowLoginCallback("https://app.example"))
    #expect(rig.node.allowLoginCallback("javascript:alert(1)") == false)
    let page = try await show(rig, callback: "notes://auth")
    #expect(page.headers["content-security-policy"]?.contains("form-action 'self' notes:;") == true)
    #expect(
      try await submit(rig, callback: "notes://auth").headers["location"]?.hasPrefix("notes://auth#") == true)
    #expect(try await submit(rig, callback: "https://app.example/in").status == 303)
    #expect(try await submit(rig, callback: "https://app.example:444/in").status == 400)
    #expect(try await submit(rig, callback: "other://auth").status == 400)
  }

  @Test("whatever is sent stands in the page as text")
  func escaping() async throws {
    let rig = NodeRig()
    let attack = "\"><script>alert('1')</script>&"
    let shown = try await show(
      rig, callback: "http://localhost/",
      more: "&package-name=\(Self.encode(attack))&permissions=\(Self.encode(attack))")
    let refused = try await submit(
      rig, callback: "http://localhost/", username: attack, password: "wrong", permissions: attack)
    for answer in [shown, refused] {
      #expect(!answer.text.contains("<script"))
      #expect(answer.text.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"))
    }
    #expect(refused.status == 401)
  }

  @Test("a wrong password is said on the page, which keeps the name and not the password")
  func wrong() async throws {
    let rig = NodeRig()
    let answer = try await submit(
      rig, callback: "http://localhost/", username: "admin", password: "not this one")
    #expect(answer.status == 401)
    #expect(answer.text.contains("invalid username or password"))
    #expect(answer.text.contains(#"value="admin""#))
    #expect(!answer.text.contains("not this one"))
  }

  @Test("failures on the page and over the API are counted together")
  func throttle() async throws {
    let rig = NodeRig()
    for _ in 0..<4 {
      _ = try await submit(rig, callback: "http://localhost/", password: "wrong")
    }
    #expect(try await rig.logIn(password: "wrong").status == 401)
    let answer = try await submit(rig, callback: "http://localhost/")
    #expect(answer.status == 429)
    #expect(answer.headers["retry-after"] == "60")
    #expect(answer.text.contains("Try again in 60 seconds"))
  }

  @Test("another site's form is refused, so it cannot log anybody in")
  func otherSites() async throws {
    let rig = NodeRig()
    let callback = "http://localhost/"
    for headers: HTTPHeaders in [
      ["origin": "https://evil.example"], ["origin": "null"], ["sec-fetch-site": "cross-site"],
    ] {
      #expect(try await submit(rig, callback: callback, headers: headers).status == 403)
    }
    let own: HTTPHeaders = ["origin": "http://localhost:2528", "sec-fetch-site": "same-origin"]
    #expect(try await submit(rig, callback: callback, headers: own).status == 303)
    #expect(try await submit(rig, callback: callback, headers: ["content-type": "text/plain"]).status == 415)
  }

  @Test("on a node that nobody owns the first login makes the owner, with a password that is long enough")
  func firstLogin() async throws {
    let rig = NodeRig()
    rig.node.awaitOwner()
    #expect(
      try await show(rig, callback: "http://localhost/").text.contains("Nobody has used this node before"))
    #expect(try await rig.logIn("ada", password: "short").status == 401)
    #expect(
      try await submit(rig, callback: "http://localhost/", username: "ada", password: "long enough").status
        == 303)
    #expect(try await rig.logIn("ada", password: "long enough").status == 200)
    #expect(try await rig.logIn("eve", password: "long enough").status == 401)
    #expect(try await rig.logIn(FakeNode.username, password: FakeNode.password).status == 401)
    #expect(try await show(rig, callback: "http://localhost/").text.contains("Nobody has used") == false)
  }
}
