import Foundation
import MeroHTTP
import MeroKitTestSupport

/// A whole cluster on this machine: the nodes of a ``FakeCloud``, each behind a real HTTP listener on loopback.
///
///     let cluster = try LocalCluster(ports: [0, 0, 0])
///     try await cluster.start()
///     defer { Task { await cluster.stop() } }
///
/// A stopped node's port refuses connections, as a machine does whose process has ended; a started one has a new
/// transport key and no sealed sessions, as a process has that has just begun.
package actor LocalCluster {
  package nonisolated let cloud: FakeCloud
  private let ports: [UInt16]
  private var listeners: [Int: HTTPListener] = [:]
  private var boundPorts: [UInt16] = []
  private let mirrorPort: UInt16?
  private var mirrorListener: HTTPListener?
  /// Where the releases are served that the nodes name; nil before ``start()``, in a cluster of mock quotes, and when they are
  /// served elsewhere.
  package private(set) var mirrorURL: URL?
  /// The last operation asked for on each node: the next one waits for it, so that a port is free before it is bound.
  private var turns: [Int: Task<Void, any Error>] = [:]

  /// Makes the cluster without serving it.
  ///
  /// - Parameters:
  ///   - ports: one port for each node; 0 takes any free one.
  ///   - mirrorPort: the port of the cloud's release mirror, if it has one; nil when that is served elsewhere.
  package init(ports: [UInt16], cloud: FakeCloud? = nil, mirrorPort: UInt16? = 0) {
    self.ports = ports
    self.mirrorPort = mirrorPort
    self.cloud = cloud ?? FakeCloud(nodes: ports.count)
  }

  /// The nodes' base URLs, in order. Empty before ``start()``.
  package var nodeURLs: [URL] { boundPorts.map(Self.url(port:)) }

  /// Opens every listener, or none: when a port is taken, those opened before are closed again.
  package func start() async throws {
    do {
      for (index, port) in ports.enumerated() {
        let listener = makeListener(node: index, port: port)
        boundPorts.append(try listener.start())
        listeners[index] = listener
        cloud.nodes[index].began()
      }
      if let mirror = cloud.releaseMirror, let mirrorPort {
        let listener = HTTPListener(port: mirrorPort) { request in try await mirror.handle(request) }
        mirrorURL = Self.url(port: try listener.start())
        mirrorListener = listener
      }
    } catch {
      await stop()
      throw error
    }
    cloud.rememberOrigins(nodeURLs)
  }

  package func stop() async {
    for listener in listeners.values { await listener.stop() }
    listeners = [:]
    boundPorts = []
    await mirrorListener?.stop()
    mirrorListener = nil
    mirrorURL = nil
  }

  /// Ends a node: its port is closed, its streams are cut, its sealed sessions and transport key are gone.
  package func stopNode(_ index: Int) async {
    // Stopping throws nothing; what an earlier operation threw is its own caller's.
    _ = try? await inTurn(index) { await self.endNode(index) }
  }

  /// Serves a stopped node again, on the port it had.
  package func startNode(_ index: Int) async throws {
    try await inTurn(index) { try await self.beginNode(index) }
  }

  /// Stops a node and starts it again.
  package func restartNode(_ index: Int) async throws {
    try await inTurn(index) {
      await self.endNode(index)
      try await self.beginNode(index)
    }
  }

  private func inTurn(_ index: Int, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let earlier = turns[index]
    let turn = Task {
      _ = await earlier?.result
      try await work()
    }
    turns[index] = turn
    try await turn.value
  }

  private func endNode(_ index: Int) async {
    guard let listener = listeners.removeValue(forKey: index) else { return }
    await listener.stop()
    await cloud.nodes[index].ended()
  }

  private func beginNode(_ index: Int) throws {
    guard listeners[index] == nil, boundPorts.indices.contains(index) else { return }
    let listener = makeListener(node: index, port: boundPorts[index])
    _ = try listener.start()
    listeners[index] = listener
    cloud.nodes[index].began()
  }

  package func isRunning(_ index: Int) -> Bool { listeners[index] != nil }

  private func makeListener(node index: Int, port: UInt16) -> HTTPListener {
    let node = cloud.nodes[index]
    return HTTPListener(port: port) { request in try await node.handle(request) }
  }

  private static func url(port: UInt16) -> URL {
    URL(string: "http://127.0.0.1:\(port)")!  // a constant with a decimal number in it always parses
  }
}
