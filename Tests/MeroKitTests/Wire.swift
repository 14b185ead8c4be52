import Foundation
import LocalCluster
import MeroHTTP
import MeroKitTestSupport
import MeroWire

/// What lies between a cluster's nodes and their clients: memory, or sockets of this machine for a test that runs inside
/// ``overSockets(_:)``. So what a test states is shown over both without being written twice.
///
/// The listeners end with whoever used them last, rig or client.
final class Wire: Sendable {
  @TaskLocal static var hasSockets = false

  private let cloud: FakeCloud
  /// The listener of each node, by its place; none in memory.
  private let listeners = Locked<[HTTPListener]>([])

  init(_ cloud: FakeCloud) {
    self.cloud = cloud
    guard Self.hasSockets else { return }
    let urls = cloud.nodes.map { node in
      let port = listen(for: node, port: 0)
      return URL(string: "http://127.0.0.1:\(port)")!  // a constant with a number in it parses
    }
    cloud.rememberOrigins(urls)
  }

  deinit {
    let listeners = listeners.withLock { $0 }
    // Ending one waits for its thread, which is nothing to do in a deinitialiser.
    Task { for listener in listeners { await listener.stop() } }
  }

  private var isMemory: Bool { listeners.withLock { $0.isEmpty } }

  var transport: any HTTPTransport { isMemory ? cloud.transport : SocketTransport(wire: self) }

  /// Ends a node: connections to it are refused, as they are by a machine whose process has ended.
  func end(_ index: Int) async {
    guard !isMemory else { return cloud.nodes[index].down() }
    await listeners.withLock { $0[index] }.stop()
    await cloud.nodes[index].ended()
  }

  /// Serves a node again that was ended, where it was.
  func begin(_ index: Int) {
    guard !isMemory else { return cloud.nodes[index].up() }
    let node = cloud.nodes[index]
    listen(for: node, port: UInt16(node.url.port ?? 0))
  }

  /// Ends a node and serves it again, with a new key and without its sealed sessions.
  func restart(_ index: Int) async {
    guard !isMemory else { return await cloud.nodes[index].restart() }
    await end(index)
    begin(index)
  }

  @discardableResult
  private func listen(for node: FakeCloudNode, port: UInt16) -> UInt16 {
    let listener = HTTPListener(port: port) { request in try await node.handle(request) }
    guard let bound = try? listener.start() else { preconditionFailure("port \(port) cannot be bound") }
    listeners.withLock { listeners in
      if listeners.indices.contains(node.index) {
        listeners[node.index] = listener
      } else {
        listeners.append(listener)
      }
    }
    node.began()
    return bound
  }
}

/// The transport of this system, which keeps the nodes there as long as somebody may ask them.
private struct SocketTransport: HTTPTransport {
  let wire: Wire
  private let inner = URLSessionTransport()

  init(wire: Wire) { self.wire = wire }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await inner.send(request) }
}

/// Runs a test's body with every rig that it makes on sockets.
func overSockets(_ body: () async throws -> Void) async throws {
  try await Wire.$hasSockets.withValue(true) { try await body() }
}
