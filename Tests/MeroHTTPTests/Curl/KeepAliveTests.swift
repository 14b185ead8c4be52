#if canImport(CCurl)
  import Foundation
  import Testing

  @testable import MeroHTTP

  @Suite("Connections of libcurl that are used again", .timeLimit(.minutes(5)))
  struct KeepAliveTests {
    let transport = Way.kept.transport()

    @Test("requests one after the other share a connection, whatever they are")
    func shared() async throws {
      let server = try RawServer { connection in
        while let request = try connection.readRequest() {
          try connection.write(
            request.method == "HEAD" ? "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" : okay)
        }
      }
      for round in 0..<10 {
        for method in [HTTPMethod.get, .head, .post, .put, .delete, .patch] {
          let takesBody = method != .get && method != .head && round % 2 == 0
          let body: HTTPRequestBody? = takesBody ? .data(Data(count: round * 1_000)) : nil
          let response = try await transport.send(HTTPRequest(method, server.url(), body: body))
          #expect(try await text(response) == (method == .head ? "" : "ok"))
        }
      }
      #expect(server.log.requests.count == 60)
      #expect(server.log.count(.accepted) == 1)
    }

    @Test("with the usual rules too, a host that keeps its connections soon gets no new ones")
    func usualRules() async throws {
      let server = try RawServer(answering: okay)
      let transport = URLSessionTransport()
      var isUsedAgain = false
      while !isUsedAgain {
        let before = server.log.count(.accepted)
        _ = try await text(transport.send(HTTPRequest(.post, server.url(), body: .data(Data("x".utf8)))))
        isUsedAgain = server.log.count(.accepted) == before
      }
      #expect(server.log.count(.accepted) < server.log.requests.count)
    }

    @Test("requests at the same time have a connection each, and those after them take these")
    func atOnce() async throws {
      let gate = DispatchSemaphore(value: 0)
      let server = try RawServer { connection in
        while let request = try connection.readRequest() {
          if request.target == "/wait" { gate.wait() }
          try connection.write(okay)
        }
      }
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask { try await text(transport.send(HTTPRequest(.post, server.url("/wait")))) }
        }
        await server.log.wait { events in
          events.filter { if case .request = $0 { true } else { false } }.count == 8
        }
        for _ in 0..<8 { gate.signal() }
        for try await answer in group { #expect(answer == "ok") }
      }
      #expect(server.log.count(.accepted) == 8)
      for _ in 0..<20 { _ = try await text(transport.send(HTTPRequest(.post, server.url()))) }
      #expect(server.log.count(.accepted) == 8)
    }

    @Test("a kept connection that the server has closed is replaced before a request is sent on it")
    func replaced() async throws {
      let leave = DispatchSemaphore(value: 0)
      let server = try RawServer { connection in
        _ = try connection.readRequest()
        try connection.write(okay)
        leave.wait()
        connection.shutDown()
        connection.log.record(.mark("closed"))
      }
      for round in 1...20 {
        let request = HTTPRequest(.post, server.url(), body: .data(Data("x".utf8)))
        #expect(try await text(transport.send(request)) == "ok")
        leave.signal()
        await server.log.wait(for: .mark("closed"), count: round)
      }
      #expect(server.log.requests.count == 20)
      #expect(server.log.count(.accepted) == 20)
    }

    @Test(
      "a request that dies on a kept connection is not sent again, whatever it is, and says that it may have been",
      arguments: [HTTPMethod.get, .head, .post, .put, .patch, .delete], [0, 10, 300_000])
    func neverTwice(method: HTTPMethod, size: Int) async throws {
      let server = try RawServer { connection in
        _ = try connection.readRequest()
        try connection.write(okay)
        if try connection.readRequest() != nil { connection.log.record(.mark("used again")) }
      }
      let takesBody = size > 0 && method != .get && method != .head
      let body: HTTPRequestBody? = takesBody ? .data(Data(count: size)) : nil
      _ = try await text(transport.send(HTTPRequest(.post, server.url("/1"))))
      let error = await failure {
        try await transport.send(HTTPRequest(method, server.url("/2"), body: body))
      }
      #expect(error?.kind == .lost)
      #expect(error?.mayHaveBeenSent == true)
      #expect(server.log.count(.mark("used again")) == 1, "it was sent on the connection of the first")
      // Now the host is known to let connections die: each request has its own.
      for number in 3...5 {
        let next = HTTPRequest(method == .head ? .get : method, server.url("/\(number)"), body: body)
        #expect(try await text(transport.send(next)) == "ok")
      }
      #expect(server.log.requests.map(\.target) == (1...5).map { "/\($0)" })
      #expect(server.log.count(.mark("used again")) == 1)
    }

    @Test("a connection whose body was left is closed, and not used by the next request")
    func leftBody() async throws {
      let server = try RawServer { connection in
        while let request = try connection.readRequest() {
          guard request.target == "/long" else {
            try connection.write(okay)
            continue
          }
          try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc")
          connection.waitForClose()
        }
      }
      for round in 1...5 {
        let response = try await transport.send(HTTPRequest(.get, server.url("/long")))
        response.body.cancel()
        await server.log.wait(for: .closedByClient, count: round)
        #expect(try await text(transport.send(HTTPRequest(.get, server.url("/short")))) == "ok")
      }
    }

    @Test("a transport that is gone closes its connections and ends its thread")
    func nothingLeft() async throws {
      let server = try RawServer { connection in
        while try connection.readRequest() != nil { try connection.write(okay) }
        connection.log.record(.closedByClient)
      }
      weak var engine: CurlEngine?
      do {
        let connections = CurlConnections(rules: .untilClosed)
        engine = connections.engine
        let transport = URLSessionTransport(connections: connections)
        for _ in 0..<250 {
          async let one = text(transport.send(HTTPRequest(.get, server.url())))
          async let two = text(transport.send(HTTPRequest(.post, server.url(), body: .data(Data("x".utf8)))))
          async let three = text(transport.send(HTTPRequest(.post, server.url())))
          async let four = text(transport.send(HTTPRequest(.delete, server.url())))
          #expect(try await [one, two, three, four] == ["ok", "ok", "ok", "ok"])
        }
        #expect(engine != nil)
      }
      #expect(server.log.requests.count == 1_000)
      // Four at once, and a thread may see the end of one a little after the next has begun.
      #expect(server.log.count(.accepted) < 16)
      await server.log.wait(for: .closedByClient, count: server.log.count(.accepted))
      // The thread holds its engine.
      while engine != nil { await Task.yield() }
    }

    @Test("many transports at once do not disturb each other")
    func manyTransports() async throws {
      let server = try RawServer { connection in
        while let request = try connection.readRequest() {
          try connection.write(
            "HTTP/1.1 200 OK\r\nContent-Length: \(request.target.utf8.count)\r\n\r\n\(request.target)")
        }
      }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<40 {
          group.addTask {
            let transport = number % 2 == 0 ? Way.kept.transport() : URLSessionTransport()
            var isRight = true
            for round in 0..<10 {
              let target = "/\(number)/\(round)"
              isRight =
                try await text(transport.send(HTTPRequest(.post, server.url(target)))) == target && isRight
            }
            return isRight
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      #expect(Set(server.log.requests.map(\.target)).count == 400)
      #expect(server.log.requests.count == 400)
    }
  }
#endif
