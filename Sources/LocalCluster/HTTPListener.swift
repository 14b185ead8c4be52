import Foundation
import MeroHTTP

/// An HTTP/1.1 server on one port of this machine, over libmicrohttpd.
///
/// A request reaches the handler when its body is complete. The response's body is sent as it comes: the handler's
/// stream is asked for more only as fast as the client reads.
///
/// ```swift
/// let listener = HTTPListener(port: 0) { request in HTTPResponse(status: 200, body: HTTPBody(Data("hello".utf8))) }
/// let port = try listener.start()
/// ```
///
/// A handler that throws closes the connection without an answer, and a body that throws cuts it in the middle: so a
/// failing node looks to a client like one. When the client leaves or the listener stops, the handler's task and the
/// response's body are cancelled. A client that closes only its sending side counts as gone.
package final class HTTPListener: Sendable {
  package typealias Handler = @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// What a client may send. Beyond, it is answered 431 or 413.
  package struct Limits: Sendable, Hashable {
    /// Bytes of the request line and the header fields.
    package var head: Int
    /// Bytes of a body. A sealed request has up to 64 MiB, and the node should be the one to refuse a larger one.
    package var body: Int
    /// Connections at once; others wait.
    package var connections: UInt32

    package init(head: Int = 32 << 10, body: Int = 65 << 20, connections: UInt32 = 4_096) {
      self.head = head
      self.body = body
      self.connections = connections
    }
  }

  private let port: UInt16
  private let host: String
  private let limits: Limits
  private let handler: Handler
  private let running = Locked<ListenerDaemon?>(nil)

  /// A listener that does nothing before ``start()``. `host` is an IPv4 or IPv6 address; port 0 takes a free one that
  /// no other listener or connection is given meanwhile.
  package init(
    port: UInt16, host: String = "127.0.0.1", limits: Limits = Limits(), handler: @escaping Handler
  ) {
    self.port = port
    self.host = host
    self.limits = limits
    self.handler = handler
  }

  deinit {
    running.withLock { $0 }?.stop()
  }

  /// Binds the port and begins to answer. Returns the port, also when it was started before.
  @discardableResult
  package func start() throws(ListenerError) -> UInt16 {
    try running.withLock { (running: inout ListenerDaemon?) throws(ListenerError) -> UInt16 in
      if let running { return running.port }
      let daemon = try ListenerDaemon(port: port, host: host, limits: limits, handler: handler)
      running = daemon
      return daemon.port
    }
  }

  /// Frees the port and ends every connection, also those in the middle of a stream. It can be started again.
  package func stop() async {
    let daemon = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let daemon else { return }
    await withCheckedContinuation { continuation in
      // Stopping joins libmicrohttpd's thread, which must not hold up a thread of Swift concurrency.
      DispatchQueue.global().async {
        daemon.stop()
        continuation.resume()
      }
    }
  }
}
