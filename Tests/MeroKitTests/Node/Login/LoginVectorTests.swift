import Foundation
import MeroWire
import Testing

@testable import MeroKit

@Suite("Logging in on a node's page")
struct LoginVectorTests {
  @Test("each mode asks for what the vectors say, and an unknown one for nothing")
  func permissions() throws {
    let table = try #require(NodeVectors.all["permissionsForMode"])
    for mode in ["single-context", "multi-context", "admin"] {
      let expected = table[mode]?.arrayValue?.compactMap(\.stringValue)
      #expect(SsoLogin.permissionsForMode(mode) == expected)
      #expect(AuthLoginOptions(callbackUrl: "notes://auth", mode: mode).permissions == expected)
    }
    #expect(SsoLogin.permissionsForMode("other") == [])
  }

  @Test("a login page's address is the vector's", arguments: NodeVectors.group("loginUrl"))
  func loginUrl(vector: NodeVector) throws {
    let input = try #require(vector["input"])
    let options = AuthLoginOptions(
      callbackUrl: input["callbackUrl"].text, mode: input["mode"].text,
      packageName: input["packageName"]?.stringValue,
      permissions: input["permissions"]?.arrayValue?.compactMap(\.stringValue),
      registryUrl: input["registryUrl"]?.stringValue, packageVersion: input["packageVersion"]?.stringValue)
    #expect(Mero.buildAuthLoginUrl(nodeUrl: input["nodeUrl"].text, options: options) == vector["expect"].text)
  }

  @Test("a callback's own fragment is left out, as the page adds one")
  func fragment() {
    let url = SsoLogin.buildAuthLoginUrl(
      nodeUrl: "https://n.example",
      options: AuthLoginOptions(callbackUrl: "notes://auth#x", mode: "admin", permissions: []))
    #expect(url == "https://n.example/auth/login?callback-url=notes%3A%2F%2Fauth&mode=admin")
  }

  @Test("a callback is read and trusted as its vector says", arguments: NodeVectors.group("callback"))
  func callback(vector: NodeVector) throws {
    let parsed = Mero.parseAuthCallback(vector["url"].text)
    let expected = vector.expect["parsed"]
    guard let parsed else {
      #expect(expected?.isNull == true)
      #expect(vector.expect["verdict"] == "not-a-callback")
      return
    }
    #expect(
      parsed
        == AuthCallbackResult(
          accessToken: expected?["accessToken"].text ?? "",
          refreshToken: expected?["refreshToken"].text ?? "",
          applicationId: expected?["applicationId"].text ?? "", contextId: expected?["contextId"].text ?? "",
          contextIdentity: expected?["contextIdentity"].text ?? "", nodeUrl: expected?["nodeUrl"].text ?? ""))
    let decision = NodeTrust.resolveTrustedNodeURL(
      candidate: parsed.nodeUrl, initiated: vector["initiatedNodeUrl"]?.stringValue,
      allowed: vector["allowedNodeUrls"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    switch vector.expect["verdict"].text {
    case "trusted": #expect(decision == .trusted(vector.expect["trustedNodeUrl"].text))
    case "refused": #expect(decision == .rejected)
    case "ignored": #expect(decision == .none)
    case let verdict: Issue.record("a verdict this test does not know: \(verdict)")
    }
  }

  @Test("a broken escape keeps its raw text, and no callback is too strange to read")
  func strangeCallbacks() {
    #expect(SsoLogin.parseAuthCallback("notes://auth#access_token=a%2&context_id=%zz")?.accessToken == "a%2")
    #expect(SsoLogin.parseAuthCallback("notes://auth#access_token=a&context_id=%zz")?.contextId == "%zz")
    #expect(SsoLogin.parseAuthCallback("notes://auth#access_token=a%FF")?.accessToken == "a%FF")
    #expect(SsoLogin.parseAuthCallback("notes://auth#access_token=a=b&&=&x")?.accessToken == "a=b")
    #expect(SsoLogin.parseAuthCallback("notes://auth#a#access_token=b")?.accessToken == nil)
    #expect(SsoLogin.parseAuthCallback("#") == nil)
    #expect(SsoLogin.parseAuthCallback("") == nil)
  }

  @Test(
    "addresses that readers take apart differently are of no origin",
    arguments: [
      #"https://n.example\@evil.test"#, "https://n.example\t.evil.test", "https://n.example\n",
      " https://n.example",
      "https://", "https:n.example", "//n.example", "ftp://n.example", "", "n.example",
    ])
  func oddOrigins(text: String) {
    #expect(!NodeTrust.sameOrigin(text, text))
  }

  @Test("an address with a user's name has the origin of its host")
  func userInfo() {
    #expect(!NodeTrust.sameOrigin("https://n.example@evil.test", "https://n.example"))
    #expect(NodeTrust.sameOrigin("https://ada@n.example/x?y#z", "HTTPS://N.EXAMPLE:443"))
  }

  @Test("tokens are adopted as their vector says", arguments: NodeVectors.group("adoption"))
  func adoption(vector: NodeVector) throws {
    let callback = try #require(vector["callback"])
    let now = Date(timeIntervalSince1970: (vector["nowMs"]?.double ?? 0) / 1000)
    let stored = try vector["stored"].flatMap { $0.isNull ? nil : try $0.decode(TokenData.self) }
    let decision = TokenAdoption.resolve(
      callbackAccessToken: callback["accessToken"].text, callbackRefreshToken: callback["refreshToken"].text,
      callbackNodeURL: callback["nodeUrl"].text, stored: stored,
      storedNodeURL: vector["storedNodeUrl"]?.stringValue, now: now)
    #expect(decision.adopt == vector.expect["adopt"]?.boolValue)
    #expect(decision.reason.rawValue == vector.expect["reason"]?.stringValue)
    #expect(try decision.tokens.map { try JSONValue(encoding: $0) } == vector.expect["tokens"])
  }

  @Test("a token's end is the vector's", arguments: NodeVectors.group("jwt"))
  func tokens(vector: NodeVector) {
    let token = vector["token"].text
    if let expected = vector["expectExpiresAtMs"]?.double {
      let fallback = Date(timeIntervalSince1970: (vector["fallbackMs"]?.double ?? 0) / 1000)
      let end = expiresAtFromJWT(token, fallback: fallback).timeIntervalSince1970 * 1000
      #expect(end.rounded() == expected)
    }
    if vector["expectClaims"] != nil {
      let claims = JWTClaims(token)
      #expect(claims != nil && claims?.issuedAt == nil && claims?.expiresAt == nil)
    }
  }

  @Test(
    "what is no token has no end of its own",
    arguments: ["", ".", "..", "a.b.c", "....", "a.e30.c.d", "a.\u{0}.c", "é.é.é", "a.W10.c", "a.MQ.c"])
  func noTokens(text: String) {
    let fallback = Date(timeIntervalSince1970: 7)
    #expect(expiresAtFromJWT(text, fallback: fallback) == fallback)
  }

  @Test("an end beyond all calendars is kept as it is, and stored without a crash")
  func farEnd() throws {
    let token = jwt(["exp": .number(JSONNumber("1e300")!)])
    let tokens = TokenData(accessToken: token, refreshToken: "", now: Date())
    #expect(tokens.expiresAt.timeIntervalSince1970 == 1e300)
    #expect(TokenData(record: try tokens.record(), now: Date())?.accessToken == token)
    #expect(JWTClaims(jwt(["exp": "1790003600", "iat": true]))?.expiresAt == nil)
  }
}
