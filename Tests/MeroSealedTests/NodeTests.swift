import Foundation
import MeroCrypto
import MeroHTTP
import MeroKitTestSupport
import MeroSealed
import MeroWire
import Testing

@Suite("the node's side of the sealed channel")
struct NodeTests {
  @Test("50 §8 #4: another method than POST is 405 without a body, on both endpoints")
  func otherMethods() async throws {
    let node = try await OpenedNode()
    let get = HTTPRequest(.get, SealedRig.base)
    for response in [await node.responder.handshake(get), await node.exchange(get)] {
      #expect(response.status == 405)
      #expect(try await response.body.collect(upTo: 1).isEmpty)
    }
  }

  @Test("50 §8 #4: a forged request spends no id; a well-sealed one that makes no sense does")
  func whoSpendsIds() async throws {
    let node = try await OpenedNode()
    var forged = try node.envelope(7)
    forged[forged.count - 1] ^= 1
    #expect(try await node.code(forged) == .undecryptable)
    #expect(try await node.code(try node.envelope(7)) == nil)
    #expect(try await node.code(try node.envelope(8, head: "[]")) == .malformed)
    #expect(try await node.code(try node.envelope(8)) == .replayedRequest)
    #expect(node.routed.withLock { $0 }.map(\.requestId) == [7])
  }

  @Test("50 §8 #4: ids arrive in any order, each once; 0 and those older than the window are refused")
  func idsInAnyOrder() async throws {
    let node = try await OpenedNode()
    for id: UInt64 in [5000, 4999, 905, 1 << 40, (1 << 40) - 4095, .max] {
      #expect(try await node.code(try node.envelope(id)) == nil)
      #expect(try await node.code(try node.envelope(id)) == .replayedRequest)
    }
    for id: UInt64 in [0, 1, 5001, 1 << 40, .max - 4096] {
      #expect(try await node.code(try node.envelope(id)) == .replayedRequest)
    }
    #expect(try await node.code(try node.envelope(.max - 4095)) == nil)
  }

  @Test(
    "the replay window agrees with a plain set over thousands of ids", arguments: 0..<4 as Range<UInt64>
  )
  func replayWindow(seed: UInt64) {
    let random = SeededRandom(seed: seed)
    var window = ReplayWindow()
    var used: Set<UInt64> = []
    var newest: UInt64 = 0
    var disagreements = 0
    for _ in 0..<2000 {
      let step = random.word() % [3, 100, 5000, 20_000][Int(random.word() % 4)]
      let id = random.word() % 2 == 0 ? newest + step : newest - min(newest, step)
      let isFresh = id > 0 && (id > newest || newest - id < 4096) && !used.contains(id)
      if window.admit(id) != isFresh { disagreements += 1 }
      if isFresh {
        used.insert(id)
        newest = max(newest, id)
      }
    }
    #expect(disagreements == 0)
  }

  @Test("50 §8 #4: an envelope over the limit is 413 before anything else is looked at")
  func tooLarge() async throws {
    #expect(SealedLimits.standard.envelope == 67_108_864)
    var limits = SealedLimits()
    limits.envelope = 200
    let node = try await OpenedNode(limits: limits)
    #expect(try await node.code([UInt8](repeating: 9, count: 201)) == .tooLarge)
    #expect(try await node.code([UInt8](repeating: 9, count: 200)) == .unsupportedVersion)
  }

  @Test("200 handshakes at once, then 100 a second; more are busy with Retry-After 1")
  func handshakeRate() async throws {
    let clock = FakeClock()
    let responder = SealedResponder(clock: clock.clock)
    let handshake = try ClientHandshake(
      transportKey: await responder.transportPublicKey(), ephemeral: X25519.PrivateKey())
    let request = HTTPRequest(.post, SealedRig.base, body: .data(handshake.requestBody))
    for _ in 0..<200 { #expect(await responder.handshake(request).status == 200) }
    let busy = await responder.handshake(request)
    #expect(busy.status == 503)
    #expect(busy.headers["retry-after"] == "1")
    clock.jump(by: 0.02)
    #expect(await responder.handshake(request).status == 200)
    #expect(await responder.handshake(request).status == 200)
    #expect(await responder.handshake(request).status == 503)
    clock.jump(by: 3600)
    for _ in 0..<200 { #expect(await responder.handshake(request).status == 200) }
    #expect(await responder.handshake(request).status == 503)
  }

  @Test("a session ends at its stated lifetime, used or not")
  func lifetime() async throws {
    let node = try await OpenedNode()
    for id in 1...7 as ClosedRange<UInt64> {
      #expect(try await node.code(try node.envelope(id)) == nil)
      node.clock.jump(by: 500)
    }
    node.clock.jump(by: 99)
    #expect(try await node.code(try node.envelope(8)) == nil)
    node.clock.jump(by: 1)
    #expect(try await node.code(try node.envelope(9)) == .unknownSession)
  }

  @Test("with too many sessions the least recently used one gives way")
  func displacement() async throws {
    #expect(SealedLimits.standard.sessions == 16_384)
    var limits = SealedLimits()
    limits.sessions = 2
    let first = try await OpenedNode(limits: limits)
    first.clock.jump(by: 1)
    let second = try await OpenedNode(joining: first)
    first.clock.jump(by: 1)
    #expect(try await first.code(try first.envelope(1)) == nil)
    first.clock.jump(by: 1)
    let third = try await OpenedNode(joining: first)
    #expect(try await second.code(try second.envelope(1)) == .unknownSession)
    #expect(try await first.code(try first.envelope(2)) == nil)
    #expect(try await third.code(try third.envelope(1)) == nil)
  }

  @Test(
    "a head that a node cannot read is malformed",
    arguments: [
      #"{"method":"GET"}"#, #"{"path":"/x"}"#, #"{"method":"","path":"/x"}"#,
      #"{"method":"G T","path":"/x"}"#,
      #"{"method":"GET","path":""}"#, #"{"method":"GET","path":"/a b"}"#, #"{"method":"GET","path":"/a#b"}"#,
      #"{"method":"GET","path":"http://x/"}"#, #"{"method":"GET","path":"/x","headers":{}}"#,
      #"{"method":"GET","path":"/x","headers":[["a"]]}"#,
      #"{"method":"GET","path":"/x","headers":[["a","b","c"]]}"#,
      #"{"method":"GET","path":"/x","headers":[["a",1]]}"#,
      #"{"method":"GET","path":"/x","headers":[["a b","c"]]}"#,
      #"{"method":"GET","path":"/x","headers":[["a","b\r\nc: d"]]}"#, #"{"method":1,"path":"/x"}"#, "null",
      "{", "",
      #"{"method":"GET","path":"/x","headers":null}"#,
      #"{"method":"GET","path":"/x","headers":[],"extra":0}"#,
    ])
  func malformedHeads(head: String) async throws {
    let node = try await OpenedNode()
    #expect(try await node.code(try node.envelope(1, head: head)) == .malformed)
    #expect(node.routed.withLock { $0 }.isEmpty)
  }

  @Test("a head may leave its header fields out")
  func noHeaderFields() async throws {
    let node = try await OpenedNode()
    #expect(try await node.code(try node.envelope(1, head: #"{"method":"GET","path":"/x?y=%20"}"#)) == nil)
    #expect(node.routed.withLock { $0 }.map(\.path) == ["/x?y=%20"])
  }

  @Test(
    "an envelope inside an envelope is malformed, however its path is spelled",
    arguments: [
      "/sealed/v2", "/sealed/v2/handshake", "/sealed/v2?x=y", "/%73ealed/v2", "//sealed//v2/", "/sealed/v2/",
    ])
  func nested(path: String) async throws {
    let node = try await OpenedNode()
    let head = #"{"method":"POST","path":"\#(path)","headers":[]}"#
    #expect(try await node.code(try node.envelope(1, head: head)) == .malformed)
  }

  @Test("an upgrade is answered inside the envelope with 501 and no code")
  func upgrade() async throws {
    let rig = try await SealedRig { _ in
      Issue.record("the router was asked")
      return HTTPResponse(status: 101)
    }
    let response = try await rig.get("/ws", headers: [("upgrade", "websocket"), ("connection", "upgrade")])
    #expect(response.status == 501)
    let body = try JSONValue(parsing: try await response.body.collect(upTo: 1000))
    #expect(body["error"]?["message"]?.stringValue?.isEmpty == false)
    #expect(body["error"]?["code"] == nil)
  }

  @Test("a node without authentication of its own serves only what needs none")
  func unguarded() async throws {
    let id = String(repeating: "0a", count: 32)
    let always = ["/admin-api/health", "/admin-api/ready", "/admin-api/is-authed", "/admin-api/tee/info?x=1"]
    let delegated = [
      "/admin-api/contexts/\(id)/intents", "/admin-api/groups/\(id)/context-intents",
      "/admin-api/groups/\(id)/governance-intents",
    ]
    let never = [
      "/jsonrpc", "/admin-api/healthy", "/admin-api/health/",
      "/admin-api/contexts/\(id.uppercased())/intents",
      "/admin-api/contexts/\(id)/intents/x", "/admin-api/groups/\(id)/intents",
    ]
    let rig = try await SealedRig()
    for (mode, open) in [(.plain, always), (.delegatedAccess, always + delegated)]
      as [(SealedFaults.Unguarded, [String])]
    {
      await rig.responder.inject { $0.unguarded = mode }
      for path in open { #expect(try await rig.get(path).status == 200, "\(path)") }
      for path in never + (mode == .plain ? delegated : []) {
        let response = try await rig.get(path)
        #expect(response.status == 403, "\(path)")
        let body = try JSONValue(parsing: try await response.body.collect(upTo: 1000))
        #expect(body["error"]?["code"] == "sealed_route_unguarded")
      }
    }
  }

  @Test("a response head that fits into no frame becomes a 502")
  func largeHead() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(status: 200, headers: ["x-large": String(repeating: "a", count: 65_536)])
    }
    let response = try await rig.get()
    #expect(response.status == 502)
    let body = try JSONValue(parsing: try await response.body.collect(upTo: 1000))
    #expect(body["error"]?["message"]?.stringValue?.isEmpty == false)
  }

  @Test("every write of an event stream is a frame of its own, and a large one is cut at 65,536 bytes")
  func framing() async throws {
    let node = try await OpenedNode()
    let writes = Locked([10, 1, 65_536, 65_537, 150_000][...])
    let answer = await node.responder.exchange(
      HTTPRequest(.post, SealedRig.base, body: .data(Data(try node.envelope(1))))
    ) { _ in
      HTTPResponse(
        status: 200, headers: ["content-type": "text/event-stream"],
        body: HTTPBody(next: { writes.withLock { $0.popFirst().map { Data(count: $0) } } }))
    }
    #expect(answer.headers["cache-control"] == "no-store")
    #expect(answer.headers["x-accel-buffering"] == "no")
    var sizes: [Int] = []
    for try await frame in answer.body { sizes.append(frame.count - 21) }
    #expect(sizes.dropFirst() == [10, 1, 65_536, 65_536, 1, 65_536, 65_536, 18_928, 0])
  }

  @Test("a router's answer that no envelope can hold loses only those fields")
  func unsealableFields() async throws {
    let rig = try await SealedRig { _ in
      HTTPResponse(status: 200, headers: ["x-good": "1", "x-bad": "caf\u{e9}", "bad name": "1"])
    }
    #expect(try await rig.get().headers.map(\.name) == ["x-good"])
  }
}

/// A node with a session that the test holds the keys of, so that it can seal what no client would.
struct OpenedNode: Sendable {
  let clock: FakeClock
  let responder: SealedResponder
  let session: ClientHandshake.Result
  let routed = Locked<[SealedInnerRequest]>([])

  init(limits: SealedLimits = .standard) async throws {
    let clock = FakeClock()
    try await self.init(clock, SealedResponder(clock: clock.clock, limits: limits))
  }

  /// Another session with the same node.
  init(joining other: OpenedNode) async throws {
    try await self.init(other.clock, other.responder)
  }

  private init(_ clock: FakeClock, _ responder: SealedResponder) async throws {
    self.clock = clock
    self.responder = responder
    var handshake = try ClientHandshake(
      transportKey: await responder.transportPublicKey(), ephemeral: X25519.PrivateKey())
    let reply = await responder.handshake(
      HTTPRequest(.post, SealedRig.base, body: .data(handshake.requestBody)))
    session = try handshake.read(try await reply.body.collect(upTo: 1024))
  }

  func header(_ id: UInt64) -> EnvelopeHeader {
    EnvelopeHeader(sessionId: session.sessionId, requestId: id)
  }

  func envelope(
    _ id: UInt64, head: String = #"{"method":"GET","path":"/x","headers":[]}"#, body: Data = Data()
  ) throws -> [UInt8] {
    [UInt8](
      try Envelope.seal(
        head: [UInt8](head.utf8), body: body, header: header(id), cipher: AESGCM(key: session.keys.request)))
  }

  func exchange(_ request: HTTPRequest) async -> HTTPResponse {
    let routed = routed
    return await responder.exchange(request) { inner in
      routed.withLock { $0.append(inner) }
      return HTTPResponse(status: 204)
    }
  }

  /// The code of the node's refusal; `nil` when it answered inside an envelope.
  func code(_ envelope: [UInt8]) async throws -> SealedErrorCode? {
    let response = await exchange(HTTPRequest(.post, SealedRig.base, body: .data(Data(envelope))))
    if response.headers["content-type"] == SealedProtocol.contentType {
      #expect(response.status == 200)
      return nil
    }
    let body = try JSONValue(parsing: try await response.body.collect(upTo: 1000))
    return SealedErrorCode(rawValue: try #require(body["error"]?["code"]?.stringValue))
  }
}
