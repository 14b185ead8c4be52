import Foundation
import MeroHTTP
import MeroWire

/// HTTP with one node: its base URL, the session's bearer and its renewal, retries of what may be repeated, and errors in
/// the words of ``MeroError``.
///
/// `mero.http` carries the session; one made with ``init(baseURL:transport:timeout:allowInsecureHTTP:clock:random:)`` has
/// none.
///
/// ```swift
/// let health: ApiResponse<[String: String]> = try await mero.http.get("/admin-api/health")
/// ```
///
/// A bearer is sent to the base URL's origin alone, redirects are not followed, and cleartext `http` is refused unless the
/// host is this machine or `allowInsecureHTTP` says otherwise. GET and HEAD are sent up to three times while the node is
/// away or busy; everything else once, unless it is said to be idempotent.
public struct NodeHTTP: Sendable {
  package let baseURL: URL
  package private(set) var timeout: TimeInterval
  package let clock: MeroClock
  package private(set) var session: (any NodeSession)?
  private(set) var transport: any HTTPTransport
  let random: MeroRandom
  let allowsInsecureHTTP: Bool

  /// A connection without a session.
  ///
  /// - Parameters:
  ///   - baseURL: the node's address, with or without a path prefix.
  ///   - timeout: seconds for each try of a request with its answer.
  ///   - allowInsecureHTTP: lets `http` go to hosts other than this machine.
  public init(
    baseURL: URL, transport: any HTTPTransport = URLSessionTransport(), timeout: TimeInterval = 10,
    allowInsecureHTTP: Bool = false, clock: MeroClock = .system, random: MeroRandom = .system
  ) {
    self.init(
      baseURL: baseURL, transport: transport, timeout: timeout, allowInsecureHTTP: allowInsecureHTTP,
      clock: clock, random: random, session: nil)
  }

  /// A connection with a session, or without one.
  package init(
    baseURL: URL, transport: any HTTPTransport, timeout: TimeInterval = 10, allowInsecureHTTP: Bool = false,
    clock: MeroClock = .system, random: MeroRandom = .system, session: (any NodeSession)?
  ) {
    self.baseURL = baseURL
    self.transport = transport
    self.timeout = timeout
    allowsInsecureHTTP = allowInsecureHTTP
    self.clock = clock
    self.random = random
    self.session = session
  }

  /// The same connection with another session.
  func with(session: (any NodeSession)?) -> NodeHTTP {
    var copy = self
    copy.session = session
    return copy
  }

  /// The same connection over another transport.
  func over(_ transport: any HTTPTransport) -> NodeHTTP {
    var copy = self
    copy.transport = transport
    return copy
  }

  /// The same connection with another limit, in seconds.
  func within(_ timeout: TimeInterval) -> NodeHTTP {
    var copy = self
    copy.timeout = timeout
    return copy
  }

  /// More bytes than this are no answer of a node; files are read with ``open(_:)``.
  package static let answerLimit = 32 << 20

  /// Sends a request and reads its answer whole.
  ///
  /// - Throws: ``MeroError``, also for every status outside 2xx, or `CancellationError`.
  package func send(_ request: NodeRequest) async throws -> NodeResponse {
    let call = try NodeCall(request, over: self)
    return try await call.run(attempts: request.mayBeRepeated ? NodeRetry.attempts : 1) { response in
      let body = try await response.body.collect(upTo: Self.answerLimit)
      return NodeResponse(status: response.status, headers: response.headers, body: body)
    }
  }

  /// Sends a request and returns with the head of its answer, within 2xx; the body is still on its way.
  ///
  /// It is sent once, and once more with a renewed bearer; ``NodeRequest/attempts`` may say otherwise.
  ///
  /// - Throws: ``MeroError``, also for every status outside 2xx, or `CancellationError`. Reading the body throws what the
  ///   transport throws.
  package func open(_ request: NodeRequest) async throws -> HTTPResponse {
    try await NodeCall(request, over: self).run(attempts: 1) { $0 }
  }

  /// Sends a request and decodes its answer.
  ///
  /// - Throws: ``MeroError``, or `CancellationError`.
  package func value<T: Decodable>(
    _ request: NodeRequest, _ type: T.Type = T.self, _ envelope: NodeEnvelope = .data
  ) async throws -> T {
    try envelope.value(type, in: try await send(request))
  }
}
