import Foundation
import MeroHTTP
import MeroSealed
import MeroTrust
import MeroWire

/// The nodes a client knows: how each stands, the sealed channel to each, and the cluster they have to belong to.
actor NodePool {
  private var ring: NodeRing
  private var channels: [URL: SealedChannel] = [:]
  /// The cluster every node has to belong to: the one the caller named, else the stored session's, else that of the
  /// first node that was attested. Lower-case hex; once set it stays.
  private var boundCluster: String?
  private var discovery: Task<Void, Never>?
  private var isClosed = false

  private let attestor: NodeAttestor
  private let transport: any HTTPTransport
  private let clock: MeroClock
  private let random: MeroRandom
  private let timeouts: Timeouts
  private let log: (@Sendable (CalimeroLogEvent) -> Void)?

  init(_ configuration: ClientConfiguration, _ options: CalimeroClientOptions) {
    ring = NodeRing(configuration.nodes)
    boundCluster = configuration.clusterId
    attestor = NodeAttestor(
      transport: options.transport, policy: options.policy, verifier: options.quoteVerifier,
      releases: SignedReleases(
        ReleaseMirror(
          configuration.releaseMirror.absoluteString, transport: options.transport,
          timeout: options.timeouts.attest), oldest: .oldestAccepted, root: options.trustRoots.releases),
      roots: options.trustRoots,
      clock: options.clock, random: options.random, timeout: options.timeouts.attest,
      connectTimeout: options.timeouts.connect)
    transport = options.transport
    clock = options.clock
    random = options.random
    timeouts = options.timeouts
    log = options.log
  }

  private var now: TimeInterval { clock.uptime() }

  // MARK: Choosing and reporting

  func choose(_ walk: RingWalk) -> NodeRing.Choice { ring.choose(walk, at: now) }

  /// Whether there is a node that was not tried in this round.
  func hasAnother(_ walk: RingWalk) -> Bool {
    if case .go = ring.choose(walk, at: now) { true } else { false }
  }

  func apply(_ mark: AttemptDecision.Mark, to node: URL) {
    switch mark {
    case .none: break
    case .cool(let pause): ring.cool(node, for: pause, at: now)
    case .refuse(let failure): ring.refuse(node, failure, at: now)
    }
  }

  func answered(_ node: URL, status: Int, nodeId: String?, movesCurrent: Bool) {
    ring.answered(node, status: status, movesCurrent: movesCurrent)
    if let nodeId, !nodeId.isEmpty, nodeId.utf8.count <= 128 { ring.identify(node, as: nodeId) }
  }

  func member(named name: String) -> URL? { ring.member(named: name) }

  /// Whether any node may be used: its attestation was not refused.
  func hasUsableNode() -> Bool { ring.nodes.contains { !$0.isRefused(at: now) } }

  func refusal() -> CalimeroError? { ring.refusal(at: now) }

  var current: URL { ring.current }

  var base: URL { ring.nodes[0].url }

  // MARK: Channels

  /// The sealed channel to a node, made when first asked for. It attests before it opens a session.
  func channel(to node: URL) async throws -> SealedChannel {
    guard !isClosed else { throw CalimeroError.closed }
    if let channel = channels[node] {
      // The channel keeps the key it was opened to; once that is no longer trusted, the next session needs a new one.
      if ring.trusted(node, at: now) == nil { await channel.forgetAttestation() }
      return channel
    }
    let channel = try SealedChannel(
      base: node,
      attest: { [weak self] stale in
        guard let self else { throw CancellationError() }
        return try await self.transportKey(of: node, notBeing: stale)
      },
      transport: transport, clock: clock, random: random,
      timeouts: .init(attest: timeouts.attest, handshake: timeouts.connect, connect: timeouts.connect))
    channels[node] = channel
    return channel
  }

  func dropSession(to node: URL) async {
    await channels[node]?.dropSession()
  }

  func dropSessions() async {
    for channel in channels.values { await channel.dropSession() }
  }

  /// The key to seal to: the trusted one while it holds, else a freshly attested one.
  private func transportKey(of node: URL, notBeing stale: [UInt8]?) async throws -> [UInt8] {
    if let known = ring.trusted(node, at: now), known.transportKey != stale { return known.transportKey }
    return try await attest(node).transportKey
  }

  /// Attests a node now and remembers the outcome.
  private func attest(_ node: URL) async throws -> AttestedNode {
    let began = now
    do {
      let attested = try await attestor.attest(node)
      try requireCluster(attested.clusterId, of: node)
      ring.trust(node, attested, at: now)
      let kind = attested.isMock ? "a mock quote" : attested.release.map { "release \($0)" } ?? "a real quote"
      log?(CalimeroLogEvent(.attested, node: node, seconds: now - began, text: kind))
      return attested
    } catch AttestationTrouble.refused(let failure) {
      ring.refuse(node, failure, at: now)
      log?(CalimeroLogEvent(.attestationRefused, node: node, seconds: now - began, text: "\(failure)"))
      throw AttestationTrouble.refused(failure)
    }
  }

  /// The cluster this client is bound to, as far as that is known.
  func cluster() -> String? { boundCluster }

  /// The cluster of the session that this client will send, unless another one was settled on before.
  func expect(cluster id: String) {
    if boundCluster == nil { boundCluster = id }
  }

  /// A genuine, well-measured node of somebody else's cluster must never be handed this cluster's tokens; that it is
  /// genuine does not rule it out.
  private func requireCluster(_ id: String, of node: URL) throws(AttestationTrouble) {
    guard let cluster = boundCluster else {
      boundCluster = id
      return
    }
    guard id == cluster else {
      throw .refused(
        .attestation(
          AttestationFailure(
            reason: .wrongCluster, node: node,
            text: "the node belongs to cluster \(id), and this client to cluster \(cluster)")))
    }
  }

  // MARK: What users see

  /// The accepted attestation of a node; attests it when there is none that holds.
  func attestation(of node: URL) async throws -> AttestedNode {
    guard !isClosed else { throw CalimeroError.closed }
    if let known = ring.trusted(node, at: now) { return known }
    return try await withDeadline(timeouts.attest, clock: clock) { try await self.attest(node) }
  }

  func forgetAttestations() async {
    ring.forgetAttestations()
    for channel in channels.values {
      await channel.forgetAttestation()
      await channel.dropSession()
    }
  }

  func states() async -> [CalimeroClient.NodeState] {
    var states: [CalimeroClient.NodeState] = []
    for node in ring.nodes {
      let hasSession = await channels[node.url]?.hasSession() ?? false
      states.append(CalimeroClient.NodeState(node, in: ring, hasSession: hasSession, at: now))
    }
    return states
  }

  // MARK: Discovery

  /// Asks for the cluster's nodes once, beside the request that gave the first sign of life.
  func discoverOnce(_ ask: @escaping @Sendable () async -> Void) {
    guard discovery == nil, !isClosed else { return }
    discovery = Task { await ask() }
  }

  /// Returns once the one asking for nodes, if it began, is over.
  func discoveryEnded() async { await discovery?.value }

  func add(_ url: URL, id: String) {
    guard ring.add(discovered: url, id: id) else { return }
    log?(CalimeroLogEvent(.discovered, node: url))
  }

  /// Drops every session key and stops looking for nodes, for good.
  func close() async {
    isClosed = true
    discovery?.cancel()
    let open = channels
    channels = [:]
    for channel in open.values { await channel.close() }
  }
}
