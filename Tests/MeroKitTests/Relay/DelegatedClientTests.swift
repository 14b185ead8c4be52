import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("The client of an account without a node")
struct DelegatedClientTests {
  @Test("40 §19 #75: without a relay there is no client, and an address that is none is said to be so")
  func noRelay() async throws {
    let rig = try await MemberRig()
    let none = try DelegatedAccounts.buildDelegatedClient(
      rig.author.session(relay: nil), env: rig.environment())
    #expect(none == nil)
    #expect(throws: AccountError.invalidInput("the session's relay has no usable address")) {
      try DelegatedAccounts.buildDelegatedClient(
        rig.author.session(relay: "relay"), env: rig.environment())
    }
  }

  @Test("40 §19 #76: a method that reads is asked once, under the bearer, and nothing is signed")
  func reads() async throws {
    let rig = try await MemberRig()
    let client = try rig.pinned()
    let result: ExecuteResult<Int> = try await client.rpc.executeWithMetadata(
      contextId: rig.context, method: "len")
    #expect(result == ExecuteResult(returns: 0, transport: .relay))
    let request = try #require(rig.node.log.first)
    #expect(rig.asked == ["POST \(MemberRig.query)"])
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"argsJson":{},"method":"len"}"#)
    #expect(request.bearer != nil)
    #expect(try rig.nextNonce() == 1)
    let nothing: String? = try await client.rpc.execute(
      contextId: rig.context, method: "get_value", argsJson: ["key": "k"])
    #expect(nothing == nil)
    #expect(client.kind == .relay)
  }

  @Test("40 §19 #77: a method that writes is known by its 409, in its context, also to the next client")
  func writes() async throws {
    // An address of its own: what is known of methods is known to the whole process.
    let rig = try await MemberRig(url: "http://localhost:2577")
    let other = rig.node.makeContext(of: .keyValue, in: rig.namespace)
    let arguments: [String: JSONValue] = ["key": "k", "value": "v"]
    func write(_ context: String) async throws -> ExecuteResult<Empty> {
      try await rig.pinned(methods: .ofProcess).rpc.executeWithMetadata(
        contextId: context, method: "set_value", argsJson: arguments)
    }
    rig.node.clearLog()
    let (query, describe, post) = (
      "POST \(MemberRig.query)", "GET \(MemberRig.intents)", "POST \(MemberRig.intents)"
    )
    #expect(try await write(rig.context).rootHash != nil)
    #expect(rig.asked == [query, describe, post])
    _ = try await write(rig.context.uppercased())
    #expect(rig.asked == [query, describe, post, describe, post])
    _ = try await write(other)
    #expect(rig.asked.suffix(3) == [query, describe, post])
    #expect(rig.posts(MemberRig.intents).allSatisfy { $0.headers["authorization"] == nil })
    let elsewhere = KnownMethods.Name(relay: "http://localhost:2578", contextId: other, method: "set_value")
    #expect(!KnownMethods.ofProcess.isWrite(elsewhere))
  }

  @Test(
    "40 §19 #78: a query that fails for another reason is followed by a warrant, and asked again the next time"
  )
  func failedQueries() async throws {
    let rig = try await MemberRig()
    let client = try rig.pinned()
    let failures: [@Sendable () -> Void] = [
      { rig.node.failNext("POST \(MemberRig.query)", status: 503) },
      { rig.node.failNext("POST \(MemberRig.query)", status: 403) },
      { rig.node.loseAnswer("POST \(MemberRig.query)") },
      { rig.node.replaceAnswer("POST \(MemberRig.query)", status: 200, json: ["data": 1]) },
    ]
    for fail in failures {
      rig.node.clearLog()
      fail()
      let result: ExecuteResult<Int> = try await client.rpc.executeWithMetadata(
        contextId: rig.context, method: "len")
      #expect(result.returns == 0)
      #expect(result.rootHash != nil)
      let again: Int = try await client.rpc.execute(contextId: rig.context, method: "len")
      #expect(again == 0)
      #expect(
        rig.asked == [
          "POST \(MemberRig.query)", "GET \(MemberRig.intents)", "POST \(MemberRig.intents)",
          "POST \(MemberRig.query)",
        ])
    }
  }

  @Test("a call that is cancelled while it queries signs nothing")
  func cancelledQuery() async throws {
    let rig = try await MemberRig()
    let client = try rig.pinned()
    rig.node.silent()
    let call = Task<Int, any Error> { try await client.rpc.execute(contextId: rig.context, method: "len") }
    await until { rig.asked.count == 1 }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(rig.asked == ["POST \(MemberRig.query)"])
    #expect(try rig.nextNonce() == 1)
  }

  @Test("40 §19 #79: while the relay's key is not known every call is a warrant")
  func withoutKey() async throws {
    let rig = try await MemberRig()
    let client = try #require(
      try DelegatedAccounts.buildDelegatedClient(
        rig.author.session(relay: rig.node.url.absoluteString), env: rig.environment()))
    for _ in 0..<2 {
      let count: Int = try await client.rpc.execute(contextId: rig.context, method: "len")
      #expect(count == 0)
    }
    #expect(rig.posts(MemberRig.query).isEmpty)
    #expect(rig.posts(MemberRig.intents).count == 2)
  }

  @Test(
    "40 §19 #80: events of a hosted relay without a key are one quiet stream that asks nobody until it is closed"
  )
  func quietEvents() async throws {
    let rig = try await MemberRig()
    let script = ScriptedNode { _ in .status(500) }
    let client = try #require(
      try DelegatedAccounts.buildDelegatedClient(
        rig.author.session(relay: "https://relay.example"), env: rig.environment(over: script)))
    #expect(!client.canSubscribe)
    #expect(client.events === client.events)
    let sleeps = rig.clock.sleeps
    let stream = client.events.events(contextIds: [rig.context])
    let ended = Locked(0)
    let reading = Task {
      for try await _ in stream {}
      ended.withLock { $0 += 1 }
    }
    let connecting = Task {
      await client.events.connect()
      ended.withLock { $0 += 1 }
    }
    let error = await failure { try await client.events.subscribe(contextIds: [rig.context]) }
    guard case .relayKeyUnavailable? = error as? AccountError else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    await rig.clock.advance(by: 200)
    #expect(ended.withLock { $0 } == 0)
    #expect(client.events.isOnline)
    #expect(rig.clock.sleeps == sleeps)
    // Either may only now come to the stream.
    while ended.withLock({ $0 }) < 2 {
      await client.close()
      await Task.yield()
    }
    await connecting.value
    try await reading.value
    #expect(script.requests.isEmpty)
  }

  @Test("whoever waits for a quiet stream to connect stops waiting when cancelled")
  func cancelledConnecting() async throws {
    let clock = FakeClock()
    let events = SseConnection(inert: .relayKeyUnavailable("no key"), clock: clock.clock)
    let connecting = Task { await events.connect() }
    connecting.cancel()
    await connecting.value
  }

  @Test("40 §19 #81: with a key the stream carries the bearer")
  func bearerEvents() async throws {
    let rig = try await MemberRig()
    let client = try rig.pinned()
    #expect(client.canSubscribe)
    let subscription = try await client.events.subscribe(contextIds: [rig.context])
    #expect(subscription.subscribed == [rig.context])
    for request in rig.node.log {
      #expect(request.bearer != nil)
      #expect(request.headers[RequestProof.header] == nil)
    }
    #expect(rig.asked == ["GET /sse", "POST /sse/subscription"])
    await client.close()
  }

  @Test("40 §19 #81: without a key a relay on this machine takes a proof for each request of the stream")
  func provenEvents() async throws {
    let rig = try await MemberRig()
    let open = Locked<[AsyncStream<Data>.Continuation]>([])
    let script = ScriptedNode { request in
      guard request.method == .get else { return .status(503) }
      let frame = #"data: {"reconnect":false,"session_id":"1","type":"connect"}"# + "\n\n"
      let (body, continuation) = AsyncStream.makeStream(of: Data.self)
      continuation.yield(Data(frame.utf8))
      open.withLock { $0.append(continuation) }
      return HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"], body: HTTPBody(body))
    }
    let client = try #require(
      try DelegatedAccounts.buildDelegatedClient(
        rig.author.session(relay: "http://127.0.0.1:9/node"), env: rig.environment(over: script)))
    #expect(client.canSubscribe)
    let events = client.events.events(contextIds: [rig.context])
    await until { script.requests.count >= 2 }
    for request in script.requests {
      #expect(request.headers["authorization"] == nil)
      try ProofReader(request, author: rig.author).check(
        path: request.method == .get ? "/sse" : "/sse/subscription", at: 1_790_000_000)
    }
    await client.close()
    _ = events
  }

  @Test("40 §19 #82: a bearer and a proof are never sent together; without a bearer the proof stands in")
  func oneCredential() async throws {
    let rig = try await MemberRig()
    let script = ScriptedNode { _ in .json(["data": ["contexts": []]]) }
    let tokens = GivenTokens(["one"])
    let client = try client(rig, over: script, tokens)
    _ = try await client.admin.getContexts()
    await tokens.dropToken("one")
    _ = try await client.admin.getContexts()
    let requests = script.requests
    #expect(requests.map(\.bearer) == ["one", nil])
    #expect(requests[0].headers[RequestProof.header] == nil)
    try ProofReader(requests[1], author: rig.author).check(path: "/admin-api/contexts", at: 1_790_000_000)
  }

  @Test("a bearer that the relay does not take is given up, and one that is old is replaced at once")
  func refusedBearers() async throws {
    let rig = try await MemberRig()
    let script = ScriptedNode { request in
      switch request.bearer {
      case "old": .status(401, "token_expired")
      case "bad": .status(401)
      default: .json(["data": ["contexts": []]])
      }
    }
    let tokens = GivenTokens(["bad", "old", "good"])
    let client = try client(rig, over: script, tokens)
    let error = await failure { _ = try await client.admin.getContexts() }
    #expect(error?.plainStatus == 401)
    _ = try await client.admin.getContexts()
    #expect(script.requests.map(\.bearer) == ["bad", "old", "good"])
  }

  @Test("a session that the relay ended is not the end of the account's events")
  func endedSession() async throws {
    let tokens = GivenTokens(["one", "two"])
    let refusal = HTTPError(status: 401, headers: ["x-auth-error": "token_reuse"])
    let error = await RelayNodeSession(tokens: tokens).revoked("token_reuse", http: refusal, sent: "one")
    #expect(error == .http(refusal))
    #expect(await tokens.token() == "two")
  }

  @Test("a file cannot be proven, and is not sent without a session")
  func files() async throws {
    let rig = try await MemberRig()
    let script = ScriptedNode { _ in .status(200) }
    let proving = RequestProofTransport(
      inner: script, base: rig.node.url, credential: rig.author.credential, keys: rig.author.keys,
      clock: rig.clock.clock)
    var request = HTTPRequest(.put, rig.node.url)
    request.body = .file(URL(fileURLWithPath: "/nowhere"))
    await #expect(throws: TransportError.self) { _ = try await proving.send(request) }
    #expect(script.requests.isEmpty)
  }

  @Test("over a node the same surface goes to the node")
  func node() async throws {
    let rig = try await MemberRig()
    let tokens = MemoryTokenStore(.sample(rig.node.accessToken, rig.node.refreshToken))
    let mero = Mero(
      config: MeroConfig(baseURL: rig.node.url, tokenStore: tokens, clock: rig.clock.clock),
      transport: rig.node.transport)
    let client = await MeroTransportClient(node: mero)
    let result: ExecuteResult<Int> = try await client.rpc.executeWithMetadata(
      contextId: rig.context, method: "len")
    #expect(result == ExecuteResult(returns: 0, transport: .node))
    #expect(client.kind == .node)
    #expect(client.relay == nil)
    #expect(client.canSubscribe)
    #expect(client.events === (await mero.sse))
    #expect(try await client.admin.getContexts().contexts.map(\.id) == [rig.context])
    guard case .node? = client.presence else { return #expect(Bool(false), "no presence") }
    await client.close()
  }

  private func client(
    _ rig: MemberRig, over script: ScriptedNode, _ tokens: GivenTokens
  ) throws -> MeroTransportClient {
    let relay = "https://relay.example"
    try DelegatedAccounts.pinRelayNodeKey(relay, nodeKey: rig.node.signingKey, store: rig.store)
    return try #require(
      try DelegatedAccounts.buildDelegatedClient(
        rig.author.session(relay: relay), env: rig.environment(over: script),
        way: RelayWay(transport: { _, env in env.transport }, session: { _, _, _, _, _ in tokens })))
  }
}

/// Reads a request's proof as a node does, and verifies it (30 §14).
struct ProofReader {
  let request: HTTPRequest
  let author: RelayAuthor

  init(_ request: HTTPRequest, author: RelayAuthor) {
    self.request = request
    self.author = author
  }

  func check(path: String, at now: UInt64) throws {
    let bytes = try Hex.decode(try #require(request.headers["x-calimero-proof"]))
    var reader = BorshReader(bytes)
    #expect(Hex.encode(try reader.fixed(237)) == author.credential)
    #expect(try reader.u8() == 0)
    let (method, signedPath) = (try reader.string(), try reader.string())
    let bodyHash = try reader.fixed(32)
    let (issued, expires) = (try reader.u64(), try reader.u64())
    let signature = try reader.fixed(64)
    try reader.finish()
    #expect(method == request.method.rawValue)
    #expect(signedPath == path)
    #expect(issued == now)
    #expect(expires == now + 120)
    #expect(bodyHash == domainHash("calimero.auth.request.body.v1", [Array(request.bytes)]))
    func little(_ value: UInt64) -> [UInt8] {
      var writer = BorshWriter()
      writer.u64(value)
      return writer.bytes
    }
    let signed = domainHash(
      "calimero.auth.request.v1",
      [Array(method.utf8), Array(signedPath.utf8), bodyHash, little(issued), little(expires)])
    let key = try Ed25519.PublicKey(bytes: Hex.decode(author.keys.signPublicKey))
    #expect(key.isValid(signature, for: signed))
  }
}
