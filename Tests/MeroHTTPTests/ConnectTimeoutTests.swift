import Foundation
import Testing

@testable import MeroHTTP

@Suite("The limit on connecting", .timeLimit(.minutes(5)))
struct ConnectTimeoutTests {
  private static let asking: [Way] = Way.allCases.filter { $0 != Way(rawValue: "session") }

  #if os(Linux)
    /// What a request ends with when ten seconds have passed at an address where nobody is.
    private func failureAfterTenSeconds(
      _ request: (URL) -> HTTPRequest, over transport: (MeroClock) -> URLSessionTransport
    ) async throws -> TransportError? {
      let listener = try FullListener()
      let time = ManualClock()
      let (transport, request) = (transport(time.clock), request(listener.url))
      async let error = failure { try await transport.send(request) }
      await time.waitForSleepers()
      time.advance(by: 10)
      let seen = await error
      withExtendedLifetime(listener) {}
      return seen
    }

    @Test(
      "a connection that never comes is given up at its limit, and nothing was sent",
      arguments: ["GET", "POST"], asking)
    func never(method: String, way: Way) async throws {
      let seen = try await failureAfterTenSeconds {
        HTTPRequest(
          HTTPMethod(rawValue: method), $0, body: method == "GET" ? nil : .data(Data("a".utf8)),
          connectTimeout: 10, timeout: 30)
      } over: {
        way.transport(clock: $0)
      }
      #expect(seen?.kind == .timedOut)
      #expect(seen?.mayHaveBeenSent == false)
      #expect(seen?.text.contains("made no connection within 10 seconds") == true)
    }

    @Test("whatever limit ends a request that was not sent, that is what it says", arguments: asking)
    func otherLimits(way: Way) async throws {
      for (timeout, idleTimeout) in [(10, nil), (nil, 10)] as [(TimeInterval?, TimeInterval?)] {
        let seen = try await failureAfterTenSeconds {
          HTTPRequest(.post, $0, timeout: timeout, idleTimeout: idleTimeout)
        } over: {
          way.transport(clock: $0)
        }
        #expect(seen?.kind == .timedOut)
        #expect(seen?.mayHaveBeenSent == false)
      }
    }

    @Test("a session that does not connect is given up too, and what was sent stays open")
    func session() async throws {
      let seen = try await failureAfterTenSeconds {
        HTTPRequest(.post, $0, body: .data(Data("a".utf8)), connectTimeout: 10, timeout: 30)
      } over: {
        URLSessionTransport(connections: SessionConnections(like: nil), clock: $0)
      }
      #expect(seen?.kind == .timedOut)
      #expect(seen?.mayHaveBeenSent == true)
    }
  #endif

  @Test(
    "what was sent is not ended by it, however long the answer takes", arguments: ["GET", "POST"],
    Way.allCases)
  func slowAnswer(method: String, way: Way) async throws {
    let time = ManualClock()
    let gate = DispatchSemaphore(value: 0)
    let server = try RawServer { connection in
      _ = try connection.readRequest()
      connection.log.record(.mark("read"))
      gate.wait()
      try connection.write(okay)
    }
    let transport = way.transport(clock: time.clock)
    let request = HTTPRequest(
      HTTPMethod(rawValue: method), server.url(), body: method == "GET" ? nil : .data(Data("a".utf8)),
      connectTimeout: 10, timeout: 1_000)
    async let answer = text(transport.send(request))
    await server.log.wait(for: .mark("read"))
    await time.waitForSleepers()
    for _ in 0..<3 {
      time.advance(by: 10)
      await time.waitForSleepers()
    }
    gate.signal()
    #expect(try await answer == "ok")
  }
}
