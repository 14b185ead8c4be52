import Foundation
import LocalCluster
import MeroHTTP
import Testing

/// A body that the test feeds.
private struct FedBody {
  let stream: AsyncThrowingStream<Data, any Error>
  let continuation: AsyncThrowingStream<Data, any Error>.Continuation
  let wasCancelled = Signal()

  init() {
    (stream, continuation) = AsyncThrowingStream.makeStream()
    continuation.onTermination = { [wasCancelled] in
      if case .cancelled = $0 { wasCancelled.fire() }
    }
  }

  func send(_ text: String) { continuation.yield(Data(text.utf8)) }

  func response(_ headers: HTTPHeaders = [:]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: headers, body: HTTPBody(stream))
  }
}

private struct Broken: Error {}

struct ListenerStreamTests {
  @Test("each chunk reaches the client before the next one is made")
  func chunkByChunk() async throws {
    let body = FedBody()
    try await withListener { _ in
      body.response()
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      let head = try await client.head()
      #expect(head.headers["transfer-encoding"] == "chunked")
      for number in 0..<50 {
        body.send("event \(number)")
        #expect(try await client.chunk() == Array("event \(number)".utf8))
      }
      body.continuation.finish()
      #expect(try await client.chunk().isEmpty)
    }
  }

  @Test("the head goes out before the first chunk is made, and the connection serves on after the last")
  func headFirst() async throws {
    let body = FedBody()
    try await withListener { request in
      request.url.path == "/stream" ? body.response() : text("next")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/stream")
      #expect(try await client.head().status == 200)
      body.continuation.finish()
      #expect(try await client.chunk().isEmpty)
      try await client.get("/")
      #expect(try await client.response().text == "next")
    }
  }

  @Test("a stated length is told and kept to")
  func statedLength() async throws {
    let body = FedBody()
    try await withListener { _ in
      body.response(["content-length": "6"])
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      body.send("abc")
      body.send("def")
      body.continuation.finish()
      let response = try await client.response()
      #expect(response.headers["content-length"] == "6")
      #expect(response.headers["transfer-encoding"] == nil)
      #expect(response.text == "abcdef")
    }
  }

  @Test("a body that throws cuts the connection after what was sent, without the end of the chunks")
  func throwingBody() async throws {
    let body = FedBody()
    try await withListener { _ in
      body.response()
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      _ = try await client.head()
      body.send("half")
      #expect(try await client.chunk() == Array("half".utf8))
      body.continuation.finish(throwing: Broken())
      #expect(try await client.readToEnd().isEmpty)
    }
  }

  @Test("a body that ends before its stated length cuts the connection")
  func shortBody() async throws {
    let body = FedBody()
    try await withListener { _ in
      body.response(["content-length": "10"])
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      body.send("abc")
      body.continuation.finish()
      _ = try await client.head()
      #expect(try await client.readToEnd() == Array("abc".utf8))
    }
  }

  @Test("a body is made only as fast as it is read: what is made and unread stays bounded")
  func backPressure() async throws {
    let total = 2_048
    let chunk = Data(repeating: 7, count: 64 << 10)
    let made = Locked(0)
    try await withListener { _ in
      HTTPResponse(
        status: 200, headers: ["content-length": "\(total * chunk.count)"],
        body: HTTPBody(next: {
          made.withLock { made in
            if made == total { return nil }
            made += 1
            return chunk
          }
        }))
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      _ = try await client.head()
      var received = 0
      // The kernel's own buffers hold a few megabytes on both sides.
      let bound = 16 << 20
      while received < total * chunk.count {
        received += try await client.read(1 << 20).count
        let ahead = made.withLock { $0 } * chunk.count - received
        #expect(ahead <= bound)
      }
      #expect(made.withLock { $0 } == total)
    }
  }

  @Test("a body is cancelled when its client leaves, while nothing is being sent")
  func disconnectCancelsIdleBody() async throws {
    let body = FedBody()
    try await withListener { _ in
      body.response()
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      body.send("first")
      _ = try await client.head()
      _ = try await client.chunk()
      client.close()
      await body.wasCancelled.wait()
    }
  }

  @Test("a body is cancelled when its client leaves while it waits to be read")
  func disconnectCancelsBusyBody() async throws {
    let wasCancelled = Signal()
    try await withListener { _ in
      HTTPResponse(
        status: 200,
        body: HTTPBody(
          next: { Data(repeating: 1, count: 64 << 10) }, cancel: { wasCancelled.fire() }))
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      _ = try await client.head()
      client.close()
      await wasCancelled.wait()
    }
  }

  @Test("500 events to each of 50 streams all arrive, in order")
  func fanOut() async throws {
    let streams = (0..<50).map { _ in FedBody() }
    try await withListener { request in
      streams[Int(request.url.lastPathComponent) ?? 0].response()
    } _: { port in
      let clients = try streams.map { _ in try RawClient(port: port) }
      for (number, client) in clients.enumerated() {
        try await client.get("/\(number)")
        #expect(try await client.head().status == 200)
      }
      for event in 0..<500 {
        for body in streams { body.send("\(event);") }
      }
      let expected = (0..<500).map { "\($0);" }.joined()
      for (body, client) in zip(streams, clients) {
        body.continuation.finish()
        var received: [UInt8] = []
        while case let chunk = try await client.chunk(), !chunk.isEmpty { received += chunk }
        #expect(String(decoding: received, as: UTF8.self) == expected)
      }
    }
  }
}
