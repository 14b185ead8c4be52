import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("A session that is answered without a network", .timeLimit(.minutes(2)))
struct MockURLProtocolTests {
  private let url = URL(string: "http://localhost:2528/x")!  // a constant that parses

  private func json(_ value: JSONValue, status: Int = 200) -> MockURLProtocol.Stub {
    .init(status: status, headers: ["Content-Type": "application/json"], body: value.data())
  }

  @Test("an app's test logs in and calls a method through a session of its own")
  func app() async throws {
    let seen = Locked<[URLRequest]>([])
    let session = MockURLProtocol.makeSession { [json] request in
      seen.withLock { $0.append(request) }
      switch request.url?.path {
      case "/auth/token":
        return json(["data": ["access_token": "A", "refresh_token": "R"], "error": nil], 200)
      case "/jsonrpc": return json(["jsonrpc": "2.0", "id": 1, "result": ["output": "hello"]], 200)
      default: return .init(status: 404)
      }
    }
    let mero = Mero(config: MeroConfig(baseURL: URL(string: "http://localhost:2528")!), session: session)
    try await mero.authenticate(Credentials(username: "ada", password: "a password"))
    let text: String = try await mero.rpc.execute(contextId: "c", method: "greet", argsJson: ["n": 1])
    #expect(text == "hello")
    let requests = seen.withLock { $0 }
    #expect(requests.map(\.httpMethod) == ["POST", "POST"])
    let login = try JSONValue(parsing: requests[0].httpBody ?? Data())
    #expect(login["provider_data"] == ["username": "ada", "password": "a password"])
    #expect(requests[1].value(forHTTPHeaderField: "Authorization") == "Bearer A")
    let call = try JSONValue(parsing: requests[1].httpBody ?? Data())
    #expect(call["params"] == ["contextId": "c", "method": "greet", "argsJson": ["n": 1]])
    await #expect(throws: MeroError.self) { try await mero.http.head("/other") }
  }

  @Test("a plain session gets status, headers and body")
  func plain() async throws {
    let session = MockURLProtocol.makeSession { request in
      #expect(request.value(forHTTPHeaderField: "X-Asked") == "1")
      return .init(status: 207, headers: ["X-Answer": "a, b"], body: Data("one two".utf8))
    }
    var request = URLRequest(url: url)
    request.setValue("1", forHTTPHeaderField: "X-Asked")
    let (data, response) = try await session.data(for: request)
    #expect(String(decoding: data, as: UTF8.self) == "one two")
    let head = try #require(response as? HTTPURLResponse)
    #expect(head.statusCode == 207)
    #expect(head.value(forHTTPHeaderField: "x-answer") == "a, b")
  }

  @Test("a redirect and a challenge are answers like any other", arguments: [302, 307, 401, 407])
  func notFollowed(status: Int) async throws {
    let session = MockURLProtocol.makeSession { _ in
      .init(
        status: status,
        headers: ["Location": "http://elsewhere.example/", "WWW-Authenticate": #"Basic realm="x""#],
        body: Data("body".utf8))
    }
    let response = try await URLSessionTransport(session: session).send(HTTPRequest(.get, url))
    #expect(response.status == status)
    #expect(try await response.body.collect(upTo: 100) == Data("body".utf8))
  }

  // MARK: Bodies of requests

  @Test("the handler finds a request's body in place, whether it was given as bytes or as a stream")
  func bodies() async throws {
    let session = MockURLProtocol.makeSession { request in
      .init(body: Data("\(request.httpMethod ?? ""):".utf8) + (request.httpBody ?? Data("none".utf8)))
    }
    var bytes = URLRequest(url: url)
    bytes.httpMethod = "POST"
    bytes.httpBody = Data("bytes".utf8)
    #expect(String(decoding: try await session.data(for: bytes).0, as: UTF8.self) == "POST:bytes")
    let long = Data(repeating: 0x61, count: 200_000)
    var stream = URLRequest(url: url)
    stream.httpMethod = "PUT"
    stream.httpBodyStream = InputStream(data: long)
    #expect(try await session.data(for: stream).0 == Data("PUT:".utf8) + long)
    #expect(
      String(decoding: try await session.data(for: URLRequest(url: url)).0, as: UTF8.self) == "GET:none")
  }

  @Test("a client's file is there too, also a large one", arguments: [10, 3 << 20])
  func files(count: Int) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try content.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let seen = Locked<Data?>(nil)
    let session = MockURLProtocol.makeSession { [json] request in
      seen.withLock { $0 = request.httpBody }
      return json(["data": ["blob_id": .string(String(repeating: "a", count: 64)), "size": 1]], 200)
    }
    let mero = Mero(config: MeroConfig(baseURL: URL(string: "http://localhost:2528")!), session: session)
    try await mero.admin.uploadBlob(file: file)
    #expect(seen.withLock { $0 } == content)
  }

  // MARK: Streams

  @Test("an event stream arrives in pieces, each when its time has come")
  func events() async throws {
    let clock = FakeClock()
    let (subscribed, subscriptions) = AsyncStream.makeStream(of: JSONValue.self)
    let session = MockURLProtocol.makeSession(clock: clock.clock) { [json] request in
      guard request.url?.path == "/sse" else {
        subscriptions.yield((try? JSONValue(parsing: request.httpBody ?? Data())) ?? .null)
        return json(["result": ["status": "subscribed", "contexts": ["c"], "groups": []]], 200)
      }
      return .init(
        headers: ["Content-Type": "text/event-stream"],
        chunks: [
          .init("data: {\"reconnect\":false,\"session_id\":\"7\",\"type\":\"connect\"}\n\n"),
          .init("data: {\"result\":{\"contextId\":\"c\",\"type\":\"Te", after: 5),
          .init(
            "st\",\"data\":1}}\n\ndata: {\"result\":{\"contextId\":\"c\",\"type\":\"Test\",\"data\":2}}\n\n"),
          .init("data: {\"result\":{\"contextId\":\"c\",\"type\":\"Test\",\"data\":3}}\n\n", after: 60),
          .failure(.networkConnectionLost, after: 1),
        ])
    }
    let mero = Mero(
      config: MeroConfig(baseURL: URL(string: "http://localhost:2528")!, clock: FakeClock().clock),
      session: session)
    let states = await mero.sse.states
    var events = mero.events(contextIds: ["c"]).makeAsyncIterator()
    var bodies = subscribed.makeAsyncIterator()
    #expect(await bodies.next() == ["id": "7", "method": "subscribe", "params": ["contextIds": ["c"]]])
    await clock.waitForSleepers()
    #expect(clock.nextWake == 5)
    await clock.advance(by: 5)
    #expect(try await events.next()?.data == 1)
    #expect(try await events.next()?.data == 2)
    await clock.waitForSleepers()
    #expect(clock.nextWake == 60)
    await clock.advance(by: 60)
    #expect(try await events.next()?.data == 3)
    await clock.waitForSleepers()
    await clock.advance(by: 1)
    for await state in states {
      if case .offline(let error) = state {
        #expect(error == .network("localhost: the connection ended early (-1005)"))
        break
      }
    }
    await mero.close()
  }

  @Test("a test writes a body step by step, and hears when its reader leaves")
  func stream() async throws {
    let (chunks, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    let (left, leaving) = AsyncStream.makeStream(of: Void.self)
    continuation.onTermination = { _ in leaving.yield() }
    let session = MockURLProtocol.makeSession { _ in .init(stream: HTTPBody(chunks)) }
    let response = try await URLSessionTransport(session: session).send(HTTPRequest(.get, url))
    do {
      var body = response.body.makeAsyncIterator()
      continuation.yield(Data("one".utf8))
      #expect(try await body.next() == Data("one".utf8))
      continuation.yield(Data("two".utf8))
      #expect(try await body.next() == Data("two".utf8))
    }
    response.body.cancel()
    var waiting = left.makeAsyncIterator()
    await waiting.next()
  }

  // MARK: Ends

  @Test("a request that is cancelled ends at once, and so does its handler")
  func cancelled() async throws {
    let clock = FakeClock()
    let (ended, ending) = AsyncStream.makeStream(of: Bool.self)
    let session = MockURLProtocol.makeSession { _ in
      do { try await clock.sleep(3600) } catch { ending.yield(error is CancellationError) }
      return .init()
    }
    let transport = URLSessionTransport(session: session)
    let request = Task { [url] in try await transport.send(HTTPRequest(.get, url)) }
    await clock.waitForSleepers()
    request.cancel()
    await #expect(throws: CancellationError.self) { _ = try await request.value }
    var outcomes = ended.makeAsyncIterator()
    #expect(await outcomes.next() == true)
  }

  @Test("a body that is left in the middle stops, and nothing is told to a session that has stopped")
  func leftInTheMiddle() async throws {
    let session = MockURLProtocol.makeSession { _ in
      .init(chunks: (0..<200).map { _ in .init(Data(repeating: 0, count: 1 << 10)) })
    }
    let transport = URLSessionTransport(session: session)
    for _ in 0..<50 {
      let response = try await transport.send(HTTPRequest(.get, url))
      for try await _ in response.body { break }
    }
  }

  @Test(
    "a failure has the code it was given, and says what a real one would about what was sent",
    arguments: [
      (URLError.Code.cannotFindHost, TransportError.Kind.cannotConnect, false),
      (.cannotConnectToHost, .cannotConnect, false), (.notConnectedToInternet, .cannotConnect, false),
      (.secureConnectionFailed, .tls, false), (.serverCertificateUntrusted, .tls, false),
      (.timedOut, .timedOut, true), (.networkConnectionLost, .lost, true), (.badServerResponse, .lost, true),
    ])
  func failures(code: URLError.Code, kind: TransportError.Kind, mayHaveBeenSent: Bool) async throws {
    let session = MockURLProtocol.makeSession { _ in throw URLError(code) }
    let error = await #expect(throws: TransportError.self) {
      _ = try await URLSessionTransport(session: session).send(HTTPRequest(.get, url))
    }
    #expect(error?.kind == kind)
    #expect(error?.mayHaveBeenSent == mayHaveBeenSent)
    let plain = await #expect(throws: (any Error).self) { _ = try await session.data(from: url) }
    #expect((plain as? NSError)?.domain == NSURLErrorDomain)
    #expect((plain as? NSError)?.code == code.rawValue)
  }

  @Test("a body that fails half way has the pieces that came before")
  func cutShort() async throws {
    let session = MockURLProtocol.makeSession { _ in
      .init(chunks: [.init("half"), .failure(.networkConnectionLost)])
    }
    let response = try await URLSessionTransport(session: session).send(HTTPRequest(.get, url))
    var read = Data()
    let error = await #expect(throws: TransportError.self) {
      for try await chunk in response.body { read += chunk }
    }
    #expect(error?.kind == .lost)
    #expect(read == Data("half".utf8))
  }

  // MARK: Several sessions

  @Test("fifty sessions at once, with the same address, each have their own handler")
  func parallel() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        let session = MockURLProtocol.makeSession { request in
          .init(headers: ["X-Number": "\(number)"], body: request.httpBody ?? Data())
        }
        group.addTask { [url] in
          let transport = URLSessionTransport(session: session)
          for step in 0..<10 {
            let body = Data("\(number)-\(step)".utf8)
            let response = try await transport.send(HTTPRequest(.post, url, body: .data(body)))
            #expect(response.headers["x-number"] == "\(number)")
            #expect(try await response.body.collect(upTo: 100) == body)
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
