import Foundation
import MeroCrypto
import MeroHTTP

/// The sealed way to one node: every request through it is encrypted to the key the node attested (50 §1).
///
/// It opens a session when the first request needs one, shares it between all requests and streams, and replaces it
/// before it ends. Nothing of a request is ever sent in the clear: what cannot be sealed is not sent.
///
/// ```swift
/// let channel = try SealedChannel(base: url, attest: { _ in try await attest() }, transport: transport)
/// let response = try await channel.send(HTTPRequest(.get, url.appendingPathComponent("account")))
/// ```
///
/// Errors: `SealedError`; `TransportError` from the transport, with `mayHaveBeenSent == false` as long as only
/// attestation and handshake were under way; whatever `attest` throws, unchanged; `CancellationError`.
package actor SealedChannel: HTTPTransport {
  /// Seconds that each step of opening a session may take.
  package struct Timeouts: Sendable {
    package var attest: TimeInterval
    package var handshake: TimeInterval
    /// Until a request that is sent within the session has a connection.
    package var connect: TimeInterval

    package init(attest: TimeInterval = 15, handshake: TimeInterval = 15, connect: TimeInterval = 10) {
      self.attest = attest
      self.handshake = handshake
      self.connect = connect
    }
  }

  /// Answers the node's transport key. Given a key, it must not rely on what it knows: the node disowned that one.
  package typealias Attest = @Sendable (_ previous: [UInt8]?) async throws -> [UInt8]

  private nonisolated let base: SealedBase
  private nonisolated let transport: any HTTPTransport
  private nonisolated let clock: MeroClock
  private nonisolated let random: MeroRandom
  private nonisolated let timeouts: Timeouts
  private nonisolated let attest: Attest
  private nonisolated let reattests: Bool

  private var transportKey: [UInt8]?
  private var session: ClientSession?
  private var opening: Opening?
  private var lastNumber = 0

  /// The one opening under way, and who waits for it.
  private struct Opening {
    let number: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<Int, any Error>] = [:]
  }

  /// A channel that learns the node's key from `attest`, at the first request and again when the node disowns it.
  ///
  /// With `reattests` false a disowned key is final and `SealedError.staleTransportKey` is thrown.
  /// Throws `SealedError.outsideBase` when `base` is not an absolute `http` or `https` URL.
  package init(
    base: URL, attest: @escaping Attest, reattests: Bool = true, transport: any HTTPTransport,
    clock: MeroClock = .system, random: MeroRandom = .system, timeouts: Timeouts = Timeouts()
  ) throws(SealedError) {
    self.base = try SealedBase(base)
    self.attest = attest
    self.reattests = reattests
    self.transport = transport
    self.clock = clock
    self.random = random
    self.timeouts = timeouts
  }

  /// A channel to the holder of a key that is known already.
  package init(
    base: URL, key: [UInt8], transport: any HTTPTransport, clock: MeroClock = .system,
    random: MeroRandom = .system
  ) throws(SealedError) {
    try self.init(
      base: base, attest: { _ in key }, reattests: false, transport: transport, clock: clock, random: random)
  }

  // MARK: Requests

  /// Sends a request whose URL is inside the base.
  package nonisolated func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path = try base.innerPath(of: request.url)
    let head = InnerRequestHead(method: request.method.rawValue, path: path, headers: request.headers)
    return try await send(
      head, body: try Self.bytes(of: request.body), timeout: request.timeout, idleTimeout: request.idleTimeout
    )
  }

  /// Sends a request by its inner path, which begins with `/` and is relative to the base.
  ///
  /// - Parameters:
  ///   - timeout: seconds until the response's head has opened.
  ///   - idleTimeout: seconds without a byte, before the head and within the body.
  package nonisolated func send(
    method: String, innerPath: String, headers: [(String, String)] = [], body: Data = Data(),
    timeout: TimeInterval? = nil, idleTimeout: TimeInterval? = nil
  ) async throws -> HTTPResponse {
    let head = InnerRequestHead(method: method, path: innerPath, headers: HTTPHeaders(headers))
    return try await send(head, body: body, timeout: timeout, idleTimeout: idleTimeout)
  }

  /// Opens a session unless there is one. Sending does so too; doing it apart tells a caller who runs out of time that
  /// nothing was sent yet.
  package func open() async throws {
    try Task.checkCancellation()
    guard session?.isFit(at: clock.uptime()) != true else { return }
    _ = try await openedSession()
  }

  // MARK: State

  /// How many wait for the session that is being opened.
  package var waiterCount: Int { opening?.waiters.count ?? 0 }

  package func hasSession() -> Bool {
    session != nil
  }

  /// Drops the session's keys; the next request opens a new one.
  package func dropSession() {
    session = nil
  }

  /// Has the node attested again before the next session; the current session goes on.
  package func forgetAttestation() {
    transportKey = nil
  }

  /// Drops all keys and gives up an opening under way. A later request begins anew.
  package func close() {
    session = nil
    transportKey = nil
    guard let abandoned = opening else { return }
    opening = nil
    abandoned.task.cancel()
    for waiter in abandoned.waiters.values { waiter.resume(throwing: CancellationError()) }
  }

  // MARK: One exchange

  private nonisolated func send(
    _ head: InnerRequestHead, body: Data, timeout: TimeInterval?, idleTimeout: TimeInterval?
  ) async throws -> HTTPResponse {
    let head = try head.encoded()
    guard body.count <= SealedProtocol.envelopeLimit,
      Envelope.size(head: head.count, body: body.count) <= SealedProtocol.envelopeLimit
    else { throw SealedError.requestTooLarge }
    let content = Content(head: head, body: body, timeout: timeout, idleTimeout: idleTimeout)
    let ticket = try await ticket()
    do {
      return try await exchange(content, ticket)
    } catch SealedError.refused(let refusal) where refusal.code == .unknownSession {
      // The node ran nothing, so the same request goes out once more under a new session and id.
      await discard(ticket.session)
    }
    let second = try await self.ticket()
    do {
      return try await exchange(content, second)
    } catch let error as SealedError {
      if case .refused(let refusal) = error, refusal.code == .unknownSession { await discard(second.session) }
      throw error
    }
  }

  private struct Content: Sendable {
    let head: [UInt8]
    let body: Data
    let timeout: TimeInterval?
    let idleTimeout: TimeInterval?
  }

  private nonisolated func exchange(_ content: Content, _ ticket: ExchangeTicket) async throws -> HTTPResponse
  {
    let envelope = try Envelope.seal(
      head: content.head, body: content.body, header: ticket.header, cipher: ticket.requestCipher)
    let outer = HTTPRequest(
      .post, base.exchangeURL, headers: ["content-type": SealedProtocol.contentType], body: .data(envelope),
      connectTimeout: timeouts.connect, timeout: content.timeout, idleTimeout: content.idleTimeout)
    guard let timeout = content.timeout else { return try await answer(to: outer, ticket) }
    return try await withDeadline(timeout, clock: clock) { try await self.answer(to: outer, ticket) }
  }

  private nonisolated func answer(to outer: HTTPRequest, _ ticket: ExchangeTicket) async throws
    -> HTTPResponse
  {
    let response = try await transport.send(outer)
    guard response.isSealed else {
      throw SealedError.refused(try await SealedRefusal(response, at: .exchange))
    }
    let reader = FrameReader(cipher: ticket.responseCipher, header: ticket.header)
    let body = SealedResponseBody(response.body, reader: reader) { [weak self] in
      await self?.discard(ticket.session)
    }
    let head = try await body.head()
    if SealedProtocol.hasNoBody(head.status) {
      body.cancel()
      return HTTPResponse(status: head.status, headers: head.headers)
    }
    return HTTPResponse(
      status: head.status, headers: head.headers,
      body: HTTPBody(next: { try await body.next() }, cancel: { body.cancel() }))
  }

  private nonisolated static func bytes(of body: HTTPRequestBody?) throws -> Data {
    switch body {
    case nil: return Data()
    case .data(let data): return data
    case .file(let url):
      // The size first: a file that cannot be sent is not read.
      guard let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? UInt64,
        let data = size <= UInt64(SealedProtocol.envelopeLimit)
          ? try? Data(contentsOf: url, options: .mappedIfSafe) : Data()
      else {
        throw TransportError(
          kind: .cannotConnect, text: "the file \(url.lastPathComponent) cannot be read",
          mayHaveBeenSent: false)
      }
      guard size <= UInt64(SealedProtocol.envelopeLimit) else { throw SealedError.requestTooLarge }
      return data
    }
  }

  // MARK: Sessions

  /// A request id in a session that is fit for use.
  private func ticket() async throws -> ExchangeTicket {
    try Task.checkCancellation()
    if session?.isFit(at: clock.uptime()) == true, let ticket = session?.ticket() {
      return ticket
    }
    while true {
      let opened = try await openedSession()
      // A session just opened is used even if the node gave it less life than we replace it by.
      if session?.number == opened, let ticket = session?.ticket() { return ticket }
      try Task.checkCancellation()
    }
  }

  /// Forgets a session that was found unusable, unless it has been replaced meanwhile.
  private func discard(_ number: Int) {
    if session?.number == number { session = nil }
  }

  /// The number of the session that the one opening under way ends with; begins one if there is none.
  private func openedSession() async throws -> Int {
    lastNumber += 1
    let number = lastNumber
    if opening == nil {
      opening = Opening(number: number, task: Task { await self.runOpening(number) })
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled || opening == nil {
          continuation.resume(throwing: CancellationError())
          abandonIfUnwanted()
        } else {
          opening?.waiters[number] = continuation
        }
      }
    } onCancel: {
      // Carries the cancellation into the actor, nothing more. It may find the waiter gone.
      Task { await self.abandon(number) }
    }
  }

  private func abandon(_ waiter: Int) {
    opening?.waiters.removeValue(forKey: waiter)?.resume(throwing: CancellationError())
    abandonIfUnwanted()
  }

  /// An opening that nobody waits for any more is given up.
  private func abandonIfUnwanted() {
    guard let unwanted = opening, unwanted.waiters.isEmpty else { return }
    opening = nil
    unwanted.task.cancel()
  }

  private func runOpening(_ number: Int) async {
    let result: Result<ClientSession, any Error>
    do {
      result = .success(try await open(number))
    } catch {
      result = .failure(error)
    }
    guard let finished = opening, finished.number == number else { return }
    opening = nil
    if case .success(let opened) = result { session = opened }
    for waiter in finished.waiters.values { waiter.resume(with: result.map(\.number)) }
  }

  private func open(_ number: Int) async throws -> ClientSession {
    var key: [UInt8]
    if let known = transportKey { key = known } else { key = try await attestedKey(nil, for: number) }
    var hasReattested = false
    var hasWaited = false
    while true {
      do {
        return try await shakeHands(number, key)
      } catch SealedError.refused(let refusal) where refusal.code == .staleTransportKey {
        guard reattests, !hasReattested else { throw SealedError.staleTransportKey }
        hasReattested = true
        transportKey = nil
        key = try await attestedKey(key, for: number)
      } catch SealedError.refused(let refusal) where refusal.code == .busy && !hasWaited {
        hasWaited = true
        try await clock.sleep(refusal.wait)
      }
    }
  }

  private func attestedKey(_ previous: [UInt8]?, for number: Int) async throws -> [UInt8] {
    let attest = attest
    let key = try await beforeSending {
      try await withDeadline(self.timeouts.attest, clock: self.clock) { try await attest(previous) }
    }
    if opening?.number == number { transportKey = key }
    return key
  }

  private nonisolated func shakeHands(_ number: Int, _ key: [UInt8]) async throws -> ClientSession {
    // The node counts from when it answers, which is later: this side never believes in a session for longer.
    let startedAt = clock.uptime()
    var handshake = try ClientHandshake(
      transportKey: key, ephemeral: try X25519.PrivateKey(bytes: random.bytes(X25519.keySize)))
    let outer = HTTPRequest(
      .post, base.handshakeURL, headers: ["content-type": SealedProtocol.contentType],
      body: .data(handshake.requestBody), timeout: timeouts.handshake)
    let reply = try await beforeSending {
      try await withDeadline(self.timeouts.handshake, clock: self.clock) {
        let response = try await self.transport.send(outer)
        guard response.isSealed else {
          throw SealedError.refused(try await SealedRefusal(response, at: .handshake))
        }
        do {
          return try await response.body.collect(upTo: SealedProtocol.handshakeReplyLimit)
        } catch let error as TransportError where error.kind == .tooLarge {
          throw SealedError.malformedReply("the handshake reply's length")
        }
      }
    }
    let result = try handshake.read(reply)
    return try ClientSession(
      number: number, id: result.sessionId, keys: result.keys, openedAt: startedAt,
      lifetime: TimeInterval(result.lifetime))
  }

  /// Until a session is open the caller's request has not left, so it can safely go to another node.
  private nonisolated func beforeSending<T: Sendable>(
    _ step: @Sendable () async throws -> T
  ) async throws -> T {
    do {
      return try await step()
    } catch let error as TransportError {
      throw TransportError(kind: error.kind, text: error.text, mayHaveBeenSent: false)
    }
  }
}
