import Foundation
import Testing

@testable import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Each row of the platform findings (05 §2.2) against a real socket: what `URLSession` gets wrong does not show.
@Suite("05 §2.2", .timeLimit(.minutes(5)))
struct PlatformFindingsTests {
  // MARK: Row 2, 401 with a challenge

  @Test(
    "05 §2.2 row 2: a 401 is a response whatever it asks for",
    arguments: pairs(
      ["Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"n\"", ""], ["GET", "POST"]), Way.allCases)
  func challenge(asking: (asks: String, method: String), way: Way) async throws {
    let (asks, method) = asking
    let transport = way.transport()
    let field = asks.isEmpty ? "" : "WWW-Authenticate: \(asks)\r\n"
    let server = try RawServer(answering: "HTTP/1.1 401 Unauthorized\r\n\(field)Content-Length: 2\r\n\r\nno")
    let response = try await transport.send(
      HTTPRequest(HTTPMethod(rawValue: method), server.url(), headers: ["authorization": "Bearer t"]))
    #expect(response.status == 401)
    #expect(try await text(response) == "no")
    #expect(server.log.requests.count == 1)
  }

  @Test("05 §2.2 row 2: a challenge with a chunked body still gives the whole body", arguments: Way.allCases)
  func chunkedChallenge(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(
      answering:
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n"
    )
    #expect(try await text(transport.send(HTTPRequest(.get, server.url()))) == "abcdef")
  }

  // MARK: Row 3, redirects

  @Test(
    "05 §2.2 row 3: a redirect is returned and not followed",
    arguments: pairs(
      [301, 302, 303, 307, 308],
      ["GET", "POST"]), Way.allCases)
  func redirect(answer: (status: Int, method: String), way: Way) async throws {
    let (status, method) = answer
    let transport = way.transport()
    let server = try RawServer { connection in
      while let request = try connection.readRequest() {
        try connection.write(
          request.target == "/fence"
            ? okay : "HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 4\r\n\r\ngone")
      }
    }
    let body: HTTPRequestBody? = method == "POST" ? .data(Data("secret".utf8)) : nil
    let response = try await transport.send(
      HTTPRequest(
        HTTPMethod(rawValue: method), server.url("/from"), headers: ["authorization": "Bearer t"], body: body)
    )
    #expect(response.status == status)
    #expect(response.headers["location"] == "/elsewhere")
    _ = try await response.body.collect(upTo: 4)
    _ = try await transport.send(HTTPRequest(.get, server.url("/fence")))
    #expect(server.log.requests.map(\.target) == ["/from", "/fence"])
  }

  // MARK: Row 4, deadlines

  @Test("05 §2.2 row 4: a head that trickles does not outlive the deadline", arguments: Way.allCases)
  func tricklingHead(way: Way) async throws {
    let time = ManualClock()
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\n")
      gate.wait()
      try connection.write("X-Filler: 1\r\n")
      connection.log.record(.mark("trickled"))
      connection.waitForClose()
    }
    let transport = way.transport(clock: time.clock)
    async let error = failure {
      try await transport.send(HTTPRequest(.post, server.url(), timeout: 10, idleTimeout: 100))
    }
    await time.waitForSleepers()
    time.advance(by: 9)
    gate.signal()
    await server.log.wait(for: .mark("trickled"))
    time.advance(by: 1)
    let seen = await error
    #expect(seen?.kind == .timedOut)
    #expect(seen?.mayHaveBeenSent == true)
    await server.log.wait(for: .closedByClient)
  }

  @Test(
    "05 §2.2 row 4: a server that never answers is given up at the deadline, and its socket closed",
    arguments: Way.allCases)
  func silence(way: Way) async throws {
    let time = ManualClock()
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      connection.waitForClose()
    }
    let transport = way.transport(clock: time.clock)
    async let error = failure { try await transport.send(HTTPRequest(.get, server.url(), timeout: 10)) }
    await server.log.wait { !$0.isEmpty }
    await time.waitForSleepers()
    time.advance(by: 10)
    #expect(await error?.kind == .timedOut)
    await server.log.wait(for: .closedByClient)
  }

  @Test("the deadline ends with the head: a body may take longer", arguments: Way.allCases)
  func deadlineEndsWithHead(way: Way) async throws {
    let time = ManualClock()
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      gate.wait()
      try connection.write("cd")
    }
    let transport = way.transport(clock: time.clock)
    let response = try await transport.send(HTTPRequest(.get, server.url(), timeout: 10))
    time.advance(by: 1_000)
    gate.signal()
    #expect(try await text(response) == "abcd")
  }

  @Test("a silent body is given up after the idle limit, which every byte restarts", arguments: Way.allCases)
  func idle(way: Way) async throws {
    let time = ManualClock()
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na")
      for piece in ["b", "c"] {
        gate.wait()
        try connection.write(piece)
      }
      connection.waitForClose()
    }
    let transport = way.transport(clock: time.clock)
    let response = try await transport.send(HTTPRequest(.get, server.url(), timeout: 60, idleTimeout: 5))
    var body = response.body.makeAsyncIterator()
    #expect(try await body.next() == Data("a".utf8))
    for piece in ["b", "c"] {
      time.advance(by: 4)
      gate.signal()
      #expect(try await body.next() == Data(piece.utf8))
    }
    await time.waitForSleepers()
    time.advance(by: 5)
    let error = await failure { try await body.next() }
    #expect(error?.kind == .timedOut)
    #expect(error?.mayHaveBeenSent == true)
    await server.log.wait(for: .closedByClient)
  }

  @Test("silence before the head counts against the idle limit", arguments: Way.allCases)
  func idleBeforeHead(way: Way) async throws {
    let time = ManualClock()
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      connection.waitForClose()
    }
    let transport = way.transport(clock: time.clock)
    async let error = failure {
      try await transport.send(HTTPRequest(.get, server.url(), timeout: 60, idleTimeout: 5))
    }
    await time.waitForSleepers()
    time.advance(by: 5)
    #expect(await error?.kind == .timedOut)
  }

  @Test("an exchange that has ended leaves no timer behind", arguments: Way.allCases)
  func noTimerLeft(way: Way) async throws {
    let time = ManualClock()
    let server = try RawServer(answering: okay)
    let transport = way.transport(clock: time.clock)
    let response = try await transport.send(HTTPRequest(.get, server.url(), timeout: 10, idleTimeout: 10))
    _ = try await response.body.collect(upTo: 2)
    await time.waitForNoSleepers()
  }

  @Test("an exchange whose body was given up leaves no timer behind", arguments: Way.allCases)
  func noTimerLeftOfCancelled(way: Way) async throws {
    let time = ManualClock()
    let server = try RawServer(streaming: "x")
    let transport = way.transport(clock: time.clock)
    let response = try await transport.send(HTTPRequest(.get, server.url(), timeout: 10, idleTimeout: 10))
    response.body.cancel()
    await time.waitForNoSleepers()
    await server.log.wait(for: .closedByClient)
  }

  @Test("a limit of nothing sends nothing", arguments: [0, -1, Double.nan], Way.allCases)
  func noTime(limit: TimeInterval, way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(answering: okay)
    for request in [
      HTTPRequest(.get, server.url(), timeout: limit), HTTPRequest(.get, server.url(), idleTimeout: limit),
    ] {
      let error = await failure { try await transport.send(request) }
      #expect(error?.kind == .timedOut)
      #expect(error?.mayHaveBeenSent == false)
    }
    _ = try await transport.send(HTTPRequest(.get, server.url("/fence")))
    #expect(server.log.requests.map(\.target) == ["/fence"])
  }

  // MARK: Row 5, cut answers

  @Test(
    "05 §2.2 row 5: a body cut short gives its bytes and then says that it was lost",
    arguments: pairs(
      [
        "Content-Length: 100\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n64\r\n",
      ], [false, true]), Way.allCases)
  func cut(kind: (answer: String, byReset: Bool), way: Way) async throws {
    let (answer, byReset) = kind
    let transport = way.transport()
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\n" + answer)
      gate.wait()
      if byReset { connection.closeWithReset() }
    }
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    var body = response.body.makeAsyncIterator()
    #expect(try await body.next() == Data("abc".utf8))
    gate.signal()
    let error = await failure { try await body.next() }
    #expect(error?.kind == .lost)
    #expect(error?.mayHaveBeenSent == true)
    #expect(try await body.next() == nil)
  }

  @Test(
    "05 §2.2 row 5: a connection that ends before the answer is lost, and the request may have been sent",
    arguments: pairs(["", "HTTP/1.1 200 O", "SSH-2.0-OpenSSH_9.6\r\n"], [false, true]), Way.allCases)
  func noAnswer(kind: (answer: String, byReset: Bool), way: Way) async throws {
    let (answer, byReset) = kind
    let transport = way.transport()
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write(answer)
      if byReset { connection.closeWithReset() }
    }
    let error = await failure {
      try await transport.send(HTTPRequest(.post, server.url(), body: .data(Data("once".utf8))))
    }
    #expect(error?.kind == .lost)
    #expect(error?.mayHaveBeenSent == true)
  }

  @Test(
    "05 §2.2 row 5: a request that may change something is never sent a second time by the system",
    arguments: pairs([HTTPMethod.post, .put, .patch, .delete], [0, 10, 100_000]), Way.allCases)
  func neverTwice(kind: (method: HTTPMethod, size: Int), way: Way) async throws {
    let (method, size) = kind
    let transport = way.transport()
    // Read and then dropped: on a connection that was used before libcurl would answer that by sending it once more.
    let server = try RawServer { connection in
      while let request = try connection.readRequest(), request.target != "/second" {
        try connection.write(okay)
      }
    }
    let body: HTTPRequestBody? = size == 0 ? nil : .data(Data(count: size))
    _ = try await text(transport.send(HTTPRequest(method, server.url("/first"), body: body)))
    let error = await failure {
      try await transport.send(HTTPRequest(method, server.url("/second"), body: body))
    }
    #expect(error?.kind == .lost)
    #expect(error?.mayHaveBeenSent == true)
    _ = try await transport.send(HTTPRequest(method, server.url("/first"), body: body))
    #expect(server.log.requests.map(\.target) == ["/first", "/second", "/first"])
  }

  @Test(
    "05 §2.2 row 5: a server that closes after each reply without saying so fails no POST",
    arguments: Way.cautious)
  func closeAfterReply(way: Way) async throws {
    // Longer than a busy machine keeps the server from closing.
    let transport = way.transport(proof: 10)
    let server = try RawServer { connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write(okay)
    }
    for _ in 0..<100 {
      let response = try await transport.send(HTTPRequest(.post, server.url(), body: .data(Data("x".utf8))))
      #expect(try await text(response) == "ok")
    }
    #expect(server.log.requests.count == 100)
  }

  // MARK: Row 6, cancellation

  @Test(
    "05 §2.2 row 6: cancelling the task before the head throws CancellationError and closes the socket",
    arguments: Way.allCases)
  func cancelBeforeHead(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      connection.waitForClose()
    }
    let task = Task { try await transport.send(HTTPRequest(.post, server.url())) }
    await server.log.wait { events in events.contains { if case .request = $0 { true } else { false } } }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    await server.log.wait(for: .closedByClient)
  }

  @Test("05 §2.2 row 6: a task that is cancelled already sends nothing", arguments: Way.allCases)
  func cancelledBefore(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(answering: okay)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await transport.send(HTTPRequest(.post, server.url("/never")))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    _ = try await transport.send(HTTPRequest(.get, server.url("/fence")))
    #expect(server.log.requests.map(\.target) == ["/fence"])
  }

  // MARK: Row 7, cookies and cache

  @Test("05 §2.2 row 7: no cookie is kept or sent, whatever the given session would do")
  func cookies() async throws {
    let server = try RawServer(
      answering:
        "HTTP/1.1 200 OK\r\nSet-Cookie: s=1; Path=/\r\nCache-Control: max-age=600\r\nContent-Length: 2\r\n\r\nok"
    )
    let transports = [
      URLSessionTransport(), URLSessionTransport(session: URLSession(configuration: .default)),
      URLSessionTransport(session: .shared),
    ]
    for transport in transports {
      for _ in 0..<2 { _ = try await text(transport.send(HTTPRequest(.get, server.url()))) }
    }
    #expect(server.log.requests.count == 6, "none was answered from a cache")
    #expect(server.log.requests.allSatisfy { $0.headers["cookie"] == nil })
    #expect(HTTPCookieStorage.shared.cookies(for: server.url())?.isEmpty != false)
  }

  // MARK: Row 8, many streams

  @Test(
    "05 §2.2 row 8: thirty open streams to one host do not keep the next request waiting",
    arguments: Way.allCases)
  func manyStreams(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer { connection in
      guard let request = try connection.readRequest() else { return }
      guard request.target == "/stream" else { return try connection.write(okay) }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hello\n\n")
      connection.waitForClose()
    }
    var streams: [HTTPResponse] = []
    for _ in 0..<30 { streams.append(try await transport.send(HTTPRequest(.get, server.url("/stream")))) }
    #expect(try await text(transport.send(HTTPRequest(.get, server.url("/quick")))) == "ok")
    streams = []
    await server.log.wait(for: .closedByClient, count: 30)
  }

  // MARK: Also

  @Test("05 §2.2 also: a GET with a body is refused before it is sent", arguments: Way.allCases)
  func getWithBody(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(answering: okay)
    let error = await failure {
      try await transport.send(HTTPRequest(.get, server.url(), body: .data(Data("x".utf8))))
    }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.mayHaveBeenSent == false)
  }

  @Test("nothing was sent when the host is unknown, the port refuses, or TLS fails", arguments: Way.allCases)
  func notSent(way: Way) async throws {
    let transport = way.transport()
    let closed = try RefusingPort()
    let plain = try RawServer { connection in try connection.write("HTTP/1.1 400 Bad Request\r\n\r\n") }
    let cases: [(URL, TransportError.Kind)] = [
      (URL(string: "http://no-such-host.invalid/secret-path")!, .cannotConnect),
      (URL(string: "http://127.0.0.1:\(closed.port)/secret-path")!, .cannotConnect),
      (plain.url("/secret-path", scheme: "https"), .tls),
    ]
    for (url, kind) in cases {
      for method in [HTTPMethod.get, .post] {
        let error = try #require(await failure { try await transport.send(HTTPRequest(method, url)) })
        #expect(error.kind == kind)
        #expect(!error.mayHaveBeenSent)
        #expect(error.text.contains(url.host ?? "-"))
        #expect(!error.text.contains("secret-path"))
      }
    }
  }
}
