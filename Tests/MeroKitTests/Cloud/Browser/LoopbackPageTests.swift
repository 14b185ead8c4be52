import Foundation
import MeroCrypto
import MeroHTTP
import Testing

@testable import MeroKit

@Suite("The page that a browser comes back to")
struct LoopbackPageTests {
  private let page = LoopbackPage(path: "/5ec2e7")
  private let host = "127.0.0.1:8123"

  private func reaction(
    _ method: String, _ path: String = "/5ec2e7", host: String? = nil, origin: String? = nil,
    _ body: String = ""
  ) -> LoopbackPage.Reaction {
    var headers: HTTPHeaders = ["host": host ?? self.host]
    headers["origin"] = origin
    return page.reaction(
      to: LoopbackRequest(method: method, path: path, headers: headers, body: Array(body.utf8)))
  }

  private func status(_ reaction: LoopbackPage.Reaction) -> Int? {
    if case .response(let response) = reaction { response.status } else { nil }
  }

  @Test("its script hands query and fragment over, and nothing but its script may run")
  func served() throws {
    guard case .response(let response) = reaction("GET") else {
      Issue.record("there is no page")
      return
    }
    #expect(response.status == 200)
    #expect(response.type == "text/html")
    let start = try #require(response.text.range(of: "<script>"))
    let end = try #require(response.text.range(of: "</script>"))
    let script = String(response.text[start.upperBound..<end.lowerBound])
    #expect(script.contains("location.search + location.hash"))
    let hash = Data(SHA256.hash(Array(script.utf8))).base64EncodedString()
    #expect(response.policy.contains("default-src 'none'; script-src 'sha256-\(hash)'; connect-src 'self'"))
    #expect(response.policy.contains("frame-ancestors 'none'"))
    let sent = String(decoding: response.bytes, as: UTF8.self)
    #expect(sent.hasPrefix("HTTP/1.1 200 OK\r\n"))
    for line in [
      "cache-control: no-store", "referrer-policy: no-referrer", "x-content-type-options: nosniff",
    ] {
      #expect(sent.contains("\r\n\(line)\r\n"))
    }
    #expect(sent.contains("\r\ncontent-length: \(response.text.utf8.count)\r\n"))
    #expect(sent.hasSuffix("\r\n\r\n" + response.text))
  }

  @Test(
    "a request to a name that is not this machine's is misdirected",
    arguments: ["evil.example", "evil.example:8123", "127.0.0.1.evil.example", "", "127.0.0.1@evil.example"])
  func rebinding(_ name: String) {
    #expect(status(reaction("GET", host: name)) == 421)
    #expect(status(reaction("POST", host: name, origin: "http://\(name)", "#a")) == 421)
  }

  @Test("the answer is taken from the page itself, as it was posted")
  func answered() {
    let own = "http://\(host)"
    #expect(reaction("POST", origin: own, "#a=b&c") == .answer("#a=b&c"))
    #expect(reaction("POST", origin: own, "?code=1#") == .answer("?code=1#"))
    #expect(reaction("POST", host: "localhost:8123", origin: "http://localhost:8123", "#a") == .answer("#a"))
    #expect(reaction("DELETE", origin: own) == .shown)
  }

  @Test("another page, another path, another method and an empty answer are refused")
  func refused() {
    let own = "http://\(host)"
    for origin in [
      nil, "null", "https://evil.example", "http://localhost:8123", "https://\(host)", "\(own)/",
    ] {
      #expect(status(reaction("POST", origin: origin, "#a")) == 403)
      #expect(status(reaction("DELETE", origin: origin)) == 403)
    }
    #expect(status(reaction("GET", "/")) == 404)
    #expect(status(reaction("POST", "/5ec2e8", origin: own, "#a")) == 404)
    #expect(status(reaction("PUT", origin: own, "#a")) == 405)
    for body in ["", "#", "?", "a=b", " #a"] { #expect(status(reaction("POST", origin: own, body)) == 400) }
  }
}
