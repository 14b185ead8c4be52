import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of one Calimero node.
///
/// ```swift
/// let mero = Mero(config: MeroConfig(baseURL: URL(string: "http://localhost:2428")!))
/// try await mero.authenticate(Credentials(username: "ada", password: password))
/// let notes: [Note] = try await mero.rpc.execute(contextId: context, method: "get_notes")
/// ```
///
/// An access token that has become too old is renewed when the node says so, once for all requests that wait, and they are
/// sent again. A session that the node ends for good is forgotten here too.
public actor Mero {
  /// The auth service: keys and permissions.
  public nonisolated let auth: AuthApi
  /// Applications, contexts, namespaces, groups, members, blobs and all else that a node administers.
  public nonisolated let admin: AdminApi
  /// The methods of contracts.
  public nonisolated let rpc: RpcClient
  /// Everything else over the same session.
  public nonisolated let http: NodeHTTP

  /// The event stream that everything over this client shares, opened when somebody first wants events.
  public var sse: SseConnection { events }
  /// Presence.
  public var ephemeral: EphemeralClient { EphemeralClient(rpc: rpc, sse: events) }

  private nonisolated let events: SseConnection
  private let config: MeroConfig
  private let keeper: TokenKeeper
  /// Without the session, for requests that begin it or end it.
  private let bare: NodeHTTP

  /// A client over `URLSession`.
  public init(config: MeroConfig) {
    self.init(config: config, transport: URLSessionTransport())
  }

  /// A client over connections like those of `session`.
  public init(config: MeroConfig, session: URLSession) {
    self.init(config: config, transport: URLSessionTransport(session: session))
  }

  /// A client over a transport.
  public init(config: MeroConfig, transport: any HTTPTransport) {
    let bare = NodeHTTP(
      baseURL: config.baseURL, transport: transport, timeout: config.timeout,
      allowInsecureHTTP: config.allowInsecureHTTP, clock: config.clock, random: config.random)
    let keeper = TokenKeeper(
      store: config.tokenStore, lockPath: config.refreshLockURL?.path, clock: config.clock,
      refresh: { await TokenRefresh(http: bare)($0) })
    let http = bare.with(session: keeper)
    self.config = config
    self.keeper = keeper
    self.bare = bare
    self.http = http
    auth = AuthApi(http: http)
    admin = AdminApi(http: http)
    rpc = RpcClient(http: http)
    let events = SseConnection(http: http)
    self.events = events
    // The events hold the keeper by way of their requests: held in turn, neither would ever go.
    keeper.whenRevoked { [weak events] reason, http in
      await events?.sessionEnded(.authRevoked(reason: reason, http: http))
    }
    if let onAuthRevoked = config.onAuthRevoked {
      keeper.whenRevoked { reason, _ in try? await onAuthRevoked(reason) }
    }
  }

  // MARK: Logging in

  /// Logs in with a password and keeps the session.
  ///
  /// - Parameter credentials: nil for those of the configuration.
  /// - Throws: ``MeroError/authenticationFailed(_:)`` when the node refuses, ``MeroError/noCredentials``, and whatever
  ///   keeps the node from answering: that says nothing about the password.
  @discardableResult
  public func authenticate(_ credentials: Credentials? = nil) async throws -> TokenData {
    guard let credentials = credentials ?? config.credentials else { throw MeroError.noCredentials }
    let answer: TokenResponse
    do {
      answer = try await AuthApi(http: bare).generateTokens(TokenRequest(credentials, at: config.clock.now()))
    } catch let error as MeroError {
      guard let refusal = error.http, (400..<500).contains(refusal.status) else { throw error }
      throw MeroError.authenticationFailed(text(of: refusal, without: credentials.password))
    }
    guard !answer.accessToken.isBlank else { throw MeroError.emptyResponse("an access token") }
    guard answer.fitsInAHeader else { throw MeroError.unusableToken }
    let tokens = TokenData(
      accessToken: answer.accessToken, refreshToken: answer.refreshToken, now: config.clock.now())
    await begin(tokens)
    return tokens
  }

  /// What a node says of a refused login. One that repeats the password is not repeated.
  private func text(of refusal: HTTPError, without password: String) -> String {
    var text = refusal.refusal?.message.map { Excerpt.of($0, upTo: 1000) } ?? refusal.description
    if !password.isEmpty { text = text.replacingOccurrences(of: password, with: "…") }
    guard let wait = refusal.retryAfter(now: config.clock.now()) else { return text }
    return "\(text) (in \(Int(min(wait, 1e9).rounded(.up))) seconds)"
  }

  /// Whether there is a session. The node may think otherwise: see ``checkSession()``.
  public var isAuthenticated: Bool { get async { await keeper.bearer() != nil } }

  /// The tokens of the session.
  public func currentTokenData() async -> TokenData? { await keeper.current() }

  /// The access token to send again with, for a client of its own that was told that `sent` is too old; nil when there is none.
  func renewedToken(after sent: String) async -> String? { try? await keeper.refresh(sent: sent) }

  /// Begins a session with tokens from elsewhere. An end at or before 1970 is read from the access token.
  public func setTokenData(_ tokens: TokenData) async {
    var tokens = tokens
    if tokens.expiresAt.timeIntervalSince1970 <= 0 {
      tokens = TokenData(
        accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, now: config.clock.now())
    }
    await begin(tokens)
  }

  /// Begins a session with the tokens of a login page, whose node must have been trusted before (``NodeTrust``).
  public func setTokenData(from callback: AuthCallbackResult) async {
    await begin(
      TokenData(
        accessToken: callback.accessToken, refreshToken: callback.refreshToken, now: config.clock.now()))
  }

  private func begin(_ tokens: TokenData) async {
    await keeper.begin(tokens)
    await events.tokensChanged()
  }

  // MARK: The end

  /// Forgets the session here, and ends the event streams; the node is told nothing.
  public func clearToken() async {
    await keeper.end()
    await close()
  }

  /// Ends the session here, and then on the node if it can be reached within three seconds.
  public func logout() async {
    let tokens = await keeper.end()
    await close()
    guard let tokens, !tokens.refreshToken.isBlank else { return }
    // Older nodes do not know this route, and the session is over here in any case.
    _ = try? await AuthApi(http: bare.within(3)).logout(LogoutRequest(refreshToken: tokens.refreshToken))
  }

  /// Ends the event streams. The session stays.
  public func close() async { await events.close() }

  // MARK: Events

  /// The events of these contexts and groups, as they happen; see ``SseConnection/events(contextIds:groupIds:)``.
  ///
  /// ```swift
  /// for try await event in mero.events(contextIds: [context]) {
  ///   for emitted in event.stateMutation?.events ?? [] { print(emitted.kind) }
  /// }
  /// ```
  public nonisolated func events(
    contextIds: [String], groupIds: [String] = []
  ) -> AsyncThrowingStream<ContextEvent, any Error> {
    events.events(contextIds: contextIds, groupIds: groupIds)
  }

  // MARK: Login pages

  /// Reads what a login page returned; nil when it is not such an address.
  public static func parseAuthCallback(_ url: String) -> AuthCallbackResult? {
    SsoLogin.parseAuthCallback(url)
  }

  /// The address of a node's login page.
  public static func buildAuthLoginUrl(nodeUrl: String, options: AuthLoginOptions) -> String {
    SsoLogin.buildAuthLoginUrl(nodeUrl: nodeUrl, options: options)
  }
}
