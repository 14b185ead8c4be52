import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests over the network, with the same behaviour on Apple systems, through `URLSession`, and on Linux, through
/// libcurl.
///
/// What differs from plain `URLSession`: limits are kept by this type (`connectTimeout` until there is a connection,
/// `timeout` until the head, `idleTimeout` for silence), no redirect is followed, no cookie, cached answer or stored credential is used, a 401 is a response
/// whatever it asks for, and the body streams as it is read: a slow reader holds the sender back.
///
/// A given session is used on Linux too. There it has a new connection for each request, and a slow reader loses its
/// body when 64 MiB of it are waiting.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.send(HTTPRequest(.get, url, timeout: 10))
/// let body = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// `send` throws ``TransportError`` when no response came, `CancellationError` when its task was cancelled.
public final class URLSessionTransport: HTTPTransport {
  private let connections: any Connections
  private let clock: MeroClock

  /// A transport with connections of its own, used again while they are fresh.
  ///
  /// A given session lends its configuration (`protocolClasses`, additional headers, proxies, TLS versions); its
  /// delegate, cookies, cache, credentials and timeouts are not used.
  public convenience init(session: URLSession? = nil) {
    self.init(session: session, clock: .system)
  }

  /// A transport whose limits are measured by `clock`.
  package init(session: URLSession? = nil, clock: MeroClock) {
    #if canImport(CCurl)
      connections = session.map { SessionConnections(like: $0) } ?? CurlConnections()
    #else
      connections = SessionConnections(like: session)
    #endif
    self.clock = clock
  }

  /// A transport over other connections than its own.
  init(connections: any Connections, clock: MeroClock = .system) {
    self.connections = connections
    self.clock = clock
  }

  /// Sends `request` once and returns with the head of the answer, whatever its status.
  ///
  /// Throws ``TransportError`` when there is no answer, `CancellationError` when the task is cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if let limit = [request.connectTimeout, request.timeout, request.idleTimeout].compactMap({ $0 }).first(
      where: { !($0 > 0) })
    {
      throw TransportError(
        kind: .timedOut, text: "a limit of \(spelled(limit)) leaves no time to send the request",
        mayHaveBeenSent: false)
    }
    let exchange = try connections.exchange(for: request, clock: clock)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { exchange.begin($0) }
      return try exchange.takeHead()
    } onCancel: {
      exchange.cancel()
    }
  }
}
