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
package actor LocalNode {
  package nonisolated let node: FakeNode
  private let port: UInt16
  private var listener: HTTPListener?
  private var boundPort: UInt16?
  /// The last operation asked for: the next one waits for it, so that the port is free before it is bound.
  private var turn: Task<Void, any Error>?

  /// Makes the node without serving it; port 0 takes any free one.
  package init(port: UInt16, node: FakeNode? = nil) {
    self.port = port
    self.node = node ?? FakeNode(url: "http://127.0.0.1:\(port)")
  }

  /// The node's base URL; nil before ``start()`` and after ``stop()``.
  package var url: URL? { boundPort.flatMap { URL(string: "http://127.0.0.1:\($0)") } }

  package var isRunning: Bool { listener != nil }

  /// Begins to listen and answers the base URL.
  @discardableResult
  package func start() async throws -> URL {
    try await inTurn { try await self.begin(on: self.port) }
    guard let url else { throw ListenerError.failed("it was stopped while it started") }
    return url
  }

  /// Ends the node for good.
  package func stop() async {
    // Stopping throws nothing; what an earlier operation threw is its own caller's.
    _ = try? await inTurn {
      await self.end()
      await self.forgetPort()
    }
  }

  /// Ends the node as a process ends; ``resume()`` serves it again on the port it had.
  package func pause() async {
    _ = try? await inTurn { await self.end() }
  }

  package func resume() async throws {
    try await inTurn {
      guard let port = await self.boundPort else { return }
      try await self.begin(on: port)
    }
  }

  package func restart() async throws {
    await pause()
    try await resume()
  }

  private func inTurn(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let earlier = turn
    let mine = Task {
      _ = await earlier?.result
      try await work()
    }
    turn = mine
    try await mine.value
  }

  private func begin(on port: UInt16) throws {
    guard listener == nil else { return }
    // As large a body as a node takes, and a little more: it is the node that refuses a larger blob.
    let limits = HTTPListener.Limits(body: (1 << 30) + (64 << 10))
    let listener = HTTPListener(port: port, limits: limits) { [node] request in
      // A page that has its own name lead to this machine could otherwise read the node's answers.
      guard LoopbackName.isNamed(in: request) else {
        return HTTPResponse(
          status: 421, headers: ["content-type": "text/plain; charset=utf-8"],
          body: HTTPBody(Data("this node answers to the names of this machine only\n".utf8)))
      }
      return try await node.handle(request)
    }
    boundPort = try listener.start()
    self.listener = listener
  }

  private func end() async {
    guard let listener else { return }
    self.listener = nil
    await listener.stop()
    node.forgetStreamSessions()
  }

  private func forgetPort() { boundPort = nil }
}
