import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroSealed

/// A node and a channel to it, joined in memory, with everything between them on record.
final class SealedRig: Sendable {
  static let base = URL(string: "https://node.example/n1")!

  let clock = FakeClock()
  let responder: SealedResponder
  let wire: Wire
  let channel: SealedChannel
  let attestations = Locked(0)

  init(
    fixedKey: Bool = false, limits: SealedLimits = .standard,
    route: @escaping @Sendable (SealedInnerRequest) async throws -> HTTPResponse = { _ in
      HTTPResponse(status: 200, headers: ["content-type": "text/plain"], body: HTTPBody(Data("hello".utf8)))
    }
  ) async throws {
    let random = SeededRandom(seed: 1).random
    responder = SealedResponder(clock: clock.clock, random: random, limits: limits)
    wire = Wire(responder: responder, route: route)
    let (responder, attestations) = (responder, attestations)
    if fixedKey {
      channel = try SealedChannel(
        base: Self.base, key: await responder.transportPublicKey(), transport: wire, clock: clock.clock,
        random: random)
    } else {
      channel = try SealedChannel(
        base: Self.base,
        attest: { _ in
          attestations.withLock { $0 += 1 }
          return await responder.transportPublicKey()
        }, transport: wire, clock: clock.clock, random: random)
    }
  }

  func get(_ path: String = "/hello", headers: [(String, String)] = []) async throws -> HTTPResponse {
    try await channel.send(method: "GET", innerPath: path, headers: headers)
  }

  func text(_ path: String = "/hello") async throws -> String {
    String(decoding: try await get(path).body.collect(upTo: 1 << 20), as: UTF8.self)
  }
}

/// The wire between the two: hands requests to the node and remembers them.
final class Wire: HTTPTransport {
  struct Hooks: Sendable {
    var beforeExchange: @Sendable () async throws -> Void = {}
    /// Replaces what the node answered.
    var afterExchange: @Sendable (HTTPResponse) async throws -> HTTPResponse = { $0 }
    var afterHandshake: @Sendable (HTTPResponse) async throws -> HTTPResponse = { $0 }
  }

  private let responder: SealedResponder
  private let route: @Sendable (SealedInnerRequest) async throws -> HTTPResponse
  private let log = Locked<[HTTPRequest]>([])
  private let hooks = Locked(Hooks())

  init(
    responder: SealedResponder, route: @escaping @Sendable (SealedInnerRequest) async throws -> HTTPResponse
  ) {
    self.responder = responder
    self.route = route
  }

  var requests: [HTTPRequest] { log.withLock { $0 } }
  var paths: [String] { requests.map(\.url.path) }
  /// The request ids of the envelopes sent.
  var requestIds: [UInt64] {
    requests.filter { $0.url.path.hasSuffix("/v2") }.compactMap { request in
      guard case .data(let body) = request.body else { return nil }
      return body[17..<25].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  func change(_ change: (inout Hooks) -> Void) {
    hooks.withLock { change(&$0) }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    log.withLock { $0.append(request) }
    let hooks = hooks.withLock { $0 }
    if request.url.path.hasSuffix(SealedProtocol.handshakePath) {
      return try await hooks.afterHandshake(await responder.handshake(request))
    }
    try await hooks.beforeExchange()
    return try await hooks.afterExchange(await responder.exchange(request, route: route))
  }
}

/// Whether an error is the refusal of that code.
func isRefusal(_ error: (any Error)?, _ code: SealedErrorCode?, status: Int? = nil) -> Bool {
  guard case .refused(let refusal) = error as? SealedError else { return false }
  return refusal.code == code && (status == nil || refusal.status == status)
}

/// Runs `operation` and gives what it threw.
func failure(_ operation: () async throws -> Void) async -> (any Error)? {
  do {
    try await operation()
    return nil
  } catch {
    return error
  }
}
