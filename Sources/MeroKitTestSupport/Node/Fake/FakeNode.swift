import Foundation
import MeroHTTP
import MeroWire

/// A Calimero node in memory, as nodes before 1.0 are spoken to: the auth service, JSON-RPC, the admin API, event
/// streams, presence and blobs, with real state behind them (10, 20).
///
/// ```swift
/// let node = FakeNode()
/// let context = node.makeContext(of: .chat)
/// let response = try await node.transport.send(
///   HTTPRequest(.get, node.url.appendingPathComponent("admin-api/health")))
/// ```
///
/// Time comes from the clock, ids, keys and tokens from the seed, so a test can be repeated exactly.
public final class FakeNode: Sendable {
  /// Where the node is reached.
  public let url: URL
  /// The seed everything random was made from; pass it again to repeat a run.
  public let seed: UInt64
  /// Makes the node's quotes; nil for a node off such hardware.
  public let tdx: TestPKI?
  let store: NodeStore
  let random: SeededRandom
  private let door: NodeDoor

  /// The user every node begins with.
  public static let username = "admin"
  /// Who publishes every package a node runs, as a registry names it.
  public static let packageSigner = "did:key:z6MkfakeNodePublisher"
  /// That user's password.
  public static let password = "admin-password"

  /// A node with one user, ``username``, whose session is ``accessToken``.
  ///
  /// `seed` is random unless given. With `tdx`, the node answers as attested hardware does.
  public init(
    url: String = "http://localhost:2528", tdx: TestPKI? = nil, clock: MeroClock = .system,
    seed: UInt64? = nil
  ) {
    guard let address = URL(string: url), address.host != nil else {
      preconditionFailure("\(url) is no address of a node")
    }
    let seed = seed ?? UInt64.random(in: .min ... .max)
    let random = SeededRandom(seed: seed)
    self.url = address
    self.seed = seed
    self.tdx = tdx
    self.random = random
    let now = clock.now()
    var state = NodeState(random: random, tdx: tdx, now: now)
    let seconds = Int64(now.timeIntervalSince1970.rounded(.down))
    let key = state.auth.setUser(Self.username, password: Self.password, at: seconds)
    _ = state.auth.mint(for: key, at: seconds)
    for package in [FakePackage.chat, .keyValue] {
      state.applications.publish(package)
      state.install(package)
    }
    state.applications.publish(.probe)
    store = NodeStore(clock: clock, state)
    door = NodeDoor(store: store, address: NodeAddress(address), routes: .all)
  }

  /// Reaches the node without sockets, by the scheme, host and port of a request. Any other address refuses the
  /// connection.
  public var transport: any HTTPTransport { FakeNodeTransport(node: self) }

  /// Answers a request that arrives at the node, whatever its host: for listeners on sockets.
  ///
  /// Throws `TransportError` when the connection is to be dropped.
  public func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await door.handle(request)
  }

  func isOrigin(of url: URL) -> Bool { door.address.isOrigin(of: url) }
}

/// Routes requests to one node.
private struct FakeNodeTransport: HTTPTransport {
  let node: FakeNode

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard node.isOrigin(of: request.url) else {
      throw TransportError(
        kind: .cannotConnect, text: "no node listens at \(request.url.host ?? "this address")",
        mayHaveBeenSent: false)
    }
    try Task.checkCancellation()
    return try await node.handle(request)
  }
}
