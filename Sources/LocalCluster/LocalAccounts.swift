import Foundation
import MeroHTTP
import MeroKitTestSupport

/// What accounts without a node need, on this machine: two relays that share what is written, the cloud's directory, wallets
/// and a registry, each behind a real HTTP listener on loopback.
///
///     let accounts = LocalAccounts(ports: .any)
///     try await accounts.start()
///     defer { Task { await accounts.stop() } }
///
/// The relays show mock quotes, which a client takes from this machine alone. A namespace that one of them founds and the
/// directory hosts is served by the other one too.
package actor LocalAccounts {
  /// Where each of them listens; 0 takes any free port.
  package struct Ports: Sendable {
    package var relays: [UInt16] = [2540, 2541]
    package var manager: UInt16 = 2545
    package var wallet: UInt16 = 2546
    package var registry: UInt16 = 2547

    package init() {}

    /// Any free ports.
    package static var any: Ports {
      var ports = Ports()
      ports.relays = [0, 0]
      (ports.manager, ports.wallet, ports.registry) = (0, 0, 0)
      return ports
    }
  }

  package nonisolated let relays: [FakeRelay]
  package nonisolated let manager: FakeManager
  package nonisolated let wallets: LocalWallets
  package nonisolated let registry: FakeRegistry
  /// The packages that relays run and the registry lists.
  package static let packages: [FakePackage] = [.chat, .keyValue]
  package nonisolated let ports: Ports

  /// Where the relays are reached, for the directory to tell.
  private nonisolated let addresses = Locked<[String?]>([])
  private let relayHosts: [LocalHost]
  private let managerHost, walletHost, registryHost: LocalHost

  /// Makes them without serving them.
  ///
  /// - Parameter mirror: serves the signed releases at the directory's address.
  package init(ports: Ports = Ports(), mirror: FakeReleaseMirror = FakeReleaseMirror()) {
    self.ports = ports
    let relays = ports.relays.map { FakeRelay(url: "http://127.0.0.1:\($0)") }
    let manager = FakeManager(url: "http://127.0.0.1:\(ports.manager)", mirror: mirror)
    let wallets = LocalWallets()
    let registry = FakeRegistry(url: "http://127.0.0.1:\(ports.registry)")
    (self.relays, self.manager, self.wallets, self.registry) = (relays, manager, wallets, registry)
    relayHosts = zip(ports.relays, relays).map { port, relay in
      LocalHost(
        port: port, ended: { relay.node.forgetStreamSessions() }, answer: { try await relay.handle($0) })
    }
    managerHost = LocalHost(port: ports.manager) { try await Self.answer($0, manager, relays) }
    walletHost = LocalHost(port: ports.wallet) { try await wallets.handle($0) }
    registryHost = LocalHost(port: ports.registry) { try await registry.handle($0) }
    addresses.withLock { $0 = relays.map { _ in nil } }
    prepare()
  }

  private nonisolated func prepare() {
    for package in Self.packages {
      for relay in relays { relay.node.installApplication(package) }
      registry.publish(package.name, version: package.version, signerId: FakeNode.packageSigner)
    }
    for (index, relay) in relays.enumerated() {
      for other in relays.dropFirst(index + 1) { relay.node.link(other.node) }
    }
    manager.assign { [relays, addresses] _ in
      // The first that is served; an account that has been somewhere knows better.
      let urls = addresses.withLock { $0 }
      return zip(relays, urls).prefix(1).map { relay, url in
        .relay(url, executorAccount: relay.account, assigned: true)
      }
    }
    manager.look { [relays, addresses] namespace in
      let urls = addresses.withLock { $0 }
      return zip(relays, urls).filter { $0.0.serves(namespace) }.reversed().map { relay, url in
        .node(account: relay.account, relayURL: url)
      }
    }
  }

  /// Answers for the directory. What it agrees to host the other relays serve from then on.
  private static func answer(
    _ request: HTTPRequest, _ manager: FakeManager, _ relays: [FakeRelay]
  ) async throws -> HTTPResponse {
    let before = manager.hosted.count
    let response = try await manager.handle(request)
    for namespace in manager.hosted.dropFirst(before) {
      for relay in relays where !relay.serves(namespace) { try await relay.joinFleet(of: namespace) }
    }
    return response
  }

  // MARK: Serving

  /// Opens every listener, or none.
  package func start() async throws {
    do {
      for (index, host) in relayHosts.enumerated() {
        let url = try await host.start().absoluteString
        addresses.withLock { $0[index] = url }
      }
      try await managerHost.start()
      try await walletHost.start()
      try await registryHost.start()
    } catch {
      await stop()
      throw error
    }
  }

  package func stop() async {
    for host in relayHosts + [managerHost, walletHost, registryHost] { await host.stop() }
  }

  /// Where they are reached, in order; empty before ``start()``.
  package var relayURLs: [URL] {
    get async {
      var urls: [URL] = []
      for host in relayHosts { if let url = await host.url { urls.append(url) } }
      return urls
    }
  }
  package var managerURL: URL? { get async { await managerHost.url } }
  /// The page that certifies devices.
  package var walletURL: URL? {
    get async { await walletHost.url?.appendingPathComponent(LocalWallets.path) }
  }
  package var registryURL: URL? { get async { await registryHost.url } }

  package func isRelayRunning(_ index: Int) async -> Bool {
    guard relays.indices.contains(index) else { return false }
    return await relayHosts[index].isRunning
  }

  /// Ends a relay as a process ends, or as a machine that is lost with its keys; ``startRelay(_:)`` brings it back.
  package func stopRelay(_ index: Int, losesKeys: Bool = false) async {
    guard relays.indices.contains(index) else { return }
    await relayHosts[index].pause()
    await relays[index].restart(newNodeKey: losesKeys)
  }

  package func startRelay(_ index: Int) async throws {
    guard relays.indices.contains(index) else { return }
    try await relayHosts[index].resume()
  }
}
