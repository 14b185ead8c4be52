import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("Where a node's tokens are kept")
struct TokenStoreTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tokens-\(UInt64.random(in: .min ... .max))").path

  private func inFolder(_ body: (String) throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body("\(folder)/a/tokens.json")
  }

  private func store(_ path: String) -> FileTokenStore { FileTokenStore(url: URL(fileURLWithPath: path)) }

  @Test("a bundle is read as its vector says", arguments: NodeVectors.group("tokenStore"))
  func bundles(vector: NodeVector) throws {
    let json = try #require(vector["json"])
    let now = Date(timeIntervalSince1970: (vector["nowMs"]?.double ?? 0) / 1000)
    let tokens = TokenData(record: json.data(), now: now)
    guard vector.expect != "none" else {
      #expect(tokens == nil)
      return
    }
    #expect(tokens.map { $0.expiresAt.timeIntervalSince1970 * 1000 } == vector.expect["expiresAtMs"]?.double)
    if json["expires_at"] != nil { #expect(try tokens.map { try $0.record() } == json.data()) }
  }

  @Test("an end that is not positive, or no end at all, is an hour from now")
  func oddEnds() {
    let now = Date(timeIntervalSince1970: 1000)
    for end in ["0", "-5", "null", "1e400"] {
      let record = Data(#"{"access_token":"A","refresh_token":"","expires_at":\#(end)}"#.utf8)
      #expect(TokenData(record: record, now: now)?.expiresAt == now + 3600)
    }
  }

  @Test("a file gives back what it was given, to another store over it too, until it is cleared")
  func file() throws {
    try inFolder { path in
      #expect(store(path).getTokens() == nil)
      store(path).setTokens(.sample("A1", "R1"))
      store(path).setTokens(.sample("A2", ""))
      #expect(store(path).getTokens() == .sample("A2", ""))
      store(path).clear()
      store(path).clear()
      #expect(store(path).getTokens() == nil)
    }
  }

  @Test("only the owner can read the file and its folder")
  func modes() throws {
    try inFolder { path in
      store(path).setTokens(.first)
      for (name, mode) in [(path, 0o600), ("\(folder)/a", 0o700)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        #expect(try #require(attributes[.posixPermissions] as? NSNumber).intValue & 0o777 == mode)
      }
    }
  }

  @Test("a file that cannot be understood counts as none", arguments: ["", "{", "[]", "{}", "\u{0}"])
  func corrupt(text: String) throws {
    try inFolder { path in
      store(path).setTokens(.first)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(store(path).getTokens() == nil)
    }
  }

  @Test("a place that cannot be written to is no crash, and keeps nothing")
  func unwritable() {
    let store = store("/proc/no/such/place.json")
    store.setTokens(.first)
    #expect(store.getTokens() == nil)
    store.clear()
  }

  #if os(Linux)
    @Test("the Keychain's name means a private file, which processes can lock")
    func keychain() {
      let store = KeychainTokenStore(service: "merokit.tests")
      #expect(store.lockPath.hasSuffix("/merokit.tests/mero-tokens.json.lock"))
    }
  #endif

  @Test("printing tokens and what carries them shows no secret")
  func printing() {
    let secrets: [Any] = [
      TokenData.sample("secret-A", "secret-R"), Credentials(username: "ada", password: "secret-P"),
      TokenRequest(Credentials(username: "ada", password: "secret-P"), at: Date()),
      RefreshTokenRequest(accessToken: "secret-A", refreshToken: "secret-R"),
      LogoutRequest(refreshToken: "secret-R"),
      TokenResponse(accessToken: "secret-A", refreshToken: "secret-R"),
      AuthCallbackResult(accessToken: "secret-A", refreshToken: "secret-R", nodeUrl: "https://n.example"),
      MeroConfig(baseURL: Mero.node, credentials: Credentials(username: "ada", password: "secret-P")),
    ]
    for secret in secrets {
      var dumped = ""
      dump(secret, to: &dumped)
      for text in ["\(secret)", String(reflecting: secret), dumped] { #expect(!text.contains("secret-")) }
    }
  }
}
