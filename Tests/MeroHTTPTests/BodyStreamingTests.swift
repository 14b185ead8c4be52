import Foundation
import Testing

@testable import MeroHTTP

@Suite("A body that streams", .timeLimit(.minutes(5)))
struct BodyStreamingTests {
  @Test("the head comes before the body, and each chunk before the next is sent", arguments: Way.allCases)
  func inStep(way: Way) async throws {
    let transport = way.transport()
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for piece in ["one", "two", "six"] {
        gate.wait()
        try connection.write("3\r\n\(piece)\r\n")
      }
      try connection.write("0\r\n\r\n")
    }
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    #expect(response.status == 200)
    var body = response.body.makeAsyncIterator()
    for piece in ["one", "two", "six"] {
      gate.signal()
      #expect(try await body.next() == Data(piece.utf8))
    }
    #expect(try await body.next() == nil)
  }

  #if canImport(CCurl)
    @Test("a reader that falls too far behind a given session loses its body instead of filling memory")
    func tooSlow() async throws {
      let transport = Way.session.transport()
      let server = try RawServer.endless()
      let response = try await transport.send(HTTPRequest(.get, server.url()))
      await server.log.wait(for: .closedByClient)
      let error = await failure { try await response.body.collect(upTo: 1 << 40) }
      #expect(error?.kind == .tooLarge)
    }
  #endif

  @Test(
    "a reader that does not read stops the sender, and reading on brings the rest, whole and in order",
    arguments: Way.holdingBack)
  func backPressure(way: Way) async throws {
    let transport = way.transport()
    let total = 96 << 20
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      var sent = 0
      while sent < total {
        // Each piece is filled with its own number.
        let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: sent >> 16), count: 64 << 10)
        try connection.write(piece, whenStalled: { connection.log.record(.stalled(after: sent)) })
        sent += piece.count
      }
    }
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    // Nobody reads: what is sent now fills our buffer and the sockets, and then it must stop.
    await server.log.wait { events in events.contains { if case .stalled = $0 { true } else { false } } }
    let stalls = server.log.events.compactMap { if case .stalled(let after) = $0 { after } else { nil } }
    let stalledAfter = try #require(stalls.first)
    #expect(stalledAfter < 32 << 20, "\(stalledAfter) bytes were taken in though nobody read")
    try await expectNumberedPieces(response.body, total)
  }

  @Test("time during which nobody reads does not count as the server's silence", arguments: Way.holdingBack)
  func pausedIsNotIdle(way: Way) async throws {
    let time = ManualClock()
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(32 << 20)\r\n\r\n")
      for _ in 0..<512 {
        try connection.write(
          [UInt8](repeating: 1, count: 64 << 10),
          whenStalled: {
            connection.log.record(.stalled(after: 0))
          })
      }
    }
    let transport = way.transport(clock: time.clock)
    let response = try await transport.send(HTTPRequest(.get, server.url(), idleTimeout: 5))
    await server.log.wait(for: .stalled(after: 0))
    await time.waitForSleepers()
    time.advance(by: 100)
    await time.waitForSleepers()
    #expect(try await response.body.collect(upTo: 32 << 20).count == 32 << 20)
  }

  @Test("a long body read as fast as it comes is whole and in order", arguments: Way.allCases)
  func whole(way: Way) async throws {
    let transport = way.transport()
    let total = 32 << 20
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      for number in 0..<total >> 16 {
        try connection.write([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 << 16))
      }
    }
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    try await expectNumberedPieces(response.body, total)
  }

  @Test("cancelling the reading task throws CancellationError and closes the socket", arguments: Way.allCases)
  func cancelReading(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(streaming: "x")
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    let read = EventLog()
    let task = Task {
      for try await _ in response.body { read.record(.mark("read")) }
    }
    await read.wait(for: .mark("read"))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.log.wait(for: .closedByClient)
  }

  @Test("a reader that is never idle notices its cancellation too", arguments: Way.allCases)
  func cancelBusyReading(way: Way) async throws {
    let transport = way.transport()
    // Less than a body that is read slowly may have waiting, however long this reader has to wait for its turn.
    let server = try RawServer.endless(upTo: BodyBuffer.limit / 2)
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    let read = EventLog()
    let task = Task {
      var count = 0
      for try await chunk in response.body {
        count += chunk.count
        if count > 4 << 20 { read.record(.mark("read")) }
      }
    }
    await read.wait(for: .mark("read"))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.log.wait(for: .closedByClient)
  }

  @Test("dropping a response unread closes the socket", arguments: Way.allCases)
  func dropUnread(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(streaming: "x")
    var response: HTTPResponse? = try await transport.send(HTTPRequest(.get, server.url()))
    #expect(response?.status == 200)
    response = nil
    await server.log.wait(for: .closedByClient)
  }

  @Test("leaving the loop closes the socket, though the response is still held", arguments: Way.allCases)
  func leaveLoop(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(streaming: "x")
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    for try await chunk in response.body {
      #expect(chunk == Data("x".utf8))
      break
    }
    await server.log.wait(for: .closedByClient)
    #expect(response.status == 200)
  }

  @Test(
    "cancelling a body closes the socket, and its reader sees CancellationError", arguments: ["GET", "POST"],
    Way.allCases)
  func cancelBody(method: String, way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(streaming: "x")
    let response = try await transport.send(HTTPRequest(HTTPMethod(rawValue: method), server.url()))
    var body = response.body.makeAsyncIterator()
    _ = try await body.next()
    response.body.cancel()
    await #expect(throws: CancellationError.self) { _ = try await body.next() }
    await server.log.wait(for: .closedByClient)
  }

  @Test(
    "a body without end is refused as soon as it is larger than the reader allows, and the socket closed",
    arguments: Way.allCases)
  func endless(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer.endless()
    let response = try await transport.send(HTTPRequest(.get, server.url()))
    let error = await failure { try await response.body.collect(upTo: 1 << 20) }
    #expect(error?.kind == .tooLarge)
    await server.log.wait(for: .closedByClient)
  }

  @Test("a hundred streams opened and abandoned are all closed", arguments: Way.allCases)
  func abandoned(way: Way) async throws {
    let transport = way.transport()
    let server = try RawServer(streaming: ": hello\n\n")
    for _ in 0..<100 { _ = try await transport.send(HTTPRequest(.get, server.url())) }
    await server.log.wait(for: .closedByClient, count: 100)
  }

  /// The body has this many bytes, in pieces of 64 KiB that are filled with their own numbers.
  private func expectNumberedPieces(_ body: HTTPBody, _ total: Int) async throws {
    var count = 0
    var isInOrder = true
    for try await chunk in body {
      // A chunk's first and last byte tell where it belongs.
      isInOrder = isInOrder && chunk.first == UInt8(truncatingIfNeeded: count >> 16)
      count += chunk.count
      isInOrder = isInOrder && chunk.last == UInt8(truncatingIfNeeded: (count - 1) >> 16)
    }
    #expect(count == total)
    #expect(isInOrder)
  }
}
