import Foundation
import MeroHTTP
import MeroSealed
import Testing

@Suite("sealed exchanges")
struct ExchangeTests {
  @Test(
    "50 §8 #9: an address outside the base sends nothing",
    arguments: [
      "https://node.example/other", "https://node.example/n1", "https://node.example/n1x/jsonrpc",
      "http://node.example/n1/jsonrpc", "https://node.example:8443/n1/jsonrpc",
      "https://other.example/n1/jsonrpc",
      "https://user:secret@node.example/n1/jsonrpc", "https://node.example/n1/../admin",
      "https://node.example/n1/%2e%2E/admin", "https://node.example/n1/./x",
    ])
  func outsideBase(address: String) async throws {
    let rig = try await SealedRig()
    let url = try #require(URL(string: address))
    let error = await failure { _ = try await rig.channel.send(HTTPRequest(.get, url)) }
    guard case .outsideBase(let named) = error as? SealedError else {
      Issue.record("expected outsideBase, got \(String(describing: error))")
      return
    }
    #expect(!named.contains("secret"))
    #expect(rig.wire.requests.isEmpty)
  }

  @Test(
    "50 §8 #9: a base with a path posts under it, with the inner path cut and its encoding and query kept")
  func basePath() async throws {
    let seen = Locked<[String]>([])
    let rig = try await SealedRig { inner in
      seen.withLock { $0.append("\(inner.method) \(inner.path)") }
      return HTTPResponse(status: 200)
    }
    for address in ["HTTPS://Node.Example:443/n1/sse?x=y%20z&q=%2Fa", "https://node.example/n1/a%2Fb/"] {
      let url = try #require(URL(string: address))
      _ = try await rig.channel.send(HTTPRequest(.get, url))
    }
    #expect(seen.withLock { $0 } == ["GET /sse?x=y%20z&q=%2Fa", "GET /a%2Fb/"])
    #expect(rig.wire.paths == ["/n1/sealed/v2/handshake", "/n1/sealed/v2", "/n1/sealed/v2"])
    #expect(rig.wire.requests.allSatisfy { $0.method == .post })
  }

  @Test("50 §8 #10: nothing of token, path, method or body appears in what is sent, and no header of ours")
  func nothingInTheClear() async throws {
    let rig = try await SealedRig()
    _ = try await rig.channel.send(
      method: "DELETE", innerPath: "/secret-path", headers: [("authorization", "Bearer secret-token")],
      body: Data("secret-body".utf8))
    let sent = rig.wire.requests
    #expect(sent.count == 2)
    for request in sent {
      guard case .data(let body) = request.body else {
        Issue.record("a sealed request has a body")
        continue
      }
      for secret in ["secret", "DELETE", "Bearer", "authorization", "path"] {
        #expect(body.range(of: Data(secret.utf8)) == nil)
        #expect(!request.url.absoluteString.contains(secret))
      }
      #expect(request.headers.map(\.name) == ["content-type"])
      #expect(request.headers["content-type"] == SealedProtocol.contentType)
    }
  }

  @Test("50 §8 #12: a 204 gives an empty body")
  func noBody() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(status: 204, body: HTTPBody(next: { Data("never sent".utf8) }))
    }
    let response = try await rig.get()
    #expect(response.status == 204)
    #expect(try await response.body.collect(upTo: 10).isEmpty)
  }

  @Test("50 §8 #12: an inner 401 is an ordinary 401")
  func innerError() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(
        status: 401, headers: ["content-type": "application/json", "www-authenticate": "Bearer"],
        body: HTTPBody(Data("{}".utf8)))
    }
    let response = try await rig.get()
    #expect(response.status == 401)
    #expect(response.headers["www-authenticate"] == "Bearer")
    #expect(try await response.body.collect(upTo: 10) == Data("{}".utf8))
  }

  @Test("50 §8 #12: a proxy's page is an error without a code, and at most 64 KiB of it are read")
  func proxyPage() async throws {
    let rig = try await SealedRig()
    await rig.responder.inject { $0.proxyTimes = 1 }
    #expect(isRefusal(await failure { _ = try await rig.get() }, nil, status: 502))
    let read = Locked(0)
    rig.wire.change {
      $0.afterExchange = { _ in
        HTTPResponse(
          status: 200, headers: ["content-type": "text/html"],
          body: HTTPBody(next: {
            read.withLock { $0 += 1024 }
            return Data(repeating: 0x3C, count: 1024)
          }))
      }
    }
    #expect(isRefusal(await failure { _ = try await rig.get() }, nil, status: 200))
    #expect(read.withLock { $0 } <= 64 << 10)
  }

  @Test("an answer is sealed only if its content type is exactly the sealed one")
  func contentTypeIsExact() async throws {
    let rig = try await SealedRig()
    rig.wire.change {
      $0.afterExchange = { response in
        var response = response
        response.headers["content-type"] = "application/vnd.calimero.sealed; charset=utf-8"
        return response
      }
    }
    #expect(isRefusal(await failure { _ = try await rig.get() }, nil))
  }

  @Test("50 §8 #11: an event arrives before the next frame is made, and cancelling closes the connection")
  func eventStream() async throws {
    let (events, producer) = AsyncStream.makeStream(of: Data.self)
    let closed = AsyncStream.makeStream(of: Void.self)
    let rig = try await SealedRig { _ in
      HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"],
        body: HTTPBody(next: { await events.first { _ in true } }, cancel: { closed.continuation.finish() }))
    }
    producer.yield(Data("data: 1\n\n".utf8))
    let reading = Task {
      var received: [String] = []
      for try await piece in try await rig.get("/events").body {
        received.append(String(decoding: piece, as: UTF8.self))
        if received.count == 1 { producer.yield(Data("data: 2\n\n".utf8)) }
        if received.count == 2 { break }
      }
      return received
    }
    #expect(try await reading.value == ["data: 1\n\n", "data: 2\n\n"])
    for await _ in closed.stream {}
  }

  @Test("an event stream ends without an end frame when its session's life ends, even while it is silent")
  func streamOutlivesSession() async throws {
    let (events, producer) = AsyncStream.makeStream(of: Data.self)
    let rig = try await SealedRig { _ in
      HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(events))
    }
    producer.yield(Data("data: 1\n\n".utf8))
    let body = try await rig.get("/events").body
    var pieces = body.makeAsyncIterator()
    // Before that the wait for the first one could be the one that is seen.
    #expect(try await pieces.next() != nil)
    let time = Task {
      await rig.clock.waitForSleepers(1)
      await rig.clock.advance(by: 3600)
    }
    let error = await failure { while try await pieces.next() != nil { Issue.record("a second piece") } }
    #expect(error as? SealedError == .cutShort)
    await time.value
  }

  @Test("a response cut before its end frame delivers what opened, then says that it was cut short")
  func cutShort() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(status: 200, body: HTTPBody(Data(repeating: 7, count: 100_000)))
    }
    await rig.responder.inject { $0.cutAfterFrames = 2 }
    var received = 0
    let error = await failure {
      for try await piece in try await rig.get().body { received += piece.count }
    }
    #expect(received == 65_536)
    #expect(error as? SealedError == .cutShort)
  }

  @Test("a flipped bit in a frame is never surfaced, and the session is dropped with it")
  func tamperedFrame() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(status: 200, body: HTTPBody(Data(repeating: 7, count: 200_000)))
    }
    await rig.responder.inject {
      $0.tamperFrame = 2
      $0.tamperTimes = 1
    }
    var received = 0
    let error = await failure {
      for try await piece in try await rig.get().body { received += piece.count }
    }
    #expect(received == 65_536)
    #expect(error as? SealedError == .frameDidNotOpen)
    #expect(await rig.channel.hasSession() == false)
    #expect(try await rig.get().body.collect(upTo: 1 << 20).count == 200_000)
  }

  @Test("a request above 64 MiB is refused before anything is sent")
  func tooLarge() async throws {
    let rig = try await SealedRig()
    let error = await failure {
      _ = try await rig.channel.send(method: "PUT", innerPath: "/x", body: Data(count: 64 << 20))
    }
    #expect(error as? SealedError == .requestTooLarge)
    #expect("\(SealedError.requestTooLarge)".contains("64 MiB"))
    #expect(rig.wire.requests.isEmpty)
  }

  @Test("the largest request passes, and a response of 64 MiB is made only as fast as it is read")
  func largest() async throws {
    let made = Locked(0)
    let rig = try await SealedRig { inner in
      #expect(inner.body.count > 67_108_000)
      return HTTPResponse(
        status: 200,
        body: HTTPBody(next: {
          made.withLock { count -> Data? in
            guard count < 64 << 20 else { return nil }
            count += 65_536
            return Data(repeating: UInt8(truncatingIfNeeded: count >> 16), count: 65_536)
          }
        }))
    }
    let overhead = Envelope.size(head: #"{"method":"PUT","path":"/x","headers":[]}"#.utf8.count, body: 0)
    let response = try await rig.channel.send(
      method: "PUT", innerPath: "/x", body: Data(count: SealedProtocol.envelopeLimit - overhead))
    var read = 0
    for try await piece in response.body {
      read += piece.count
      #expect(made.withLock { $0 } - read <= 3 * 65_536)
    }
    #expect(read == 64 << 20)
  }

  @Test("a body from a file is sealed like one from memory")
  func fileBody() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("sealed-\(UUID().uuidString)")
    try Data("from a file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let rig = try await SealedRig { inner in HTTPResponse(status: 200, body: HTTPBody(inner.body)) }
    let url = SealedRig.base.appendingPathComponent("x")
    let response = try await rig.channel.send(HTTPRequest(.put, url, body: .file(file)))
    #expect(try await response.body.collect(upTo: 100) == Data("from a file".utf8))
    let missing = HTTPRequest(.put, url, body: .file(file.appendingPathExtension("gone")))
    let error = await failure { _ = try await rig.channel.send(missing) } as? TransportError
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test(
    "what a node could not read is refused before anything is sent",
    arguments: [
      ("GET", "/x", "x-name", "caf\u{e9}"), ("GET", "/x", "x-name", "a\nb"), ("GET", "/x", "bad name", "a"),
      ("G ET", "/x", "x", "a"), ("", "/x", "x", "a"), ("GET", "x", "x", "a"), ("GET", "/x#y", "x", "a"),
      ("GET", "/x y", "x", "a"), ("GET", "/\u{e9}", "x", "a"),
    ])
  func unsealable(method: String, path: String, name: String, value: String) async throws {
    let rig = try await SealedRig()
    let error = await failure {
      _ = try await rig.channel.send(method: method, innerPath: path, headers: [(name, value)])
    }
    switch error as? SealedError {
    case .invalidHeader, .outsideBase: break
    default: Issue.record("expected a refusal to seal, got \(String(describing: error))")
    }
    #expect(rig.wire.requests.isEmpty)
  }

  @Test("header fields keep order and repetition, and those about a connection do not cross")
  func headerFields() async throws {
    let seen = Locked<[String]>([])
    let rig = try await SealedRig { inner in
      seen.withLock { $0 = inner.headers.map { "\($0.name): \($0.value)" } }
      var headers = HTTPHeaders([("x-a", "1"), ("x-b", "2"), ("x-a", "3"), ("connection", "close")])
      headers.add("content-length", "99")
      return HTTPResponse(status: 200, headers: headers)
    }
    let response = try await rig.get(
      headers: [
        ("X-A", "1 \"q\" \\ \t"), ("x-b", "2"), ("x-a", "3"), ("Host", "evil"), ("connection", "close"),
        ("content-length", "5"), ("transfer-encoding", "chunked"), ("origin", "https://evil.example"),
        ("x-forwarded-host", "evil"), ("x-auth-user", "root"), ("x-auth-permissions", "admin"),
      ])
    #expect(
      seen.withLock { $0 } == [
        "x-a: 1 \"q\" \\ \t", "x-b: 2", "x-a: 3", "host: node.example", "content-length: 0",
      ])
    #expect(response.headers.map { "\($0.name): \($0.value)" } == ["x-a: 1", "x-b: 2", "x-a: 3"])
  }

  @Test("the request's time-out covers everything until the inner head has opened")
  func headTimeout() async throws {
    let rig = try await SealedRig { _ in HTTPResponse(status: 200) }
    _ = try await rig.text()
    await rig.responder.inject { $0.frameDelay = 60 }
    async let error = failure {
      _ = try await rig.channel.send(method: "GET", innerPath: "/x", timeout: 30)
    }
    await rig.clock.waitForSleepers(2)
    await rig.clock.advance(by: 30)
    let timedOut = await error as? TransportError
    #expect(timedOut?.kind == .timedOut)
    #expect(timedOut?.mayHaveBeenSent == true)
  }

  @Test("a node that dies over a request ends the connection without a frame")
  func routeThrows() async throws {
    let rig = try await SealedRig { _ in
      throw TransportError(kind: .lost, text: "died", mayHaveBeenSent: true)
    }
    let error = await failure { _ = try await rig.get() } as? TransportError
    #expect(error?.kind == .lost)
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test("a response that begins to stream is cut when the node restarts under it")
  func restartCutsStreams() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(status: 200, body: HTTPBody(Data(repeating: 1, count: 1 << 20)))
    }
    var pieces = 0
    let error = await failure {
      for try await _ in try await rig.get().body {
        pieces += 1
        if pieces == 3 { await rig.responder.restart() }
      }
    }
    #expect(pieces == 3)
    #expect(error as? SealedError == .cutShort)
  }
}
