import Foundation
import LocalCluster
import MeroHTTP
import Testing

struct ListenerLimitTests {
  private let limits = HTTPListener.Limits(head: 4_096, body: 10_000)

  @Test("a head up to the limit is served, a larger one is answered 431")
  func head() async throws {
    try await withListener(limits: limits) { _ in
      text("served")
    } _: { port in
      for (padding, status) in [(3_900, 200), (4_100, 431), (30_000, 431), (200_000, 431)] {
        let client = try RawClient(port: port)
        try? await client.get("/", "X-Padding: \(String(repeating: "x", count: padding))\r\n")
        #expect(try await client.head().status == status, "\(padding) bytes of padding")
      }
    }
  }

  @Test("the standard limit of a head is 32 KiB")
  func standardHead() async throws {
    try await withListener { _ in
      text("served")
    } _: { port in
      for (padding, status) in [(32_000, 200), (32_800, 431)] {
        let client = try RawClient(port: port)
        try await client.get("/", "X-Padding: \(String(repeating: "x", count: padding))\r\n")
        #expect(try await client.head().status == status)
      }
    }
  }

  @Test("a long request line is refused too")
  func target() async throws {
    try await withListener(limits: limits) { _ in
      text("served")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/" + String(repeating: "x", count: 5_000))
      #expect(try await client.head().status == 431)
    }
  }

  @Test("a body up to the limit is served, a larger one is answered 413 before it is sent")
  func statedLength() async throws {
    try await withListener(limits: limits) {
      text("\($0.bytes.count)")
    } _: { port in
      let fitting = try RawClient(port: port)
      try await fitting.send(
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10000\r\n\r\n"
          + String(repeating: "x", count: 10_000))
      #expect(try await fitting.response().text == "10000")

      let client = try RawClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10001\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 413)
      #expect(response.text.contains("10000 bytes"))
      #expect(try await client.readToEnd().isEmpty)
    }
  }

  @Test("a chunked body that grows beyond the limit is answered 413 and never reaches the handler")
  func chunkedLength() async throws {
    try await withListener(limits: limits) { _ in
      Issue.record("the handler got a body beyond the limit")
      return text("")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n"
      try await client.send(chunk + chunk + chunk + "0\r\n\r\n")
      #expect(try await client.response().status == 413)
    }
  }

  @Test("a chunked body that never ends is cut")
  func endlessBody() async throws {
    try await withListener(limits: limits) { _ in
      text("")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = Array(("1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n").utf8)
      await #expect(throws: RawClient.Closed.self) {
        while true { try await client.send(chunk) }
      }
    }
  }

  @Test(
    "requests that break the rules are refused with the status that says how",
    arguments: [
      (
        "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        400
      ),
      ("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
      ("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
      ("GET / HTTP/2.0\r\nHost: t\r\n\r\n", 505),
      ("GET nowhere HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET http://elsewhere/ HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET /\u{e4} HTTP/1.1\r\nHost: t\r\n\r\n", 400),
    ])
  func refusals(request: String, status: Int) async throws {
    try await withListener { _ in
      Issue.record("the handler got a request that breaks the rules")
      return text("")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send(request)
      #expect(try await client.head().status == status)
    }
  }

  @Test(
    "what is not HTTP is refused or cut, never handled, and the listener goes on",
    arguments: [
      "hello\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1e3\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
      "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc\r\n",
    ])
  func garbage(request: String) async throws {
    let isProbe = Locked(false)
    try await withListener { _ in
      if !isProbe.withLock({ $0 }) { Issue.record("the handler got what is not HTTP") }
      return text("alive")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send(request)
      let answer = String(decoding: try await client.readToEnd(), as: UTF8.self)
      #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")

      isProbe.withLock { $0 = true }
      let probe = try RawClient(port: port)
      try await probe.get("/")
      #expect(try await probe.response().text == "alive")
    }
  }
}
