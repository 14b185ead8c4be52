import Foundation
import Testing

@testable import MeroHTTP

@Suite("What an error of URLSession means")
struct URLErrorTranslationTests {
  static func translate(_ code: Int, _ text: String = "", domain: String = NSURLErrorDomain) -> TransportError
  {
    TransportError(
      NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: text]), host: "h.example")
  }

  @Test(
    "codes of the system",
    arguments: [
      (-1003, TransportError.Kind.cannotConnect, false), (-1006, .cannotConnect, false),
      (-1009, .cannotConnect, false),
      (-1200, .tls, false), (-1202, .tls, false), (-1001, .timedOut, true), (-1005, .lost, true),
      (-1011, .lost, true),
      (-1, .lost, true), (-999, .lost, true), (-1002, .lost, true), (-1103, .lost, true),
      (-123_456, .lost, true),
    ])
  func codes(code: Int, kind: TransportError.Kind, mayHaveBeenSent: Bool) {
    let error = Self.translate(code)
    #expect(error.kind == kind)
    #expect(error.mayHaveBeenSent == mayHaveBeenSent)
    #expect(error.text.contains("h.example"))
  }

  @Test("an error of another domain is lost, whatever its number")
  func otherDomain() {
    #expect(Self.translate(-1003, domain: "other").mayHaveBeenSent)
  }

  #if os(Linux)
    @Test("\"cannot connect\" after another address took the request does not say that nothing was sent")
    func poisonedRefusal() {
      #expect(Self.translate(-1004, "Empty reply from server").mayHaveBeenSent)
      #expect(Self.translate(-1004, "Recv failure: Connection reset by peer").kind == .lost)
      let refused = Self.translate(
        -1004, "Failed to connect to h.example port 1 after 0 ms: Couldn't connect to server")
      #expect(refused.kind == .cannotConnect)
      #expect(!refused.mayHaveBeenSent)
    }

    @Test("an unknown error that says it never connected was not sent", arguments: [-1, -1001])
    func neverConnected(code: Int) {
      let error = Self.translate(
        code, "Failed to connect to 10.0.0.1 port 443 after 3 ms: Couldn't connect to server")
      #expect(error.kind == .cannotConnect)
      #expect(!error.mayHaveBeenSent)
    }

    @Test(
      "a failed handshake was not sent, a failure of an encrypted connection later may have been",
      arguments: [
        ("SSL certificate problem: self-signed certificate", true),
        ("SSL: no alternative certificate subject name matches target host name 'h.example'", true),
        ("OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", true),
        ("OpenSSL SSL_connect: Connection reset by peer in connection to h.example:443", true),
        ("OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0", false),
        ("SSL_write() error: error:00000000:lib(0)::reason(0)", false),
      ])
    func handshake(text: String, isTLS: Bool) {
      let error = Self.translate(-1, text)
      #expect(error.kind == (isTLS ? .tls : .lost))
      #expect(error.mayHaveBeenSent == !isTLS)
    }
  #endif
}
