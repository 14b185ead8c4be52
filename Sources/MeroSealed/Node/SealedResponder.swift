import Foundation
import MeroCrypto
import MeroHTTP

/// The node's side of the sealed transport: its key, its sessions, and the opening and sealing (50 §7).
///
/// ```swift
/// let responder = SealedResponder()
/// // POST /sealed/v2/handshake
/// let reply = await responder.handshake(request)
/// // POST /sealed/v2
/// let answer = await responder.exchange(request) { inner in try await router.answer(inner) }
/// ```
package actor SealedResponder {
  private nonisolated let clock: MeroClock
  private nonisolated let random: MeroRandom
  private nonisolated let limits: SealedLimits
  /// Counts restarts. Read by streams on every frame, which is why it is not the actor's.
  private nonisolated let life = Locked(0)

  private var transportKey: X25519.PrivateKey
  private var sessions: NodeSessions
  private var allowance: HandshakeAllowance
  private var currentFaults = SealedFaults.none
  private var counted = SealedCounters()

  /// A node with a new transport key, unless it has one. All keys and session ids come from `random`.
  package init(
    transportKey: X25519.PrivateKey? = nil, clock: MeroClock = .system, random: MeroRandom = .system,
    limits: SealedLimits = .standard
  ) {
    self.clock = clock
    self.random = random
    self.limits = limits
    self.transportKey = transportKey ?? Self.newKey(random)
    sessions = NodeSessions(limits: limits)
    allowance = HandshakeAllowance(
      perSecond: limits.handshakesPerSecond, burst: limits.handshakeBurst, at: clock.uptime())
  }

  /// The 32 bytes that the node's quote commits to.
  package func transportPublicKey() -> [UInt8] {
    transportKey.publicKey
  }

  package var counters: SealedCounters { counted }
  package var faults: SealedFaults { currentFaults }

  /// Changes what the node does wrong: `await responder.inject { $0.busyTimes = 1 }`.
  package func inject(_ change: @Sendable (inout SealedFaults) -> Void) {
    change(&currentFaults)
  }

  /// A new transport key and no sessions, as after the process was started again; responses under way are cut.
  package func restart(transportKey: X25519.PrivateKey? = nil) {
    life.withLock { $0 += 1 }
    self.transportKey = transportKey ?? Self.newKey(random)
    sessions.removeAll()
  }

  /// Forgets the sessions but keeps the key.
  package func forgetSessions() {
    sessions.removeAll()
  }

  // MARK: Handshake

  /// Answers `POST …/sealed/v2/handshake`.
  package func handshake(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.method == .post else { return HTTPResponse(status: 405) }
    if currentFaults.busyTimes > 0 {
      currentFaults.busyTimes -= 1
      counted.refusedHandshakes += 1
      return NodeRefusal.busy.response(retryAfter: currentFaults.busyRetryAfter)
    }
    do {
      guard allowance.take(at: clock.uptime()) else { throw NodeRefusal.busy }
      let reply = try open(try Self.body(of: request, limit: limits.envelope))
      counted.handshakes += 1
      return HTTPResponse(
        status: 200, headers: ["content-type": SealedProtocol.contentType, "cache-control": "no-store"],
        body: HTTPBody(reply))
    } catch {
      counted.refusedHandshakes += 1
      let refusal = error as? NodeRefusal ?? .undecryptable
      return refusal.response(retryAfter: refusal.code == .busy ? 1 : nil)
    }
  }

  private func open(_ body: Data) throws -> Data {
    guard body.count == SealedProtocol.handshakeRequestSize else {
      throw NodeRefusal.malformed("a handshake is \(SealedProtocol.handshakeRequestSize) bytes")
    }
    guard body.first == SealedProtocol.version else { throw NodeRefusal.unsupportedVersion }
    let content = body.dropFirst()
    guard content.prefix(SealedProtocol.keySize).elementsEqual(transportKey.publicKey) else {
      throw NodeRefusal.staleTransportKey
    }
    do {
      var noise = NoiseResponder(staticKey: transportKey)
      guard try noise.readMessage1(content.dropFirst(SealedProtocol.keySize)).isEmpty else {
        throw NodeRefusal.malformed("the first message carries a payload")
      }
      let ephemeral = try X25519.PrivateKey(bytes: random.bytes(X25519.keySize))
      let id = random.bytes(SealedProtocol.sessionIdSize)
      let (message, keys) = try noise.writeMessage2(
        payload: id + limits.lifetime.bigEndianBytes, ephemeral: ephemeral)
      try sessions.add(id, keys: keys, at: clock.uptime())
      return Data([SealedProtocol.version] + message)
    } catch NoiseError.lowOrderKey {
      throw NodeRefusal.malformed("the ephemeral key has low order")
    }
  }

  // MARK: Exchange

  /// Answers `POST …/sealed/v2`. `route` answers the request inside; when it throws, the connection ends without a
  /// frame, as when the node dies over it.
  package nonisolated func exchange(
    _ request: HTTPRequest, route: @escaping @Sendable (SealedInnerRequest) async throws -> HTTPResponse
  ) async -> HTTPResponse {
    guard request.method == .post else { return HTTPResponse(status: 405) }
    if let page = await proxyPage() { return page }
    do {
      let opened = try await open(request)
      let response = try await answer(opened.request, unguarded: opened.faults.unguarded, route)
      return sealed(response, opened)
    } catch let refusal as NodeRefusal {
      await countRefusal()
      return refusal.response()
    } catch {
      return HTTPResponse(
        status: 200, headers: ["content-type": SealedProtocol.contentType],
        body: HTTPBody(next: { throw error }))
    }
  }

  private struct Opened: Sendable {
    let header: EnvelopeHeader
    let session: NodeSession
    let life: Int
    let faults: SealedFaults
    let request: SealedInnerRequest
  }

  /// The checks in the node's order: form, session, seal, id, and only then what is inside. So a forged request spends
  /// no id, and one that opened does even if it makes no sense.
  private nonisolated func open(_ request: HTTPRequest) async throws -> Opened {
    let envelope = try Self.body(of: request, limit: limits.envelope)
    guard envelope.count >= Envelope.minimumSize else {
      throw NodeRefusal.malformed("the envelope is too short")
    }
    guard let header = envelope.withUnsafeBytes({ EnvelopeHeader(of: $0) }) else {
      throw NodeRefusal.unsupportedVersion
    }
    guard let session = await session(header.sessionId) else { throw NodeRefusal.unknownSession }
    let inside = Envelope.open(envelope, header: header, cipher: session.requestCipher)
    if case .notOpened = inside { throw NodeRefusal.undecryptable }
    let faults = try await admit(header)
    guard case .parts(let headBytes, let body) = inside, let head = InnerRequestHead(parsing: headBytes)
    else {
      throw NodeRefusal.malformed("the request inside the envelope")
    }
    guard !InnerRouting.namesEnvelope(head.path) else {
      throw NodeRefusal.malformed("an envelope inside an envelope")
    }
    var headers = InnerRouting.headers(head.headers, bodyCount: body.count, outer: request)
    if head.headers["upgrade"] != nil { headers["upgrade"] = head.headers["upgrade"] }
    return Opened(
      header: header, session: session, life: life.withLock { $0 }, faults: faults,
      request: SealedInnerRequest(
        method: head.method, path: head.path, headers: headers, body: body, requestId: header.requestId,
        sessionId: header.sessionId))
  }

  private nonisolated func answer(
    _ request: SealedInnerRequest, unguarded: SealedFaults.Unguarded?,
    _ route: @Sendable (SealedInnerRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    if request.headers["upgrade"] != nil {
      return Self.inside(501, code: nil, "a connection cannot be upgraded inside an envelope; use events")
    }
    if let unguarded, !InnerRouting.isServedUnguarded(request.path, unguarded) {
      return Self.inside(
        403, code: .sealedRouteUnguarded, "this node's authentication cannot see inside an envelope")
    }
    return try await route(request)
  }

  private nonisolated func sealed(_ response: HTTPResponse, _ opened: Opened) -> HTTPResponse {
    let life = life
    let conditions = SealedFrameStream.Conditions(
      clock: clock, endsAt: opened.session.endsAt, isRunning: { life.withLock { $0 } == opened.life },
      cutAfterFrames: opened.faults.cutAfterFrames, tamperFrame: opened.faults.tamperFrame,
      frameDelay: opened.faults.frameDelay)
    let frames = SealedFrameStream(
      response, writer: FrameWriter(cipher: opened.session.responseCipher, header: opened.header),
      conditions: conditions)
    return HTTPResponse(
      status: 200,
      headers: [
        "content-type": SealedProtocol.contentType, "cache-control": "no-store", "x-accel-buffering": "no",
      ],
      body: HTTPBody(next: { try await frames.next() }, cancel: { frames.cancel() }))
  }

  private func session(_ id: [UInt8]) -> NodeSession? {
    sessions.find(id, at: clock.uptime())
  }

  /// Takes the request's id, and the faults that its response will have.
  private func admit(_ header: EnvelopeHeader) throws -> SealedFaults {
    guard let isNew = sessions.admit(header.requestId, in: header.sessionId, at: clock.uptime()) else {
      throw NodeRefusal.unknownSession
    }
    guard isNew else { throw NodeRefusal.replayed }
    counted.exchanges += 1
    return currentFaults.forNextResponse()
  }

  private func proxyPage() -> HTTPResponse? {
    guard currentFaults.proxyTimes > 0 else { return nil }
    currentFaults.proxyTimes -= 1
    return HTTPResponse(
      status: currentFaults.proxyStatus, headers: ["content-type": "text/html"],
      body: HTTPBody(Data("<html><body>Bad gateway</body></html>".utf8)))
  }

  private func countRefusal() {
    counted.refusedExchanges += 1
  }

  private static func inside(_ status: Int, code: SealedErrorCode?, _ message: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "application/json"],
      body: HTTPBody(errorBody(code: code?.rawValue, message: message)))
  }

  private static func body(of request: HTTPRequest, limit: Int) throws -> Data {
    let body: Data
    switch request.body {
    case nil: body = Data()
    case .data(let data): body = data
    case .file(let url): body = try Data(contentsOf: url, options: .mappedIfSafe)
    }
    guard body.count <= limit else { throw NodeRefusal.tooLarge }
    return body
  }

  private static func newKey(_ random: MeroRandom) -> X25519.PrivateKey {
    do {
      return try X25519.PrivateKey(bytes: random.bytes(X25519.keySize))
    } catch {
      // Any 32 bytes are an X25519 key, so the source gave another number, or the system's library is broken.
      preconditionFailure("no transport key can be made: \(error)")
    }
  }
}
