import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of a `URLSession` without a network, for tests of an app that gives its clients a session.
///
/// Each session can have a handler of its own, so tests may run at the same time:
///
/// ```swift
/// let session = MockURLProtocol.makeSession { request in
///   guard request.url?.path == "/admin-api/health" else { return .init(status: 404) }
///   return .init(status: 200, body: Data(#"{"data":{"status":"alive"}}"#.utf8))
/// }
/// let mero = Mero(config: MeroConfig(baseURL: node), session: session)
/// ```
///
/// A body may come in pieces, on a clock that the test moves, as an event stream's does:
///
/// ```swift
/// let session = MockURLProtocol.makeSession(clock: clock.clock) { _ in
///   .init(
///     headers: ["content-type": "text/event-stream"],
///     chunks: [.init(": hello\n\n"), .init("data: {}\n\n", after: 5), .failure(.networkConnectionLost, after: 1)])
/// }
/// ```
///
/// A handler that throws makes the request fail; an error that is no `URLError` reaches the session as it is. Nothing of a
/// session with this class ever goes to the network. On Linux a body that `URLSession.upload` was given is not there:
/// `URLSession` keeps it from all its protocols. The clients of this package send none that way through such a session.
public class MockURLProtocol: URLProtocol {
  /// Answers a request, whose body is in `httpBody` however it was given. Cancelled when the request is.
  public typealias Handler = @Sendable (URLRequest) async throws -> Stub

  private let exchange = MockExchange()

  // MARK: Sessions

  /// A session whose requests are answered by `handler`, and by nothing else.
  ///
  /// - Parameter clock: measures the delays of pieces.
  public static func makeSession(clock: MeroClock = .system, _ handler: @escaping Handler) -> URLSession {
    session(of: MockRoutes.add(MockRoute(handler: handler, clock: clock)))
  }

  /// A session whose requests are answered by what ``setHandler(clock:_:)`` was given last.
  public static func makeSession() -> URLSession { session(of: MockURLProtocol.self) }

  /// Answers the requests of all sessions of ``makeSession()``, also those that were made before. Tests that use it cannot run
  /// at the same time.
  ///
  /// - Parameter clock: measures the delays of pieces.
  public static func setHandler(clock: MeroClock = .system, _ handler: @escaping Handler) {
    MockRoutes.set(MockRoute(handler: handler, clock: clock), for: MockURLProtocol.self)
  }

  /// Forgets the handler of ``setHandler(clock:_:)``: requests fail that have none. Sessions with a handler of their own keep it.
  public static func reset() { MockRoutes.set(nil, for: MockURLProtocol.self) }

  private static func session(of protocolClass: MockURLProtocol.Type) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [protocolClass]
    return URLSession(configuration: configuration)
  }

  // MARK: URLProtocol

  /// Every request is answered here.
  override public class func canInit(with request: URLRequest) -> Bool { true }

  /// The request as it is.
  override public class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Asks the handler.
  override public func startLoading() {
    exchange.begin(for: self, MockRoutes.route(of: type(of: self)))
  }

  /// Cancels the handler, and says no more.
  override public func stopLoading() { exchange.stop() }
}

/// Who answers, and by which clock.
struct MockRoute: Sendable {
  let handler: MockURLProtocol.Handler
  let clock: MeroClock
}

/// The handlers by the class that they belong to: a `URLSession` makes its protocols by itself, and all that it takes from a
/// test is a class.
enum MockRoutes {
  private struct State {
    var routes: [ObjectIdentifier: MockRoute] = [:]
    var count = 0
  }

  private static let state = Locked(State())

  static func route(of protocolClass: MockURLProtocol.Type) -> MockRoute? {
    state.withLock { $0.routes[ObjectIdentifier(protocolClass)] }
  }

  static func set(_ route: MockRoute?, for protocolClass: MockURLProtocol.Type) {
    state.withLock { $0.routes[ObjectIdentifier(protocolClass)] = route }
  }

  /// Makes a class for a route.
  static func add(_ route: MockRoute) -> MockURLProtocol.Type {
    state.withLock { state in
      state.count += 1
      let protocolClass = NumberedProtocol.type(state.count)
      state.routes[ObjectIdentifier(protocolClass)] = route
      return protocolClass
    }
  }
}
