import Foundation
import MeroHTTP
import MeroKitTestSupport

/// A single node on this machine: a ``FakeNode`` behind a real HTTP listener on loopback.
///
///     let local = LocalNode(port: 0)
///     let url = try await local.start()
///     defer { Task { await local.stop() } }
///
/// A stopped node's port refuses connections and its event sessions are gone, as of a process that has ended. What the node
/// keeps on its disk is still there when it starts again: users, sessions, contexts, blobs.
package struct LocalNode: Sendable {
  package let node: FakeNode
  private let host: LocalHost

  /// Makes the node without serving it; port 0 takes any free one.
  package init(port: UInt16, node: FakeNode? = nil) {
    let node = node ?? FakeNode(url: "http://127.0.0.1:\(port)")
    self.node = node
    // As large a body as a node takes, and a little more: it is the node that refuses a larger blob.
    host = LocalHost(
      port: port, limits: HTTPListener.Limits(body: (1 << 30) + (64 << 10)),
      ended: { node.forgetStreamSessions() }, answer: { try await node.handle($0) })
  }

  /// The node's base URL; nil before ``start()`` and after ``stop()``.
  package var url: URL? { get async { await host.url } }

  package var isRunning: Bool { get async { await host.isRunning } }

  /// Begins to listen and answers the base URL.
  @discardableResult
  package func start() async throws -> URL { try await host.start() }

  /// Ends the node for good.
  package func stop() async { await host.stop() }

  /// Ends the node as a process ends; ``resume()`` serves it again on the port it had.
  package func pause() async { await host.pause() }

  package func resume() async throws { try await host.resume() }

  package func restart() async throws { try await host.restart() }
}
