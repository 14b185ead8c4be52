import Foundation
import MeroHTTP
import MeroKit
import MeroKitTestSupport
import MeroWire
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One after the other: there is one shared handler.
@Suite("The handler that sessions share", .serialized, .timeLimit(.minutes(2)))
struct SharedHandlerTests {
  private let url = URL(string: "http://localhost:2528/x")!  // a constant that parses

  @Test("it answers sessions made before and after, until it is replaced or forgotten")
  func shared() async throws {
    let early = MockURLProtocol.makeSession()
    MockURLProtocol.setHandler { _ in .init(body: Data("first".utf8)) }
    let late = MockURLProtocol.makeSession()
    let own = MockURLProtocol.makeSession { _ in .init(body: Data("own".utf8)) }
    func answer(_ session: URLSession) async throws -> String {
      String(decoding: try await session.data(from: url).0, as: UTF8.self)
    }
    #expect(try await answer(early) == "first")
    #expect(try await answer(late) == "first")
    MockURLProtocol.setHandler { _ in .init(body: Data("second".utf8)) }
    #expect(try await answer(early) == "second")
    MockURLProtocol.reset()
    let error = await #expect(throws: (any Error).self) { _ = try await answer(late) }
    #expect(error.map { "\($0)" }?.contains("no handler was set") == true)
    #expect(try await answer(own) == "own")
  }

  @Test("a node that is installed answers an app: login, contract, files, and the end of a session")
  func installedNode() async throws {
    let node = FakeNode(seed: 7)
    node.install()
    defer { MockURLProtocol.reset() }
    let mero = Mero(config: MeroConfig(baseURL: node.url), session: MockURLProtocol.makeSession())
    try await mero.authenticate(Credentials(username: FakeNode.username, password: FakeNode.password))
    let context = node.makeContext(of: .keyValue)
    let _: JSONValue = try await mero.rpc.execute(
      contextId: context, method: "set_value", argsJson: ["key": "a", "value": "1"])
    let value: String? = try await mero.rpc.execute(
      contextId: context, method: "get_value", argsJson: ["key": "a"])
    #expect(value == "1")
    node.expireAccessToken()
    #expect(try await mero.admin.getContexts(offset: nil, limit: nil).contexts.count == 1)
    #expect(node.refreshCalls == 1)
    let blob = try await mero.admin.uploadBlob(Data("bytes".utf8))
    #expect(try await mero.admin.downloadBlob(blob.blobId) == Data("bytes".utf8))
    node.revokeFamily()
    await #expect(throws: MeroError.self) { try await mero.admin.getContexts(offset: nil, limit: nil) }
    #expect(await !mero.isAuthenticated)
  }
}

@Suite("Fake nodes beneath sessions", .timeLimit(.minutes(2)))
struct NodeSessionTests {
  @Test("a node's events reach an app over its session, and so does the end of the stream")
  func events() async throws {
    let node = FakeNode(seed: 8)
    let context = node.makeContext(of: .keyValue)
    let mero = Mero(
      config: MeroConfig(
        baseURL: node.url,
        tokenStore: MemoryTokenStore(
          TokenData(accessToken: node.accessToken, refreshToken: node.refreshToken, expiresAt: .distantFuture)
        ),
        clock: FakeClock().clock),
      session: node.makeURLSession())
    let states = await mero.sse.states
    var events = mero.events(contextIds: [context]).makeAsyncIterator()
    #expect(try await mero.sse.subscribe(contextIds: [context]).subscribed == [context])
    let _: JSONValue = try await mero.rpc.execute(
      contextId: context, method: "set_value", argsJson: ["key": "a", "value": "1"])
    #expect(try await events.next()?.kind == .stateMutation)
    node.dropStreams()
    for await state in states {
      if case .offline = state { break }
    }
    await mero.close()
    #expect(try await events.next() == nil)
  }

  @Test(
    "two nodes with the same address each answer their own session; other addresses refuse the connection")
  func two() async throws {
    for (node, other) in [(FakeNode(seed: 1), FakeNode(seed: 2))] {
      let mine = URLSessionTransport(session: node.makeURLSession())
      let theirs = URLSessionTransport(session: other.makeURLSession())
      let request = HTTPRequest(
        .get, node.url.appendingPathComponent("admin-api/contexts"),
        headers: ["authorization": "Bearer \(node.accessToken)"])
      #expect(try await mine.send(request).status == 200)
      #expect(try await theirs.send(request).status == 401)
    }
    let node = FakeNode(seed: 1)
    let transport = URLSessionTransport(session: node.makeURLSession())
    let elsewhere = HTTPRequest(.get, URL(string: "http://elsewhere.example/")!)
    let error = await #expect(throws: TransportError.self) { _ = try await transport.send(elsewhere) }
    #expect(error?.kind == .cannotConnect)
    #expect(error?.mayHaveBeenSent == false)
  }
}
