import Foundation
import MeroHTTP
import MeroSealed
import MeroWire

/// One node of a ``FakeCloud``. It runs the real sealed channel: handshake, sessions, replay window, frames.
///
/// ``handle(_:)`` is its one door, for the cluster's in-memory transport and for a listener on a socket alike. Whatever
/// a node does wrong in the wild it can be told to do here, see ``down()``, ``loseAnswer(times:operation:)`` and others.
public final class FakeCloudNode: Sendable {
  /// The node's place in the cluster, from 0.
  public let index: Int
  /// The node's id, as in `x-calimero-node`.
  public let id: String
  let responder: SealedResponder
  let store: ClusterStore
  let faults = Locked(NodeFaults())
  let address: Locked<NodeAddress>
  /// Makes the node's quotes; nil where they are mock ones.
  let tdx: TestPKI?
  private let clusterId: [UInt8]
  private let document: APIDocument
  private let log: LogKeeper
  private let notes: ClusterNotes
  private let random: MeroRandom

  init(
    index: Int, id: String, url: URL, clusterId: [UInt8], store: ClusterStore, document: APIDocument,
    log: LogKeeper, notes: ClusterNotes, random: MeroRandom, tdx: TestPKI?
  ) {
    self.index = index
    self.id = id
    address = Locked(NodeAddress(url))
    self.clusterId = clusterId
    self.tdx = tdx
    self.store = store
    self.document = document
    self.log = log
    self.notes = notes
    self.random = random
    var limits = SealedLimits.standard
    // A test may stand a hundred clients up in an instant of its clock.
    limits.handshakesPerSecond = 10_000
    limits.handshakeBurst = 10_000
    responder = SealedResponder(clock: store.clock, random: random, limits: limits)
  }

  /// Where the node is reached.
  public var url: URL { address.withLock { $0.url } }

  /// What the sealed channel has seen.
  public var handshakeCount: Int {
    get async { await responder.counters.handshakes }
  }

  /// Answers a request that arrives at the node.
  ///
  /// Only attestation, health and, at the first node, the consent page and the one of invitations are answered in the clear; everything else comes
  /// through the sealed endpoints or is refused with 403 `sealed_required`. Throws `TransportError` when the connection is to be dropped (refused, when
  /// its kind is `cannotConnect`).
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    let path = address.withLock { $0 }.innerPath(of: request.url)
    let door = Self.door(request.method, path)
    let ticket = log.enter(
      FakeCloudLog.Outer(
        node: index, method: request.method.rawValue, path: path,
        isSealed: door == .handshake || door == .exchange))
    try await stopAtTheDoor(request)
    let response = try await answer(request, path, door)
    log.answered(outer: ticket, status: response.status)
    return response
  }

  private func stopAtTheDoor(_ request: HTTPRequest) async throws {
    let (reach, delay) = faults.withLock { ($0.reach, $0.delay) }
    switch reach {
    case .up: break
    case .down:
      throw TransportError(kind: .cannotConnect, text: "no way leads to the node", mayHaveBeenSent: false)
    case .refusing:
      throw TransportError(kind: .cannotConnect, text: "the connection was refused", mayHaveBeenSent: false)
    case .silent: try await timeOut(request.timeout)
    case .blackHole:
      // Nothing tells a connection that comes late from one that never does.
      try await store.clock.sleep(min(request.connectTimeout ?? 86_400, request.timeout ?? 86_400))
      throw TransportError(kind: .timedOut, text: "no connection was made in time", mayHaveBeenSent: false)
    }
    guard delay > 0 else { return }
    if let timeout = request.timeout, timeout <= delay { try await timeOut(timeout) }
    try await store.clock.sleep(delay)
  }

  private func timeOut(_ timeout: TimeInterval?) async throws -> Never {
    try await store.clock.sleep(timeout ?? 86_400)
    throw TransportError(kind: .timedOut, text: "the node did not answer in time", mayHaveBeenSent: true)
  }

  private func answer(_ request: HTTPRequest, _ path: String, _ door: Door?) async throws -> HTTPResponse {
    if let door, let status = faults.withLock({ $0.takeProxy(at: door) }) { return Self.page(status) }
    switch door {
    case .handshake: return await responder.handshake(request)
    case .exchange: return try await exchange(request)
    case .attestation: return try await serveUnsealed(request, path)
    case nil where request.method == .get && path == "/health": return try await serveUnsealed(request, path)
    case nil where path == "/sealed/v2" || path == "/sealed/v2/handshake": return HTTPResponse(status: 405)
    case nil:
      if index == 0, let page = try await consentDoor.answer(request, path) { return page }
      let refusal: JSONValue = [
        "error": ["code": "sealed_required", "message": "this node answers inside the sealed channel only"]
      ]
      return HTTPResponse(
        status: 403, headers: ["content-type": "application/json"], body: HTTPBody(refusal.data()))
    }
  }

  private func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
    let isLost = Locked(false)
    let response = await responder.exchange(request) { inner in
      let answer: HTTPResponse?
      do {
        answer = try await self.serve(inner, idleTimeout: request.idleTimeout)
      } catch let error as TransportError where error.kind == .lost {
        answer = nil
      }
      guard let answer else {
        isLost.withLock { $0 = true }
        throw CancellationError()
      }
      return answer
    }
    if isLost.withLock({ $0 }) {
      response.body.cancel()
      throw TransportError(kind: .lost, text: "the connection was lost", mayHaveBeenSent: true)
    }
    return response
  }

  private func serveUnsealed(_ request: HTTPRequest, _ path: String) async throws -> HTTPResponse {
    var body = Data()
    if case .data(let data)? = request.body { body = data }
    return try await serveUnsealed(
      SealedInnerRequest(
        method: request.method.rawValue, path: path, headers: request.headers, body: body, requestId: 0,
        sessionId: []))
  }

  private var consentDoor: ConsentDoor {
    ConsentDoor(store: store, document: document, isMock: tdx == nil) { try await self.serveUnsealed($0) }
  }

  private func serveUnsealed(_ inner: SealedInnerRequest) async throws -> HTTPResponse {
    let server = NodeServer(node: self, store: store, document: document, notes: notes)
    return try await server.serve(inner, requestId: requestId(inner), idleTimeout: nil) { _ in }.response
  }

  /// Answers a request that came sealed; `nil` when the answer is to be lost.
  private func serve(_ inner: SealedInnerRequest, idleTimeout: TimeInterval?) async throws -> HTTPResponse? {
    let requestId = requestId(inner)
    let server = NodeServer(node: self, store: store, document: document, notes: notes)
    let ticket = Locked<LogKeeper.Ticket?>(nil)
    let answer = try await server.serve(inner, requestId: requestId, idleTimeout: idleTimeout) { exchange in
      let entry = FakeCloudLog.Inner(
        node: index, attempt: inner.headers["x-calimero-attempt"].flatMap { Int($0) } ?? 0,
        requestId: requestId, method: inner.method, path: inner.path, operation: exchange?.operation.id,
        idempotencyKey: exchange?.json?["idempotencyKey"]?.stringValue)
      ticket.withLock { $0 = log.enter(entry) }
      notes.lapses.note(HeaderDuties.lapses(of: inner, for: exchange?.operation))
    }
    if faults.withLock({ $0.takeLoss(for: answer.operation) }) {
      answer.response.body.cancel()
      return nil
    }
    if let made = faults.withLock({ $0.replacement })?(answer.operation) {
      answer.response.body.cancel()
      return made
    }
    if let ticket = ticket.withLock({ $0 }) {
      log.answered(inner: ticket, status: answer.response.status, code: answer.code)
    }
    return answer.response
  }

  private func requestId(_ inner: SealedInnerRequest) -> String {
    inner.headers["x-calimero-request-id"] ?? random.uuid()
  }

  /// A fresh quote over the client's nonce.
  func attest(_ fields: JSONObject) async -> JSONValue {
    let (fault, what) = faults.withLock { ($0.quote, $0.presented) }
    var nonce = (fields["nonce"]?.stringValue).flatMap { try? Hex.decode($0) } ?? []
    let key = await responder.transportPublicKey()
    var cluster = clusterId
    var boundKey = key
    switch fault {
    case .wrongNonce: nonce = random.bytes(32)
    case .wrongKey: boundKey = random.bytes(32)
    case .wrongCluster: cluster = random.bytes(32)
    case .unsigned, .malformed, nil: break
    }
    let data = FakeQuote.reportData(
      nonce: nonce, key: fields["bindTransportKey"]?.boolValue ?? true ? boundKey : nil,
      clusterId: fields["bindCluster"]?.boolValue ?? true ? cluster : nil)
    let presented: Attestation.Presented
    switch fault {
    case .unsigned:
      presented = .init(quote: FakeQuote.unsigned(data, random: { random.bytes($0) }), release: "2.3.109")
    case .malformed: presented = .init(quote: Array("not a quote".utf8), release: "dev")
    default: presented = what.presented(data, by: tdx, at: store.clock.now())
    }
    var answer: JSONObject = [
      "quoteB64": .string(Data(presented.quote).base64EncodedString()),
      "transportPublicKey": .string(Hex.encode(key)), "clusterId": .string(Hex.encode(cluster)),
      "release": .string(presented.release),
    ]
    if fields["includeCollateral"]?.boolValue == true { answer["collateral"] = presented.collateral }
    return .object(answer)
  }

  private static func door(_ method: HTTPMethod, _ path: String) -> Door? {
    guard method == .post else { return nil }
    switch path {
    case "/tee/attest": return .attestation
    case "/sealed/v2/handshake": return .handshake
    case "/sealed/v2": return .exchange
    default: return nil
    }
  }

  private static func page(_ status: Int) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["content-type": "text/html"],
      body: HTTPBody(Data("<html><body>The server behind this proxy did not answer.</body></html>".utf8)))
  }
}
