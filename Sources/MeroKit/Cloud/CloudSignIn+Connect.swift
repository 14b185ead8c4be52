import Foundation
import MeroHTTP

/// Connecting to the relay (40 §5.5).
extension CloudSignIn {
  /// Connects a session to its relay: proves the relay's key, logs in there for reading, and makes what writes.
  ///
  /// It never fails: without a relay, or with one that cannot be proven, the account is signed in all the same, and
  /// ``CloudConnection/readNote`` says what is missing.
  public func connect(_ session: CloudSession) async -> CloudConnection {
    guard let relayURL = session.relayUrl else {
      return CloudConnection(session: session, readNote: session.note)
    }
    guard let held = held(), held.session.credential == session.credential else {
      return CloudConnection(
        session: session, readNote: "This device's keys are not those of the session. Sign in again.")
    }
    let reading: Reading?
    var readNote: String?
    do {
      reading = try await logIn(to: relayURL, held)
    } catch {
      reading = nil
      readNote = "Writing works. Reading and live events are off: \(Self.words(error))"
    }
    let env = delegatedEnvironment
    let mero = reading?.mero
    let relay = RelayClient(
      relayURL: relayURL, authorAccount: session.account, authorProof: session.credential, keys: held.keys,
      nonces: env.nonces,
      executorAccount: DelegatedAccounts.executorAccount(
        of: held.delegated, at: relayURL, store: env.store), ttlSeconds: env.warrantTTLSeconds,
      tokenProvider: { await mero?.currentTokenData()?.accessToken },
      transport: RelayTransports.transport(relayURL: relayURL, env: env), clock: env.clock, random: env.random
    )
    let presence = RelayPresenceClient(relay: relay) { [readNote] in
      guard let mero else {
        throw AccountError.relayKeyUnavailable(readNote ?? "there is no session to read with")
      }
      return await mero.sse
    }
    return CloudConnection(
      session: session, relay: relay, mero: mero, nodeKey: reading?.nodeKey, readNote: readNote,
      presence: presence)
  }

  /// What reads at a relay.
  private struct Reading {
    let mero: Mero
    let nodeKey: String
  }

  private func logIn(to relayURL: String, _ held: Held) async throws -> Reading {
    let env = delegatedEnvironment
    guard let url = URL(string: RelayOrigin.of(relayURL)), url.host != nil else {
      throw AccountError.invalidInput("the relay has no usable address")
    }
    let begun = era
    let nodeKey: String
    switch await DelegatedAccounts.attemptRelayNodeKey(relayURL, env: env) {
    case .learned(let key): nodeKey = key
    case .unavailable(let error), .refused(let error): throw error
    }
    let tokens = try await RelayLogin.login(
      relayURL: relayURL, nodeKey: nodeKey, credential: held.session.credential, keys: held.keys, env: env)
    guard begun == era else {
      // Signed out meanwhile: tokens that came too late must not bring the session back.
      await RelayLogin.logout(relayURL: relayURL, refreshToken: tokens.refreshToken, env: env)
      throw Self.signedOut
    }
    let store = SignInTokens(tokenStore)
    store.setTokens(tokens)
    let mero = Mero(
      config: MeroConfig(
        baseURL: url, tokenStore: store, refreshLockURL: store.lockURL, clock: env.clock, random: env.random),
      transport: RelayTransports.transport(relayURL: relayURL, env: env))
    readers = readers.filter { $0.mero != nil } + [SignInReader(mero, store)]
    return Reading(mero: mero, nodeKey: nodeKey)
  }

  private static func words(_ error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
