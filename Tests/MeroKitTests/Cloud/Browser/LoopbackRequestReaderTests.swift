import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("Reading a browser's request")
struct LoopbackRequestReaderTests {
  private static let post =
    "POST /a1b2?x=1 HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nOrigin:http://127.0.0.1:8123 \r\nContent-Length: 5\r\n\r\n#a=b&"

  private func read(
    _ text: String, _ limits: LoopbackRequestReader.Limits = .init()
  ) -> LoopbackRequestReader.Step {
    var reader = LoopbackRequestReader(limits: limits)
    reader.feed(Array(text.utf8))
    return reader.step
  }

  private func status(_ text: String, _ limits: LoopbackRequestReader.Limits = .init()) -> Int? {
    if case .refused(let status, _) = read(text, limits) { status } else { nil }
  }

  @Test("a request is its method, its path, its fields and its body, however its bytes are cut")
  func whole() {
    let request = LoopbackRequest(
      method: "POST", path: "/a1b2",
      headers: ["host": "127.0.0.1:8123", "origin": "http://127.0.0.1:8123", "content-length": "5"],
      body: Array("#a=b&".utf8))
    #expect(read(Self.post) == .request(request))
    #expect(read(Self.post + "GET / HTTP/1.1\r\n") == .request(request))
    var reader = LoopbackRequestReader()
    for byte in Self.post.utf8.dropLast() {
      reader.feed([byte])
      #expect(reader.step == .more)
    }
    reader.feed([UInt8(ascii: "&")])
    #expect(reader.step == .request(request))
  }

  @Test("a request without a length has no body")
  func bodyless() {
    guard case .request(let request) = read("GET / HTTP/1.0\r\nHost: x\r\nempty:\r\n\r\nrest") else {
      Issue.record("it was not read")
      return
    }
    #expect(request.body.isEmpty)
    #expect(request.headers["empty"]?.isEmpty == true)
  }

  @Test(
    "what two readers could read in two ways is refused",
    arguments: [
      ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
      ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3, 3\r\n\r\nabc", 400),
      ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: +3\r\n\r\nabc", 400),
      ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length:\r\n\r\nabc", 400),
      ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc", 501),
      ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: identity\r\n\r\n", 501),
      ("GET / HTTP/1.1\r\nHost: t\r\nHost: t\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost : t\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: t\r\n and more\r\n\r\n", 400),
      ("GET / HTTP/1.1\nHost: t\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: t\rX: y\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: t\0\r\n\r\n", 400), ("GET /\u{e4} HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n: t\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
      ("GET  / HTTP/1.1\r\nHost: t\r\n\r\n", 400), ("GET / a HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET http://t/ HTTP/1.1\r\nHost: t\r\n\r\n", 400), ("OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET /\r\nHost: t\r\n\r\n", 400), ("\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET / HTTP/2.0\r\nHost: t\r\n\r\n", 505), ("GET / HTTPS\r\nHost: t\r\n\r\n", 400),
      ("\u{16}\u{3}\u{1}\0\r\n\r\n", 400),
    ])
  func refused(_ text: String, _ status: Int) { #expect(self.status(text) == status) }

  @Test("a head, a body and a number of fields are taken up to their limits, and no further")
  func limits() {
    let line = "GET / HTTP/1.1\r\nHost: t\r\nX: "
    let fitting = 16 * 1024 - line.utf8.count - 4
    func head(_ count: Int) -> String { line + String(repeating: "x", count: count) + "\r\n\r\n" }
    #expect(status(head(fitting)) == nil)
    #expect(status(head(fitting + 1)) == 431)
    #expect(status(String(repeating: "x", count: 16 * 1024 - 1)) == nil)
    #expect(status(String(repeating: "x", count: 16 * 1024)) == 431)
    func body(_ length: String) -> String {
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: \(length)\r\n\r\n"
    }
    #expect(read(body("65536")) == .more)
    #expect(status(body("65537")) == 413)
    #expect(status(body("99999999999999999999999999")) == 413)
    let fields = { (count: Int) in
      "GET / HTTP/1.1\r\nHost: t\r\n" + String(repeating: "a:b\r\n", count: count - 1) + "\r\n"
    }
    #expect(status(fields(100)) == nil)
    #expect(status(fields(101)) == 431)
  }

  @Test(
    "whatever is done to a request's bytes, it is read the same in one piece and in many, and within its limits",
    arguments: 0..<8 as Range<UInt64>)
  func mutations(seed: UInt64) {
    let random = SeededRandom(seed: seed)
    func below(_ limit: Int) -> Int { Int(random.word() % UInt64(limit)) }
    let limits = LoopbackRequestReader.Limits(head: 200, body: 20, fields: 5)
    var read = 0
    for _ in 0..<2_000 {
      var bytes = Array(Self.post.utf8)
      for _ in 0..<below(4) {
        let place = below(bytes.count)
        switch below(5) {
        case 0: bytes[place] ^= 1 << UInt8(below(8))
        case 1: bytes.insert(contentsOf: random.bytes(1 + below(8)), at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
        case 3:
          bytes.insert(contentsOf: [[13, 10], [13, 10, 13, 10], [58], [32], [10]][below(5)], at: place)
        default: bytes += bytes[place...]
        }
        if bytes.isEmpty { bytes = [13] }
      }
      var whole = LoopbackRequestReader(limits: limits)
      whole.feed(bytes)
      var cut = LoopbackRequestReader(limits: limits)
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 + below(40))
        cut.feed(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(whole.step == cut.step)
      if case .request(let request) = whole.step {
        read += 1
        #expect(request.path.hasPrefix("/") && !request.path.contains("?"))
        #expect(request.body.count <= limits.body)
        #expect(request.headers.count <= limits.fields)
      }
    }
    #expect(read > 100)
  }
}
