import Foundation
import MeroHTTP

/// Connecting to the relay (40 §5.5).
extension CloudSignIn {
  /// Connects a session to its relay: proves the relay's key, logs in there for reading, and makes what writes.
  ///
  /// It never fails: without a relay, or with one that cannot be proven, the account is signed in all the same, and
  /// ``CloudConnection/readNote`` says what is missing. What was connected to another relay ends, and so does everything when the
  /// person signs out.
  public func connect(_ session: CloudSession) async -> CloudConnection {
    guard let relayURL = session.relayUrl else {
      return CloudConnection(session: session, readNote: session.note)
    }
    guard let held = held(), held.session.credential == session.credential else {
      return CloudConnection(
        session: session, readNote: "This device's keys are not those of the session. Sign in again.")
    }
    let begun = era
    let login: Login?
    var readNote: String?
    do {
      login = try await logIn(to: relayURL, held)
    } catch {
      login = nil
      readNote = "Writing works. Reading and live events are off: \(Self.words(error))"
    }
    guard begun == era, let now = self.held(), now.session.sharesRelay(with: held.session) else {
      // Tokens that came too late must not bring the session back, nor take the place of the next one's.
      if let login {
        await RelayLogin.logout(
          relayURL: relayURL, refreshToken: login.tokens.refreshToken, env: delegatedEnvironment)
      }
      return CloudConnection(
        session: session, readNote: "The session changed while it was connected. Connect again.")
    }
    // In one step: no reader of another relay finds the tokens, and a sign-out finds all that is open.
    let former = part(from: session)
    let connection = open(session, at: relayURL, held, login, readNote)
    await close(former)
    return connection
  }

  /// A session to read with at a relay.
  private struct Login {
    let url: URL
    let nodeKey: String
    let tokens: TokenData
  }

  private func logIn(to relayURL: String, _ held: Held) async throws -> Login {
    let env = delegatedEnvironment
    guard let url = URL(string: RelayOrigin.of(relayURL)), url.host != nil else {
      throw AccountError.invalidInput("the relay has no usable address")
    }
    let nodeKey: String
    switch await DelegatedAccounts.attemptRelayNodeKey(relayURL, env: env) {
    case .learned(let key): nodeKey = key
    case .unavailable(let error), .refused(let error): throw error
    }
    let tokens = try await RelayLogin.login(
      relayURL: relayURL, nodeKey: nodeKey, credential: held.session.credential, keys: held.keys, env: env)
    return Login(url: url, nodeKey: nodeKey, tokens: tokens)
  }

  /// Makes what reads and what writes, and remembers it for the sign-out.
  private func open(
    _ session: CloudSession, at relayURL: String, _ held: Held, _ login: Login?, _ readNote: String?
  ) -> CloudConnection {
    let env = delegatedEnvironment
    let way = RelayTransports.transport(relayURL: relayURL, env: env)
    var tokens: SignInTokens?
    var mero: Mero?
    if let login {
      let store = SignInTokens(tokenStore, beginning: login.tokens, at: relayURL)
      tokens = store
      mero = Mero(
        config: MeroConfig(
          baseURL: login.url, tokenStore: store, refreshLockURL: store.lockURL, clock: env.clock,
          random: env.random),
        transport: way)
    }
    let relay = RelayClient(
      relayURL: relayURL, authorAccount: session.account, authorProof: session.credential, keys: held.keys,
      nonces: env.nonces,
      executorAccount: DelegatedAccounts.executorAccount(
        of: held.delegated, at: relayURL, store: env.store), ttlSeconds: env.warrantTTLSeconds,
      tokenProvider: { [mero] in await mero?.currentTokenData()?.accessToken },
      transport: mero.map { RenewedBearerTransport(inner: way, mero: $0) } ?? way, clock: env.clock,
      random: env.random)
    let presence = RelayPresenceClient(relay: relay) { [mero] in
      guard let mero else {
        throw AccountError.relayKeyUnavailable(readNote ?? "there is no session to read with")
      }
      return await mero.sse
    }
    connections.removeAll { !$0.isHeld }
    connections.append(SignInConnection(session, mero: mero, tokens: tokens, presence: presence))
    return CloudConnection(
      session: session, relay: relay, mero: mero, nodeKey: login?.nodeKey, readNote: readNote,
      presence: presence)
  }

  private static func words(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
