import Foundation
import LocalCluster
import MeroHTTP
import Testing

struct ListenerLifeTests {
  @Test("a taken port is an error that names it")
  func portTaken() async throws {
    let first = HTTPListener(port: 0) { _ in text("") }
    let port = try first.start()
    let second = HTTPListener(port: port) { _ in text("") }
    let error = #expect(throws: ListenerError.portTaken(port)) { try second.start() }
    #expect(error?.description.contains("\(port)") == true)
    await first.stop()
    #expect(try second.start() == port)
    await second.stop()
  }

  @Test(
    "a host that is no address of this machine is an error that names it",
    arguments: ["example", "", "192.0.2.1"])
  func wrongHost(host: String) {
    #expect(throws: ListenerError.notAnAddress(host)) {
      try HTTPListener(port: 0, host: host) { _ in text("") }.start()
    }
  }

  @Test("it is reachable on 127.0.0.1 and on no other address, unless told otherwise")
  func loopbackOnly() async throws {
    try await withListener { _ in
      text("here")
    } _: { port in
      let client = try RawClient(port: port)
      try await client.get("/")
      #expect(try await client.response().text == "here")
      // Had it bound all addresses, this one would be taken too.
      let other = HTTPListener(port: port, host: "127.0.0.2") { _ in text("") }
      #expect(try other.start() == port)
      await other.stop()
    }
  }

  @Test("starting twice gives the same port, stopping twice does nothing, and it can be started again")
  func restart() async throws {
    let listener = HTTPListener(port: 0) { _ in text("up") }
    let port = try listener.start()
    #expect(try listener.start() == port)
    await listener.stop()
    await listener.stop()
    #expect(throws: RawClient.Failed.self) { try RawClient(port: port) }
    let client = try RawClient(port: listener.start())
    try await client.get("/")
    #expect(try await client.response().text == "up")
    await listener.stop()
  }

  @Test("any port is one that nobody else is given after the listener was stopped")
  func anyPort() async throws {
    var ports: [UInt16] = []
    for _ in 0..<20 {
      let listener = HTTPListener(port: 0) { _ in text("") }
      ports.append(try listener.start())
      await listener.stop()
    }
    #expect(Set(ports).count == 20)
    // Systems give away the ports from 32,768 upwards.
    #expect(ports.allSatisfy { (1_024..<32_768).contains($0) })
  }

  @Test("stopping cuts a stream, cancels its body and frees the port")
  func stopDuringStream() async throws {
    let bodyWasCancelled = Signal()
    let listener = HTTPListener(port: 0) { _ in
      let first = Locked(true)
      return HTTPResponse(
        status: 200,
        body: HTTPBody(
          next: {
            let isFirst = first.withLock { first in
              defer { first = false }
              return first
            }
            if isFirst { return Data("one".utf8) }
            await waitForCancellation()
            return nil
          }, cancel: { bodyWasCancelled.fire() }))
    }
    let port = try listener.start()
    let client = try RawClient(port: port)
    try await client.get("/")
    _ = try await client.head()
    #expect(try await client.chunk() == Array("one".utf8))
    await listener.stop()
    await bodyWasCancelled.wait()
    #expect(try await client.readToEnd().isEmpty)
    let next = HTTPListener(port: port) { _ in text("") }
    #expect(try next.start() == port)
    await next.stop()
  }

  @Test("stopping does not wait for handlers; their tasks are cancelled and their answers dropped")
  func stopDuringHandler() async throws {
    let (began, cancelled) = (Signal(), Signal())
    let listener = HTTPListener(port: 0) { _ in
      began.fire()
      await waitForCancellation()
      cancelled.fire()
      return text("too late")
    }
    let client = try RawClient(port: listener.start())
    try await client.get("/")
    await began.wait()
    await listener.stop()
    await cancelled.wait()
    #expect(try await client.readToEnd().isEmpty)
  }

  @Test("stopping cuts idle connections and half-sent requests")
  func stopIdle() async throws {
    let listener = HTTPListener(port: 0) { _ in text("") }
    let port = try listener.start()
    let idle = try RawClient(port: port)
    try await idle.get("/")
    _ = try await idle.response()
    let half = try RawClient(port: port)
    try await half.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\nabc")
    await listener.stop()
    #expect(try await idle.readToEnd().isEmpty)
    #expect(try await half.readToEnd().isEmpty)
  }

  @Test("a listener that is dropped stops")
  func dropped() async throws {
    var listener: HTTPListener? = HTTPListener(port: 0) { _ in text("") }
    let port = try #require(try listener?.start())
    listener = nil
    #expect(throws: RawClient.Failed.self) { try RawClient(port: port) }
  }

  @Test("stopping in the middle of many requests and streams ends all of them")
  func stopUnderLoad() async throws {
    let listener = HTTPListener(port: 0) { request in
      if request.url.path == "/stream" {
        return HTTPResponse(status: 200, body: HTTPBody(next: { Data(repeating: 1, count: 1_000) }))
      }
      await Task.yield()
      return text("answer")
    }
    let port = try listener.start()
    let answered = Signal()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          let client = try RawClient(port: port)
          do {
            if number.isMultiple(of: 2) {
              try await client.get("/stream")
              while true { _ = try await client.read(1_000) }
            }
            while true {
              try await client.get("/")
              #expect(try await client.response().text == "answer")
              answered.fire()
            }
          } catch is RawClient.Closed {}
        }
      }
      await answered.wait()
      await listener.stop()
      // Connections that the listener never accepted are refused or reset, which is as good as closed.
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is RawClient.Failed) { throw error }
      }
    }
  }

  @Test("nothing of answered, malformed, refused or abandoned requests outlives the listener")
  func nothingIsKept() async throws {
    let gone = Signal()
    var listener: HTTPListener? = {
      let token = Token(gone)
      return HTTPListener(port: 0) { request in
        _ = token
        switch request.url.path {
        case "/wait": await waitForCancellation()
        case "/throw": throw CancellationError()
        case "/stream":
          return HTTPResponse(status: 200, body: HTTPBody(next: { Data(repeating: 1, count: 1_000) }))
        default: break
        }
        return text("")
      }
    }()
    let port = try #require(try listener?.start())
    let requests = [
      "GET / HTTP/1.1\r\nHost: t\r\n\r\n", "GET /wait HTTP/1.1\r\nHost: t\r\n\r\n",
      "GET /throw HTTP/1.1\r\nHost: t\r\n\r\n", "GET /stream HTTP/1.1\r\nHost: t\r\n\r\n",
      "GET /half HTTP/1.1\r\nHost:", "GET / HTTP/1.1\r\n: no name\r\n\r\n",
      "GET * HTTP/1.1\r\nHost: t\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\nabc", "nonsense\r\n\r\n",
      "GET /\(String(repeating: "x", count: 200_000)) HTTP/1.1\r\n\r\n",
    ]
    for leaves in [true, false] {
      var clients: [RawClient] = []
      for request in requests {
        let client = try RawClient(port: port)
        try? await client.send(request)
        if !leaves { clients.append(client) }
      }
      let last = try RawClient(port: port)
      try await last.get("/")
      _ = try await last.response()
    }
    await listener?.stop()
    listener = nil
    await gone.wait()
  }

  private final class Token: Sendable {
    let gone: Signal
    init(_ gone: Signal) { self.gone = gone }
    deinit { gone.fire() }
  }
}
