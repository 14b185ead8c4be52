import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The connections of a `URLSession`.
///
/// On Apple one session serves all. On Linux each exchange has a session, and so a connection, of its own: when a
/// connection that was used before ends without an answer, libcurl sends the request again by itself, a `POST` as
/// well. It would run twice; one with a body hangs, because the second time its body is not sent.
final class SessionConnections: Connections {
  /// A week: the session's own timers must not fire before ours, and a larger number overflows some of them.
  static let unlimited: TimeInterval = 7 * 24 * 3600

  /// Whether large files may be left to a session.
  private let sendsFiles: Bool

  #if os(Linux)
    private let configuration: URLSessionConfiguration

    init(like session: URLSession?) {
      configuration = Self.configuration(like: session)
      sendsFiles = !Self.isIntercepted(configuration)
    }

    func exchange(for request: HTTPRequest, clock: MeroClock) throws -> Exchange {
      let file = sendsFiles ? request.body?.largeFile : nil
      let outgoing = try URLRequest(request, leaving: file)
      let delegate = ExchangeDelegate()
      let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
      // The session ends with its task; until then it keeps itself, its delegate and the exchange.
      defer { session.finishTasksAndInvalidate() }
      let task = session.task(for: outgoing, file: file)
      return Exchange(
        task: PacedTask(SessionTransfer(task, delegate: delegate), clock: clock), request: request,
        clock: clock)
    }
  #else
    private let session: URLSession
    private let delegate = ExchangeDelegate()

    init(like session: URLSession?) {
      let configuration = Self.configuration(like: session)
      sendsFiles = !Self.isIntercepted(configuration)
      self.session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit {
      // Bodies that are still being read go on; without this the session would keep its delegate for ever.
      session.finishTasksAndInvalidate()
    }

    func exchange(for request: HTTPRequest, clock: MeroClock) throws -> Exchange {
      let file = sendsFiles ? request.body?.largeFile : nil
      let task = session.task(for: try URLRequest(request, leaving: file), file: file)
      return Exchange(
        task: PacedTask(SessionTransfer(task, delegate: delegate), clock: clock), request: request,
        clock: clock)
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
  fileprivate func task(for request: URLRequest, file: URL?) -> URLSessionTask {
    guard let file else { return dataTask(with: request) }
    return uploadTask(with: request, fromFile: file)
  }
}
