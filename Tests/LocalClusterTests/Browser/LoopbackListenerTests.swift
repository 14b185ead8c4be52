import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

@Suite("The listener for a browser", .timeLimit(.minutes(5)))
struct LoopbackListenerTests {
  private static let get = "GET / HTTP/1.1\r\nHost: t\r\n\r\n"

  /// Gives up nobody for being slow, unless the limits say so: machines that run tests are.
  private func withListener(
    _ limits: LoopbackListener.Limits = .init(patience: 3_600),
    handler: @escaping LoopbackListener.Handler = { request, _ in
      LoopbackResponse(status: 200, text: "\(request.method) \(request.body.count)")
    }, _ body: (LoopbackListener) async throws -> Void
  ) async throws {
    let listener = try LoopbackListener(port: 0, limits: limits, handler: handler)
    do { try await body(listener) } catch {
      await listener.stop()
      throw error
    }
    await listener.stop()
  }

  private func response(of text: String, at listener: LoopbackListener) async throws -> RawClient.Response {
    let client = try RawClient(port: listener.port)
    try await client.send(text)
    return try await client.response()
  }

  @Test("each connection is for one request, and what comes after it is not read as another")
  func once() async throws {
    let requests = Locked(0)
    try await withListener(handler: { _, _ in
      requests.withLock { $0 += 1 }
      return LoopbackResponse(status: 200, text: "taken")
    }) { listener in
      let client = try RawClient(port: listener.port)
      try await client.send(Self.get + Self.get)
      #expect(try await client.response().text == "taken")
      #expect(try await client.readToEnd().isEmpty)
    }
    #expect(requests.withLock { $0 } == 1)
  }

  @Test("a head and a body that are too large are answered, also while they are still being sent")
  func oversized() async throws {
    try await withListener { listener in
      let large = String(repeating: "x", count: 200_000)
      let head = try RawClient(port: listener.port)
      try? await head.send("GET / HTTP/1.1\r\nHost: t\r\nX: \(large)\r\n\r\n")
      #expect(try await head.response().status == 431)
      let body = try RawClient(port: listener.port)
      try? await body.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 200000\r\n\r\n" + large)
      #expect(try await body.response().status == 413)
      let fitting = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 65536\r\n\r\n" + large.prefix(65_536)
      #expect(try await response(of: fitting, at: listener).text == "POST 65536")
    }
  }

  @Test("whatever comes, the listener goes on", arguments: 0..<4 as Range<UInt64>)
  func garbage(seed: UInt64) async throws {
    let random = SeededRandom(seed: seed)
    let good = Array("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc".utf8)
    try await withListener { listener in
      for round in 0..<40 {
        var bytes = round % 2 == 0 ? random.bytes(Int(random.word() % 400)) : good
        for _ in 0..<3 where !bytes.isEmpty {
          bytes[Int(random.word() % UInt64(bytes.count))] = random.bytes(1)[0]
        }
        let client = try RawClient(port: listener.port)
        try? await client.send(bytes)
        // Some are cut off, some read what comes.
        if round % 4 == 1 { _ = try? await client.send(Array("\r\n\r\n".utf8)) }
        client.close()
      }
      #expect(try await response(of: Self.get, at: listener).text == "GET 0")
    }
  }

  @Test("clients that send nothing, or one byte after the other, do not hold up one that asks")
  func slowLoris() async throws {
    try await withListener { listener in
      var slow: [RawClient] = []
      for _ in 0..<24 {
        let client = try RawClient(port: listener.port)
        try await client.send("G")
        slow.append(client)
      }
      #expect(try await response(of: Self.get, at: listener).text == "GET 0")
      // The oldest made room.
      #expect(try await slow[0].readToEnd().isEmpty)
      try await slow[23].send(String(Self.get.dropFirst()))
      #expect(try await slow[23].response().text == "GET 0")
    }
  }

  @Test(
    "a request that does not arrive in time is given up, and a response may take longer than that to make")
  func patience() async throws {
    let (replies, asked) = AsyncStream.makeStream(of: LoopbackReply.self)
    try await withListener(LoopbackListener.Limits(patience: 0.3)) { _, reply in
      asked.yield(reply)
      return nil
    } _: { listener in
      let slow = try RawClient(port: listener.port)
      #expect(try await slow.readToEnd().isEmpty)
      // On a machine that is busy the request itself may come too late.
      async let response = persistently { try await self.response(of: Self.get, at: listener) }
      var iterator = replies.makeAsyncIterator()
      let reply = try #require(await iterator.next())
      let slower = try RawClient(port: listener.port)
      #expect(try await slower.readToEnd().isEmpty)
      reply(LoopbackResponse(status: 200, text: "at last"))
      #expect(await response.text == "at last")
    }
  }

  private func persistently<T>(_ attempt: () async throws -> T) async -> T {
    while true { if let value = try? await attempt() { return value } }
  }

  @Test("nobody is let in beside as many requests as may be answered at once, and who is answered makes room")
  func full() async throws {
    let (replies, asked) = AsyncStream.makeStream(of: LoopbackReply.self)
    try await withListener(LoopbackListener.Limits(connections: 2, patience: 3_600)) { _, reply in
      asked.yield(reply)
      return nil
    } _: { listener in
      var iterator = replies.makeAsyncIterator()
      let (one, two) = (try RawClient(port: listener.port), try RawClient(port: listener.port))
      try await one.send(Self.get)
      let first = try #require(await iterator.next())
      try await two.send(Self.get)
      let second = try #require(await iterator.next())
      let three = try RawClient(port: listener.port)
      #expect(try await three.readToEnd().isEmpty)
      first(LoopbackResponse(status: 200, text: "one"))
      #expect(try await one.response().text == "one")
      let four = try RawClient(port: listener.port)
      try await four.send(Self.get)
      let third = try #require(await iterator.next())
      for (reply, text) in [(second, "two"), (third, "four")] {
        reply(LoopbackResponse(status: 200, text: text))
      }
      #expect(try await two.response().text == "two")
      #expect(try await four.response().text == "four")
    }
  }

  @Test("a browser that left while its request was answered changes nothing, nor does a reply after the end")
  func left() async throws {
    let (replies, asked) = AsyncStream.makeStream(of: LoopbackReply.self)
    let listener = try LoopbackListener(port: 0) { request, reply in
      if request.method == "GET" { return LoopbackResponse(status: 200, text: "here") }
      asked.yield(reply)
      return nil
    }
    var iterator = replies.makeAsyncIterator()
    let client = try RawClient(port: listener.port)
    try await client.send("POST / HTTP/1.1\r\nHost: t\r\n\r\n")
    let reply = try #require(await iterator.next())
    client.close()
    reply(LoopbackResponse(status: 200, text: "nobody reads this"))
    #expect(try await response(of: Self.get, at: listener).text == "here")
    await listener.stop()
    await listener.stop()
    reply(LoopbackResponse(status: 200, text: "nor this"))
    #expect(throws: RawClient.Failed.self) { try RawClient(port: listener.port) }
  }
}
