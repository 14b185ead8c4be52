import Foundation
import Testing

@testable import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("An exchange over the network", .timeLimit(.minutes(5)))
struct TransportExchangeTests {
  @Test(
    "method, path, query, headers and body arrive as given", arguments: ["POST", "PUT", "PATCH", "DELETE"],
    Way.allCases)
  func arrives(method: String, way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(answering: okay)
    let request = HTTPRequest(
      HTTPMethod(rawValue: method), server.url("/a%2Fb?x=%20y&x=z"),
      headers: ["Content-Type": "application/json", "X-Calimero-API": "1"],
      body: .data(Data(#"{"a":1}"#.utf8)))
    let response = try await transport.send(request)
    #expect(response.status == 200)
    let received = try #require(server.log.requests.first)
    #expect(received.method == method)
    #expect(received.target == "/a%2Fb?x=%20y&x=z")
    #expect(received.headers["content-type"] == "application/json")
    #expect(received.headers["x-calimero-api"] == "1")
    #expect(received.body == Array(#"{"a":1}"#.utf8))
  }

  @Test("a body of eight megabytes arrives whole", arguments: Way.allCases)
  func largeBody(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(answering: okay)
    let body = Data(repeating: 0xA7, count: 8 << 20)
    _ = try await transport.send(HTTPRequest(.post, server.url(), body: .data(body)))
    #expect(server.log.requests.first.map { Data($0.body) } == body)
  }

  @Test(
    "a file's bytes are sent, and a file that cannot be read is refused before anything is sent",
    arguments: Way.allCases)
  func fileBody(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(answering: okay)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("from a file".utf8).write(to: file)
    _ = try await transport.send(HTTPRequest(.put, server.url(), body: .file(file)))
    #expect(server.log.requests.first?.body == Array("from a file".utf8))
    try FileManager.default.removeItem(at: file)
    let error = await failure { try await transport.send(HTTPRequest(.put, server.url(), body: .file(file))) }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.mayHaveBeenSent == false)
    #expect(server.log.requests.count == 1)
  }

  @Test(
    "any status is a response with its body as the server sent it",
    arguments: [200, 404, 418, 500, 502, 503], Way.allCases)
  func statuses(status: Int, way: Way) async throws {
    let transport = way.transport()
    let page = "<html><body>Bad gateway</body></html>"
    let server = try RawServer(
      answering:
        "HTTP/1.1 \(status) Whatever\r\nContent-Type: text/html\r\nX-Auth-Error: token_expired\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)"
    )
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    #expect(response.status == status)
    #expect(response.headers["content-type"] == "text/html")
    #expect(response.headers["x-auth-error"] == "token_expired")
    #expect(response.headers.allSatisfy { $0.name == $0.name.lowercased() })
    #expect(try await text(response) == page)
  }

  @Test("answers without a body end at once", arguments: ["HEAD", "GET", "DELETE"], Way.allCases)
  func noBody(method: String, way: Way) async throws {
    let transport = way.transport()
    let head =
      method == "HEAD"
      ? "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" : "HTTP/1.1 204 No Content\r\n\r\n"
    let server = try RawServer(answering: head)
    let response = try await transport.send(HTTPRequest(HTTPMethod(rawValue: method), server.url()))
    #expect(response.status == (method == "HEAD" ? 200 : 204))
    #expect(try await response.body.collect(upTo: 0) == Data())
  }

  @Test("an answer in gzip is read decoded", arguments: Way.allCases)
  func gzip(way: Way) async throws {
    let transport = way.transport()
    let packed: [UInt8] = [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0xc8, 0x04, 0x00, 0xac, 0x2a, 0x93,
      0xd8,
      0x02, 0x00, 0x00, 0x00,
    ]
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
      try connection.write(packed)
    }
    #expect(try await text(transport.send(HTTPRequest(.get, server.url()))) == "hi")
  }

  @Test(
    "what would be another request on the wire is refused before it is sent",
    arguments: [
      HTTPRequest(.get, URL(string: "http://127.0.0.1:1/")!, headers: ["a": "1\r\nb: 2"]),
      HTTPRequest(.get, URL(string: "http://127.0.0.1:1/")!, headers: ["a": "1\nb"]),
      HTTPRequest(.get, URL(string: "http://127.0.0.1:1/")!, headers: ["a\r\nb": "1"]),
      HTTPRequest(.get, URL(string: "http://127.0.0.1:1/")!, headers: ["": "1"]),
      HTTPRequest(HTTPMethod(rawValue: "GET /x HTTP/1.1\r\n"), URL(string: "http://127.0.0.1:1/")!),
      HTTPRequest(HTTPMethod(rawValue: ""), URL(string: "http://127.0.0.1:1/")!),
      HTTPRequest(.get, URL(string: "file:///etc/hostname")!),
      HTTPRequest(.get, URL(string: "relative/path")!),
      HTTPRequest(.get, URL(string: "http:///no-host")!),
    ], Way.allCases)
  func refused(request: HTTPRequest, way: Way) async throws {
    let transport = way.transport()
    let error = try #require(await failure { try await transport.send(request) })
    #expect(error.kind == .cannotConnect)
    #expect(!error.mayHaveBeenSent)
    #expect(!error.text.contains("no connection"), "refused by us, not by the network")
  }

  @Test("a session's protocol classes answer for the transport, also with more than the buffer holds")
  func protocolClasses() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [StubProtocol.self]
    let transport = URLSessionTransport(session: URLSession(configuration: configuration))
    let response = try await transport.send(
      HTTPRequest(
        .post, URL(string: "http://stub.test/\(4 * BodyBuffer.highWater)")!, body: .data(Data("q".utf8))))
    #expect(response.status == 201)
    #expect(response.headers["x-stub"] == "POST q")
    var iterator = response.body.makeAsyncIterator()
    var count = 0
    while let chunk = try await iterator.next() { count += chunk.count }
    #expect(count == 4 * BodyBuffer.highWater)
  }

  @Test("a body is read on after its transport is gone", arguments: Way.allCases)
  func outlivesTransport(way: Way) async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      gate.wait()
      try connection.write("cd")
    }
    var transport: URLSessionTransport? = way.transport()
    let response = try await transport?.send(HTTPRequest(.get, server.url()))
    transport = nil
    gate.signal()
    #expect(try await text(#require(response)) == "abcd")
  }

  @Test("a hundred exchanges at once all get their own answer", arguments: Way.allCases)
  func concurrent(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer { connection in
      while let request = try connection.readRequest() {
        let body = request.target + String(decoding: request.body, as: UTF8.self)
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for index in 0..<100 {
        group.addTask {
          let request =
            index % 2 == 0
            ? HTTPRequest(.get, server.url("/\(index)"))
            : HTTPRequest(.post, server.url("/\(index)"), body: .data(Data("+".utf8)))
          return try await text(transport.send(request)) == "/\(index)" + (index % 2 == 0 ? "" : "+")
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(Set(server.log.requests.map(\.target)).count == 100)
    #expect(server.log.requests.count == 100)
  }
}
