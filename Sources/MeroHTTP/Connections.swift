import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where exchanges get their session, and so their connection.
///
/// On Apple one session serves all. On Linux each exchange has a session, and so a connection, of its own: when a
/// connection that was used before ends without an answer, libcurl sends the request again by itself, a `POST` as
/// well. It would run twice; one with a body hangs, because the second time its body is not sent.
final class Connections: Sendable {
  /// A week: the session's own timers must not fire before ours, and a larger number overflows some of them.
  static let unlimited: TimeInterval = 7 * 24 * 3600

  #if os(Linux)
    private let configuration: URLSessionConfiguration
    /// Whether large files may be left to a session.
    let sendsFiles: Bool

    init(like session: URLSession?) {
      configuration = Self.configuration(like: session)
      sendsFiles = !Self.isIntercepted(configuration)
    }

    func begin(_ request: URLRequest, limits: HTTPRequest, clock: MeroClock) -> Exchange {
      let delegate = ExchangeDelegate()
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      // The session ends with its task; until then it keeps itself, its delegate and the exchange.
      defer { session.finishTasksAndInvalidate() }
      let task = session.task(for: request, body: limits.body)
      let exchange = Exchange(
        task: PacedTask(task, clock: clock), request: limits, clock: clock)
      delegate.add(exchange, for: task)
      return exchange
    }
  #else
    private let session: URLSession
    private let delegate = ExchangeDelegate()
    /// Whether large files may be left to the session.
    let sendsFiles: Bool

    init(like session: URLSession?) {
      let configuration = Self.configuration(like: session)
      sendsFiles = !Self.isIntercepted(configuration)
      self.session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
      // Bodies that are still being read go on; without this the session would keep its delegate for ever.
      session.finishTasksAndInvalidate()
    }

    func begin(_ request: URLRequest, limits: HTTPRequest, clock: MeroClock) -> Exchange {
      let task = session.task(for: request, body: limits.body)
      let exchange = Exchange(task: PacedTask(task, clock: clock), request: limits, clock: clock)
      delegate.add(exchange, for: task)
      return exchange
    }
  #endif

  /// Whether requests go to somebody else than the system. A `URLProtocol` sees no body that a session takes from a file.
  private static func isIntercepted(_ configuration: URLSessionConfiguration) -> Bool {
    let system = (URLSessionConfiguration.ephemeral.protocolClasses ?? []).map { ObjectIdentifier($0) }
    return (configuration.protocolClasses ?? []).contains { !system.contains(ObjectIdentifier($0)) }
  }

  private static func configuration(like session: URLSession?) -> URLSessionConfiguration {
    let given = session?.configuration.copy() as? URLSessionConfiguration
    let configuration = given ?? .ephemeral
    // All three: on Linux even an ephemeral session keeps and sends cookies.
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    // An open stream holds its connection; the default of 6 would make the seventh request wait for one to end.
    configuration.httpMaximumConnectionsPerHost = 1_000
    configuration.timeoutIntervalForRequest = unlimited
    configuration.timeoutIntervalForResource = unlimited
    return configuration
  }
}

extension URLSession {
  fileprivate func task(for request: URLRequest, body: HTTPRequestBody?) -> URLSessionTask {
    guard request.httpBody == nil, let file = body?.largeFile else { return dataTask(with: request) }
    return uploadTask(with: request, fromFile: file)
  }
}
