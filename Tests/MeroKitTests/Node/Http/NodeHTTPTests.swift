import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("HTTP with a node")
struct NodeHTTPTests {
  private func http(
    _ base: String = "http://localhost:2428", insecure: Bool = false, session: (any NodeSession)? = nil,
    clock: FakeClock = FakeClock(autoAdvance: 1), _ script: @escaping ScriptedNode.Script
  ) -> (NodeHTTP, ScriptedNode) {
    let node = ScriptedNode(script)
    let http = NodeHTTP(
      baseURL: URL(string: base)!, transport: node, allowInsecureHTTP: insecure, clock: clock.clock,
      random: .halfway, session: session)
    return (http, node)
  }

  @Test("an id in a path stays one segment whatever is in it")
  func segments() {
    #expect(NodePath.segment("abc-._~09") == "abc-._~09")
    #expect(NodePath.segment("a/b?c#d%e f+é") == "a%2Fb%3Fc%23d%25e%20f%2B%C3%A9")
    #expect(NodePath.segment("..") == "%2E%2E")
    #expect(NodePath.segment(".") == "%2E")
  }

  @Test("a query is encoded and added to the path's own")
  func query() async throws {
    let (http, node) = http { _ in .json(["data": 1]) }
    let _: Int = try await http.value(NodeRequest(.get, "/x?a=1", query: [("b c", "d&e"), ("f", "+")]))
    #expect(node.requests[0].url.absoluteString == "http://localhost:2428/x?a=1&b%20c=d%26e&f=%2B")
  }

  @Test(
    "cleartext to another machine is refused before anything is sent, and the text names the option",
    arguments: [
      "http://node.example", "http://10.0.0.7:2428", "http://localhost.example", "HTTP://node.example",
    ])
  func cleartext(base: String) async throws {
    let (http, node) = http(base) { _ in .json([:]) }
    await #expect {
      let _: JSONValue = try await http.get("/x")
    } throws: { error in
      if case MeroError.network(let text) = error { text.contains("allowInsecureHTTP") } else { false }
    }
    #expect(node.requests.isEmpty)
  }

  @Test("cleartext goes to this machine, and to others when it is allowed")
  func allowedCleartext() async throws {
    for base in ["http://localhost", "http://a.localhost:1", "http://127.9.9.9", "http://[::1]:2428"] {
      let (http, node) = http(base) { _ in .json([:]) }
      let _: JSONValue = try await http.get("/x")
      #expect(node.requests.count == 1)
    }
    let (http, node) = http("http://10.0.0.7:2428", insecure: true) { _ in .json([:]) }
    let _: JSONValue = try await http.get("/x")
    #expect(node.requests.count == 1)
  }

  @Test("an absolute path in cleartext is refused too")
  func absoluteCleartext() async throws {
    let (http, node) = http("https://node.example") { _ in .json([:]) }
    await #expect(throws: MeroError.self) { let _: JSONValue = try await http.get("http://node.example/x") }
    #expect(node.requests.isEmpty)
  }

  @Test(
    "the bearer goes to the base URL's origin alone",
    arguments: [
      ("https://node.example", "https://node.example/x", true),
      ("https://node.example", "https://NODE.example:443/x", true),
      ("https://node.example/prefix", "/x", true),
      ("https://node.example", "https://node.example:8443/x", false),
      ("https://node.example", "https://node.example.evil.test/x", false),
      ("https://node.example", "https://node.example@evil.test/x", false),
      ("https://node.example", "https://evil.test/node.example", false),
      ("http://localhost", "http://localhost:81/x", false),
    ])
  func bearerOrigin(base: String, path: String, isSent: Bool) async throws {
    let keeper = TokenKeeper(
      store: MemoryTokenStore(.first), lockPath: nil, clock: .system,
      refresh: { _ in .failed(.noRefreshToken, mayHaveTaken: false) })
    let (http, node) = http(base, session: keeper) { _ in .json([:]) }
    let _: JSONValue = try await http.get(path)
    #expect(node.requests[0].bearer == (isSent ? "A1" : nil))
  }

  @Test("another origin's word does not end the session, nor make it renew")
  func foreignWords() async throws {
    for answer in [(401, "token_expired"), (403, "token_revoked")] {
      let node = ScriptedNode { request in
        request.url.host == "evil.test" ? .status(answer.0, answer.1) : .json(["data": "fine"])
      }
      let mero = Mero.over(node)
      await #expect {
        let _: JSONValue = try await mero.http.get("https://evil.test/x")
      } throws: {
        ($0 as? MeroError)?.httpStatus == answer.0
      }
      #expect(node.requests.count == 1)
      #expect(await mero.isAuthenticated)
    }
  }

  @Test("a redirect is not followed")
  func redirect() async throws {
    let (http, node) = http { _ in HTTPResponse(status: 307, headers: ["location": "https://evil.test/"]) }
    await #expect { let _: JSONValue = try await http.get("/x") } throws: {
      ($0 as? MeroError)?.httpStatus == 307
    }
    #expect(node.requests.count == 1)
  }

  @Test("JSON and bytes name their types, and a request without a body names none")
  func contentTypes() async throws {
    let (http, node) = http { _ in .json([:]) }
    let _: JSONValue = try await http.post("/x", json: ["a": 18_446_744_073_709_551_615 as UInt64])
    _ = try await http.send(.put, "/x", body: Data([1, 2]))
    _ = try await http.send(.put, "/x", body: Data([1]), headers: ["Content-Type": "image/png"])
    let _: Empty = try await http.delete("/x")
    #expect(
      node.requests.map { $0.headers["content-type"] } == [
        "application/json", "application/octet-stream", "image/png", nil,
      ])
    #expect(String(decoding: node.requests[0].bytes, as: UTF8.self) == #"{"a":18446744073709551615}"#)
    #expect(node.requests[3].body == nil)
  }

  @Test("GET and HEAD are sent three times to a node that is away, with growing waits")
  func retries() async throws {
    for method in [HTTPMethod.get, .head] {
      let clock = FakeClock(autoAdvance: 1)
      let (http, node) = http(clock: clock) { _ in .status(502) }
      await #expect(throws: MeroError.self) { _ = try await http.send(NodeRequest(method, "/x")) }
      #expect(node.requests.count == 3)
      #expect(clock.sleeps.filter { $0 < 1 } == [0.25, 0.5])
    }
  }

  @Test(
    "POST, PUT, PATCH and DELETE are sent once, whatever goes wrong",
    arguments: [HTTPMethod.post, .put, .patch, .delete])
  func once(method: HTTPMethod) async throws {
    let (failing, away) = http { _ in
      throw TransportError(kind: .lost, text: "lost", mayHaveBeenSent: true)
    }
    await #expect(throws: MeroError.network("lost")) { _ = try await failing.send(NodeRequest(method, "/x")) }
    #expect(away.requests.count == 1)
    let (http, busy) = http { _ in .status(503) }
    await #expect(throws: MeroError.self) { _ = try await http.send(NodeRequest(method, "/x")) }
    #expect(busy.requests.count == 1)
  }

  @Test("a POST that is said to be idempotent is sent again")
  func idempotent() async throws {
    let answers = Locked(0)
    let (http, node) = http { _ in
      answers.withLock {
        $0 += 1; return $0
      } < 3 ? .status(429) : .json(["data": "done"])
    }
    let value: ApiResponse<String> = try await http.post("/x", json: Empty(), idempotent: true)
    #expect(value.data == "done")
    #expect(node.requests.count == 3)
  }

  @Test("a refusal is not asked for again", arguments: [400, 401, 403, 404, 409, 422])
  func refused(status: Int) async throws {
    let (http, node) = http { _ in .status(status) }
    await #expect(throws: MeroError.self) { let _: JSONValue = try await http.get("/x") }
    #expect(node.requests.count == 1)
  }

  @Test("the node's wish for a wait is kept, up to a minute")
  func retryAfter() async throws {
    for (text, seconds) in [("2", 2.0), ("86400", 60), ("Mon, 21 Sep 2026 14:13:50 GMT", 30)] {
      let clock = FakeClock()
      let (http, _) = http(clock: clock) { _ in
        HTTPResponse(status: 503, headers: ["Retry-After": text])
      }
      let request = Task { try await http.send(NodeRequest(.get, "/x", timeout: .infinity)) }
      await clock.waitForSleepers(1)
      #expect(clock.nextWake == seconds)
      request.cancel()
      await #expect(throws: CancellationError.self) { _ = try await request.value }
    }
  }

  @Test(
    "a date that is none is no wish", arguments: ["", "soon", "-1", "1.5", "Mon, 99 Foo 2026 14:13:50 GMT"])
  func brokenDates(text: String) {
    #expect(HTTPDate.span(text, now: Date()) == nil)
  }

  @Test("a request and its answer together take no longer than the limit")
  func deadline() async throws {
    let clock = FakeClock()
    let (http, _) = http(clock: clock) { _ in
      HTTPResponse(
        status: 200,
        body: HTTPBody(next: {
          try await clock.sleep(1000); return nil
        }))
    }
    let request = Task { try await http.send(NodeRequest(.post, "/x")) }
    await clock.waitForSleepers(2)
    await clock.advance(by: 10)
    await #expect { _ = try await request.value } throws: {
      if case MeroError.network = $0 { true } else { false }
    }
  }

  @Test(
    "a stream is opened once, has no limit of its own when it has an idle limit, and hands out its body unread"
  )
  func open() async throws {
    let (http, node) = http { _ in HTTPResponse(status: 200, body: HTTPBody(Data("one".utf8))) }
    let response = try await http.open(NodeRequest(.get, "/sse", idleTimeout: 60))
    #expect(try await response.body.collect(upTo: 10) == Data("one".utf8))
    #expect(node.requests[0].timeout == nil)
    #expect(node.requests[0].idleTimeout == 60)
    let (away, refusing) = self.http { _ in .status(503, body: #"{"error":"not yet"}"#) }
    await #expect { _ = try await away.open(NodeRequest(.get, "/sse")) } throws: {
      ($0 as? MeroError)?.refusal?.message == "not yet"
    }
    #expect(refusing.requests.count == 1)
  }

  @Test("no more than 65,536 characters of an error body are kept")
  func longError() async throws {
    let (http, _) = http { _ in .status(400, body: String(repeating: "x", count: 100_000)) }
    await #expect { let _: JSONValue = try await http.get("/x") } throws: {
      ($0 as? MeroError)?.http?.bodyText.count == 65_536
    }
  }

  @Test("an answer that does not fit says where, and shows nothing of itself")
  func misfit() async throws {
    struct Note: Decodable { let title: String }
    let (http, _) = http { _ in .json(["data": ["title": 12345]]) }
    await #expect { let _: Note = try await http.value(NodeRequest(.get, "/x")) } throws: {
      guard case MeroError.decoding(let text) = $0 else { return false }
      return text.contains("title") && !text.contains("12345")
    }
  }

  @Test("a text that quotes an answer shows no token of it")
  func excerpt() {
    let token = jwt(["sub": "ada", "exp": 2000])
    #expect(Excerpt.of("got \(token) here") == "got eyJ… here")
    #expect(Excerpt.of(String(repeating: "a", count: 300)).count == 200)
    #expect(Excerpt.of("eyJ is short") == "eyJ is short")
    let error = HTTPError(status: 400, bodyText: #"{"error":"bad token \#(token)"}"#)
    #expect("\(error)" == "HTTP 400 Bad Request: bad token eyJ…")
  }

  @Test("a cancelled task is not a failure, and is not tried again")
  func cancelled() async throws {
    let (http, node) = http { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      throw TransportError(kind: .lost, text: "cut", mayHaveBeenSent: true)
    }
    let request = Task { try await http.send(NodeRequest(.get, "/x")) }
    await #expect(throws: (any Error).self) { _ = try await request.value }
    #expect(node.requests.count <= 3)
  }

  @Test("where the value is in an answer")
  func envelopes() throws {
    func value<T: Decodable>(_ envelope: NodeEnvelope, _ body: String, _: T.Type = T.self) throws -> T {
      try envelope.value(T.self, in: NodeResponse(status: 200, body: Data(body.utf8)))
    }
    #expect(try value(.data, #"{"data":7}"#) == 7)
    #expect(try value(.data, #"{"data":null}"#) as Int? == nil)
    #expect(try value(.data, #"{"data":null}"#) == JSONValue.null)
    #expect(try value(.dataOptional, "null") as Int? == nil)
    #expect(try value(.dataOptional, "") as Int? == nil)
    #expect(try value(.dataOptional, #"{"data":7}"#) as Int? == 7)
    #expect(try value(.dataNull, #"{"data":{"x":1}}"#) == Empty())
    #expect(try value(.flat, "7") == 7)
    #expect(try value(.either, #"{"data":[7]}"#) == [7])
    #expect(try value(.either, "[7]") == [7])
    #expect(try value(.none, "<html>") == Empty())
    #expect(throws: MeroError.emptyResponse("a Int")) { try value(.data, #"{"other":7}"#) as Int }
    #expect(throws: MeroError.emptyResponse("a Int")) { try value(.data, "") as Int }
    #expect(throws: MeroError.self) { try value(.dataNull, "<html>") as Empty }
  }

  @Test("an error body is one only if it is an object with a member of a refusal")
  func refusals() {
    #expect(ErrorRefusal(body: "") == nil)
    #expect(ErrorRefusal(body: "[]") == nil)
    #expect(ErrorRefusal(body: #"{"message":"x"}"#) == nil)
    #expect(ErrorRefusal(body: #"{"error":"  "}"#) == ErrorRefusal())
    #expect(ErrorRefusal(body: #"{"data":1}"#) == ErrorRefusal(data: 1))
    #expect(
      ErrorRefusal(body: #"{"error":{"message":"m"},"type":"T"}"#) == ErrorRefusal(message: "m", type: "T"))
  }
}
