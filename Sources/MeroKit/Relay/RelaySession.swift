import Foundation
import MeroHTTP

/// The session that an account reads with at one relay: logs in when a token is asked for and there is none that lasts
/// (40 §9.2).
///
/// ```swift
/// let session = RelaySession(relayURL: url, nodeKey: key, session: account, env: env, transport: transport)
/// if let token = await session.token() { request.headers["authorization"] = "Bearer \(token)" }
/// ```
actor RelaySession {
  private nonisolated let relayURL: String
  private nonisolated let nodeKey: String
  private nonisolated let session: DelegatedSession
  private nonisolated let env: DelegatedEnvironment
  private nonisolated let transport: any HTTPTransport

  private var tokens: TokenData?
  private var login: Gate?

  /// A token is not used for its last seconds: it could end on the way.
  private static let margin: TimeInterval = 30

  /// - Parameters:
  ///   - nodeKey: the key that the relay proved.
  ///   - transport: the way to the relay, as ``RelayTransports`` has it.
  init(
    relayURL: String, nodeKey: String, session: DelegatedSession, env: DelegatedEnvironment,
    transport: any HTTPTransport
  ) {
    self.relayURL = relayURL
    self.nodeKey = nodeKey
    self.session = session
    self.env = env
    self.transport = transport
  }

  /// A token that is good for a while; nil when no login succeeded, in which case the next call tries again.
  ///
  /// Everybody who asks meanwhile waits for the same login.
  func token() async -> String? {
    if let token = usableToken { return token }
    let gate = login ?? beginLogin()
    guard (try? await gate.wait()) != nil else { return nil }
    // A relay may give less time than the margin: what was made just now is used all the same.
    return tokens?.accessToken
  }

  /// Forgets a token that the relay did not accept. One that was made since is kept.
  func dropToken(_ token: String) {
    if tokens?.accessToken == token { tokens = nil }
  }

  private var usableToken: String? {
    guard let tokens, tokens.expiresAt.timeIntervalSince(env.clock.now()) > Self.margin else { return nil }
    return tokens.accessToken
  }

  /// Begins the login. It is nobody's in particular: one who gives up waiting does not end it for the others.
  private func beginLogin() -> Gate {
    let gate = Gate()
    login = gate
    Task {
      let outcome: Result<TokenData, any Error>
      do {
        outcome = .success(
          try await RelayLogin.login(
            relayURL: relayURL, nodeKey: nodeKey, credential: session.credential, keys: session.keys,
            env: env, transport: transport))
      } catch { outcome = .failure(error) }
      finish(outcome, gate)
    }
    return gate
  }

  private func finish(_ outcome: Result<TokenData, any Error>, _ gate: Gate) {
    login = nil
    if case .success(let fresh) = outcome { tokens = fresh }
    gate.open(outcome.map { _ in })
  }
}
