import Foundation
import MeroHTTP
import MeroKit
import MeroSealed
import MeroTrust

/// A relay in memory: a ``FakeNode`` that runs what accounts without a node sign, with the sealed door, the logins and the
/// proofs of its keys that a relay has (40 §18.4).
///
/// ```swift
/// let relay = FakeRelay(clock: clock.clock)
/// let namespace = relay.node.makeNamespace()
/// relay.addMember(account, to: namespace)
/// let env = relay.environment()
/// ```
///
/// A *hosted* relay stands behind a proxy that asks for a session and is talked to sealed; its hardware is a ``TestPKI``'s
/// unless one is given. A relay on this machine is a rig: mock quotes, and accounts may prove themselves in each request.
/// Everything that is signed is read and verified by code of its own.
public final class FakeRelay: Sendable {
  /// The node behind the doors: its contexts, its groups and the faults of its routes.
  public let node: FakeNode
  /// Whether it stands behind a proxy.
  public let isHosted: Bool
  /// Serves the signed releases that the relay's images are of; nil without hardware.
  public let mirror: FakeReleaseMirror?
  let address: NodeAddress
  let clock: MeroClock
  let responder: SealedResponder
  let state = Locked(State())

  struct State {
    var attestation: AttestationFault?
    var log: [Request] = []
    var handshakes = 0
    var envelopes = 0
  }

  /// A relay.
  ///
  /// - Parameters:
  ///   - hosted: nil for what the address says: a relay on this machine is not.
  ///   - tdx: makes its quotes; nil for one of the relay's own where it is hosted, and mock quotes where it is not.
  ///   - seed: makes keys and ids; random unless given.
  public init(
    url: String = "https://relay.test", hosted: Bool? = nil, tdx: TestPKI? = nil, clock: MeroClock = .system,
    seed: UInt64? = nil
  ) {
    guard let address = URL(string: url), let host = address.host else {
      preconditionFailure("\(url) is no address of a relay")
    }
    let isHosted = hosted ?? !Loopback.isLoopback(host: host)
    let tdx = tdx ?? (isHosted ? TestPKI(seed: seed, now: clock.now()) : nil)
    let node = FakeNode(url: url, tdx: tdx, clock: clock, seed: seed)
    node.store.withState { $0.relay = NodeRelay(takesProofs: !isHosted) }
    if tdx == nil { node.present(.mock) }
    self.node = node
    self.isHosted = isHosted
    self.address = NodeAddress(address)
    self.clock = clock
    mirror = tdx.map { FakeReleaseMirror($0) }
    responder = SealedResponder(
      transportKey: node.store.withState { $0.governance.secrets.transport }, clock: clock,
      random: node.random.random)
  }

  // MARK: Who it is

  /// Where the relay is reached.
  public var url: String { node.url.absoluteString }
  /// The relay's own account, the one that warrants name as their executor, 64 hex.
  public var account: String { node.account }
  /// The key that its hardware proves and that warrants name, 64 hex.
  public var nodeKey: String { node.signingKey }

  // MARK: Reaching it

  /// Reaches the relay without sockets, and the mirror of its releases where a client looks for it. Any other address
  /// refuses the connection.
  public var transport: any HTTPTransport { FakeRelayTransport(relay: self) }

  /// Checks the relay's proofs as an app's own verifier would, but for the roots, which are the test's.
  ///
  /// - Parameter transport: reaches the relay and its mirror; nil for ``transport``.
  public func keyVerifier(over transport: (any HTTPTransport)? = nil) -> DcapRelayKeyVerifier {
    DcapRelayKeyVerifier(
      transport: transport ?? self.transport, roots: node.tdx?.roots ?? .builtIn, clock: clock)
  }

  /// What an account needs to work with this relay: its network, its clock and its roots of trust; stores that end with the
  /// test.
  ///
  /// - Parameter transport: reaches the relay, its mirror, and whatever else the test has; nil for ``transport``.
  public func environment(
    store: DelegatedAccountStore = .memory(), nonces: any WarrantNonceStore = MemoryWarrantNonceStore(),
    audience: LoginAudience = .cli, transport: (any HTTPTransport)? = nil
  ) -> DelegatedEnvironment {
    DelegatedEnvironment(
      store: store, nonces: nonces, relayKeyVerifier: keyVerifier(over: transport), audience: audience,
      transport: transport ?? self.transport, clock: clock)
  }

  // MARK: Members

  /// Makes an account a member of a group, as an administrator would.
  ///
  /// - Parameter role: `Admin`, `Member` or `ReadOnly`.
  public func addMember(_ account: String, to group: String, role: String = "Member") {
    guard let role = GroupRole(rawValue: role), !role.isTee else {
      preconditionFailure("\(role) is no role that is given by hand")
    }
    govern(.memberAdded(account.lowercased(), role, in: group), in: group)
  }

  /// Takes an account's membership of a group away.
  public func removeMember(_ account: String, from group: String) {
    govern(.memberRemoved(account.lowercased(), from: group), in: group)
  }

  private func govern(_ op: GovernanceOp, in group: String) {
    let now = clock.now()
    node.store.withState { state in
      do throws(NodeRefusal) {
        try state.governance.write(
          op, in: group, by: state.governance.identity.account, at: now.unixMilliseconds)
      } catch { preconditionFailure("the relay's account may not do that in \(group): \(error.message)") }
    }
  }
}

/// Routes requests to one relay and its mirror.
private struct FakeRelayTransport: HTTPTransport {
  let relay: FakeRelay

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if relay.address.isOrigin(of: request.url) { return try await relay.handle(request) }
    if let mirror = relay.mirror, request.url.absoluteString.hasPrefix(Self.mirrorURL) {
      return try await mirror.handle(request)
    }
    throw TransportError(
      kind: .cannotConnect, text: "no relay listens at \(request.url.host ?? "this address")",
      mayHaveBeenSent: false)
  }

  private static let mirrorURL = DelegatedEnvironment.defaultReleaseMirrorURL
}
