import Foundation
import MeroHTTP

extension DelegatedAccounts {
  /// The client of an account at the session's relay; nil without a relay (40 §11.1).
  ///
  /// Once the relay's node key is pinned there is a session to read under: methods are queried before a warrant is signed, and
  /// events come. Until then every call is a warrant, and a relay that is not on this machine has no events for it. The pin is
  /// read here, once: when it has been learned, build the client again.
  ///
  /// - Throws: ``AccountError/invalidInput(_:)`` for a relay's address that is none.
  public static func buildDelegatedClient(
    _ session: DelegatedSession, env: DelegatedEnvironment
  ) throws -> MeroTransportClient? {
    try buildDelegatedClient(session, env: env, way: .live)
  }

  static func buildDelegatedClient(
    _ session: DelegatedSession, env: DelegatedEnvironment, way: RelayWay,
    methods: KnownMethods = .ofProcess
  ) throws -> MeroTransportClient? {
    guard let relayURL = session.relayUrl else { return nil }
    return try DelegatedClientParts(session, relayURL: relayURL, env: env, way: way).client(methods: methods)
  }
}

/// What a delegated client is made of.
private struct DelegatedClientParts {
  let session: DelegatedSession
  let env: DelegatedEnvironment
  let base: URL
  let isLoopback: Bool
  /// How the relay is reached.
  let transport: any HTTPTransport
  /// The session at the relay; nil while its node key is not known.
  let tokens: (any RelayTokens)?

  /// Seconds for each request of the admin API.
  private static let patience: TimeInterval = 15
  private static let unread =
    "the relay's node key is not known yet, so that there is no session to read under; build the client again when it is"

  init(
    _ session: DelegatedSession, relayURL: String, env: DelegatedEnvironment, way: RelayWay
  ) throws(AccountError) {
    let origin = RelayOrigin.of(relayURL)
    guard let base = URL(string: origin), let address = NodeOrigin(base) else {
      throw .invalidInput("the session's relay has no usable address")
    }
    self.session = session
    self.env = env
    self.base = base
    isLoopback = Loopback.isLoopback(host: address.host)
    let reach = way.transport(origin, env)
    let tokens = DelegatedAccounts.pinnedRelayNodeKey(origin, store: env.store)
      .map { way.session(origin, $0, session, env, reach) }
    self.tokens = tokens
    transport = tokens.map { RefusedBearerTransport(inner: reach, tokens: $0) } ?? reach
  }

  func client(methods: KnownMethods) -> MeroTransportClient {
    let relay = RelayClient(
      relayURL: base.absoluteString, authorAccount: session.account, authorProof: session.credential,
      keys: session.keys, nonces: env.nonces,
      executorAccount: DelegatedAccounts.executorAccount(
        of: session, at: base.absoluteString, store: env.store),
      ttlSeconds: env.warrantTTLSeconds, tokenProvider: bearer,
      transport: transport, clock: env.clock, random: env.random)
    // Without a key a relay behind an ingress would refuse the stream again and again, on a timer, for ever.
    let canSubscribe = tokens != nil || isLoopback
    let unread = AccountError.relayKeyUnavailable(Self.unread)
    let http = http
    let events = canSubscribe ? SseConnection(http: http) : SseConnection(inert: unread, clock: env.clock)
    let presence = RelayPresenceClient(relay: relay) {
      guard canSubscribe else { throw unread }
      return events
    }
    return MeroTransportClient(
      relay: relay, rpc: RelayExecution(relay: relay, methods: tokens == nil ? nil : methods),
      admin: AdminApi(http: http), events: events, presence: presence, canSubscribe: canSubscribe)
  }

  private var bearer: (@Sendable () async -> String?)? {
    guard let tokens else { return nil }
    return { await tokens.token() }
  }

  /// Requests that say who asks: by the session's bearer, or by a proof for each.
  private var http: NodeHTTP {
    let proving = RequestProofTransport(
      inner: transport, base: base, credential: session.credential, keys: session.keys, clock: env.clock)
    return NodeHTTP(
      baseURL: base, transport: proving, timeout: Self.patience, clock: env.clock, random: env.random,
      session: tokens.map { RelayNodeSession(tokens: $0) })
  }
}
