import Foundation
import MeroKit
import MeroWire

extension NodeGroup {
  /// What a client reads of a token.
  static let tokens = NodeGroup(name: "jwt") { file, run in
    let texts = [
      "jwt-exp": SampleToken.claims(["exp": 2000]), "jwt-not-jwt": "opaque", "jwt-two-parts": "a.b",
      "jwt-nonpositive": SampleToken.claims(["iat": 0, "exp": -1]),
    ]
    await NodeCases(["2": texts.keys.sorted()]).check("jwt", in: file, &run) { name, object in
      let token = try object.text("token")
      try require("the token", token, is: texts[name] ?? "")
      if object.has("expectExpiresAtMs") {
        let fallback = object.has("fallbackMs") ? try object.number("fallbackMs") : 0
        let end = expiresAtFromJWT(token, fallback: Date(milliseconds: fallback))
        try require("the end", end, is: Date(milliseconds: try object.number("expectExpiresAtMs")))
      }
      if object.has("expectClaims") {
        let expect = try object.object("expectClaims")
        guard let claims = JWTClaims(token) else { throw Mismatch("no claims were read") }
        try require("the issue", claims.issuedAt, is: try expect.numberOrNull("iat").map(TimeInterval.init))
        try require("the end", claims.expiresAt, is: try expect.numberOrNull("exp").map(TimeInterval.init))
        try expect.finish()
      }
    }
  }

  /// What is kept of tokens, and read again.
  static let tokenStore = NodeGroup(name: "tokenStore") { file, run in
    let names = ["store-roundtrip", "store-missing-expiry", "store-missing-refresh"]
    await NodeCases(["8": names]).check("tokenStore", in: file, &run) { name, object in
      let json = try object.object("json")
      try require("the access token", try json.text("access_token"), is: "A")
      if json.has("refresh_token") {
        try require("the refresh token", try json.text("refresh_token"), is: "R")
      }
      let end = json.has("expires_at") ? try json.number("expires_at") : nil
      try json.finish()
      let now = object.has("nowMs") ? try object.number("nowMs") : 0
      let stored = try object.value("json")
      let (tokens, again) = try StoredTokens.read(stored, at: Date(milliseconds: now))
      if try object.value("expect").stringValue != nil {
        try require("what is read", tokens == nil ? "none" : "tokens", is: try object.text("expect"))
        try require(!json.has("refresh_token"), "there is a refresh token")
        return
      }
      let expect = try object.object("expect")
      let date = Date(milliseconds: try expect.number("expiresAtMs"))
      try expect.finish()
      try require(
        "the tokens", tokens, is: TokenData(accessToken: "A", refreshToken: "R", expiresAt: date))
      if end != nil { try require("what is stored again", again, is: stored) }
    }
  }
}

/// Tokens as the vectors write them.
enum SampleToken {
  /// A token that makes these claims; its signature is none.
  static func claims(_ claims: JSONValue) -> String {
    let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
    return [header.text, claims.text, "sig"].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
  }
}

extension Date {
  /// A moment in Unix milliseconds.
  init(milliseconds: Int) { self.init(timeIntervalSince1970: TimeInterval(milliseconds) / 1000) }
}

/// A store whose file a vector has written.
private enum StoredTokens {
  /// - Returns: the tokens that are read, and what is in the file when they are stored again.
  static func read(_ json: JSONValue, at now: Date) throws -> (tokens: TokenData?, again: JSONValue?) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tokens-\(UUID().uuidString)")
    let file = folder.appendingPathComponent("tokens.json")
    defer { try? FileManager.default.removeItem(at: folder) }
    // The store makes its folder, for its owner alone; then the file is replaced.
    let store = FileTokenStore(url: file, clock: .standing(at: now))
    store.setTokens(.pair("other", "other"))
    try json.data().write(to: file)
    let tokens = store.getTokens()
    guard let tokens else { return (nil, nil) }
    store.setTokens(tokens)
    return (tokens, try JSONValue(parsing: try Data(contentsOf: file)))
  }
}
