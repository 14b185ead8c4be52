import Foundation
import LocalCluster
import MeroHTTP
import Testing

/// Starts a listener for the time of `body`.
func withListener(
  limits: HTTPListener.Limits = HTTPListener.Limits(),
  handler: @escaping HTTPListener.Handler,
  _ body: (UInt16) async throws -> Void
) async throws {
  let listener = HTTPListener(port: 0, limits: limits, handler: handler)
  let port = try listener.start()
  do {
    try await body(port)
  } catch {
    await listener.stop()
    throw error
  }
  await listener.stop()
}

func text(_ text: String, status: Int = 200) -> HTTPResponse {
  HTTPResponse(status: status, headers: ["content-type": "text/plain"], body: HTTPBody(Data(text.utf8)))
}

extension HTTPRequest {
  var bytes: Data {
    guard case .data(let data)? = body else { return Data() }
    return data
  }
}

struct ListenerRequestTests {
  @Test("a request arrives as it was sent, and its answer goes back")
  func roundTrip() async throws {
    let seen = Locked<HTTPRequest?>(nil)
    try await withListener { request in
      seen.withLock { $0 = request }
      return HTTPResponse(
        status: 201, headers: ["X-Answer": "42", "set-cookie": "a", "Set-Cookie": "b"],
        body: HTTPBody(Data("made".utf8)))
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send(
        "PATCH /a%2Fb/%C3%A4?q=x%20y&z HTTP/1.1\r\nHost: test\r\nX-One: 1\r\nX-Two: a\r\nx-two: b\r\n"
          + "Content-Length: 5\r\n\r\nhello")
      let response = try await client.response()
      #expect(response.status == 201)
      #expect(response.headers["x-answer"] == "42")
      #expect(response.headers.values(of: "set-cookie") == ["a", "b"])
      #expect(response.headers["content-length"] == "4")
      #expect(response.text == "made")

      let request = try #require(seen.withLock { $0 })
      #expect(request.method == .patch)
      #expect(request.url.absoluteString == "http://127.0.0.1:\(port)/a%2Fb/%C3%A4?q=x%20y&z")
      #expect(request.headers["x-one"] == "1")
      #expect(request.headers.values(of: "X-Two") == ["a", "b"])
      #expect(request.bytes == Data("hello".utf8))
    }
  }

  @Test("a chunked body arrives in one piece")
  func chunkedBody() async throws {
    try await withListener {
      text(String(decoding: $0.bytes, as: UTF8.self))
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send(
        "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n"
      )
      #expect(try await client.response().text == "abcdefg")
    }
  }

  @Test("a body of many megabytes arrives whole and goes back whole")
  func largeBody() async throws {
    let body = Data((0..<5_000_011).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) })
    try await withListener {
      HTTPResponse(status: 200, body: HTTPBody($0.bytes))
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.count)\r\n\r\n")
      async let sent: Void = client.send(Array(body))
      let response = try await client.response()
      try await sent
      #expect(Data(response.body) == body)
    }
  }

  @Test("a client that expects 100 Continue is told to go on")
  func expectContinue() async throws {
    try await withListener {
      text(String(decoding: $0.bytes, as: UTF8.self))
    } _: { port in
      let client = try RawClient(port: port)
      try await client.send(
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
      #expect(try await client.head().status == 100)
      try await client.send("ok")
      #expect(try await client.response().text == "ok")
    }
  }

  @Test("one connection serves request after request, also when they are sent at once")
  func keepAliveAndPipelining() async throws {
    try await withListener {
      text($0.url.path)
    } _: { port in
      let client = try RawClient(port: port)
      for number in 0..<20 {
        try await client.get("/\(number)")
        #expect(try await client.response().text == "/\(number)")
      }
      let request = "HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\nx"
      try await client.send((0..<20).map { "POST /p\($0) \(request)" }.joined())
      for number in 0..<20 { #expect(try await client.response().text == "/p\(number)") }
    }
  }

  @Test("an answer to HEAD has the length and no body, stated or made")
  func head() async throws {
    let streamWasCancelled = Signal()
    try await withListener { request in
      switch request.url.path {
      case "/made": text("hello")
      case "/stated": HTTPResponse(status: 200, headers: ["content-length": "1234"])
      default:
        HTTPResponse(
          status: 200,
          body: HTTPBody(
            next: {
              Issue.record("the body of an answer to HEAD was asked for")
              return nil
            }, cancel: { streamWasCancelled.fire() }))
      }
    } _: { port in
      let client = try RawClient(port: port)
      for (path, length) in [("/made", "5"), ("/stated", "1234"), ("/stream", nil)] {
        try await client.send("HEAD \(path) HTTP/1.1\r\nHost: test\r\n\r\n")
        let response = try await client.head()
        #expect(response.status == 200)
        #expect(response.headers["content-length"] == length)
      }
      // Had a body followed one of the heads, the next answer would not have been read, and now something would come.
      await streamWasCancelled.wait()
      #expect(try await client.readToEnd().isEmpty)
    }
  }

  @Test("a handler that throws closes the connection without an answer; others go on")
  func throwingHandler() async throws {
    try await withListener { request in
      if request.url.path == "/fail" { throw TransportError(kind: .lost, text: "", mayHaveBeenSent: true) }
      return text("fine")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/fail")
      #expect(try await client.readToEnd().isEmpty)
      let other = try RawClient(port: port)
      try await other.get("/")
      #expect(try await other.response().text == "fine")
    }
  }

  @Test(
    "a response that cannot be sent as a head closes the connection instead of letting data write headers",
    arguments: [
      HTTPResponse(status: 200, headers: ["x-name": "a\r\nset-cookie: stolen"]),
      HTTPResponse(status: 200, headers: ["x name\n": "a"]),
      HTTPResponse(status: 99), HTTPResponse(status: -1), HTTPResponse(status: 1_000),
    ])
  func unsendableHead(response: HTTPResponse) async throws {
    try await withListener { _ in
      response
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      #expect(try await client.readToEnd().isEmpty)
    }
  }

  @Test("200 connections are served at the same time")
  func manyConnections() async throws {
    let count = 200
    let waiting = Locked(0)
    let allAreHere = Signal()
    try await withListener { request in
      let isLast = waiting.withLock { waiting in
        waiting += 1
        return waiting == count
      }
      if isLast { allAreHere.fire() }
      await allAreHere.wait()
      return text(request.url.path)
    } _: { port in
      let clients = try (0..<count).map { _ in try RawClient(port: port) }
      for (number, client) in clients.enumerated() { try await client.get("/\(number)") }
      for (number, client) in clients.enumerated() {
        #expect(try await client.response().text == "/\(number)")
      }
    }
  }

  @Test("a handler is cancelled when its client leaves before the answer")
  func disconnectCancelsHandler() async throws {
    let (began, cancelled) = (Signal(), Signal())
    try await withListener { _ in
      began.fire()
      await waitForCancellation()
      cancelled.fire()
      return text("nobody reads this")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      await began.wait()
      #expect(!cancelled.hasFired)
      client.close()
      await cancelled.wait()
    }
  }
}
