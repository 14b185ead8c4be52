import Foundation
import MeroHTTP

/// Changing and ending the session (40 §5.1, §5.7).
extension CloudSignIn {
  /// Asks the cloud again which relay serves the account. What the answer lacks stays as it is.
  ///
  /// - Throws: ``AccountError/notSignedIn(_:)`` without a session, and whatever keeps the cloud from answering.
  @discardableResult
  public func refreshRelay() async throws -> CloudSession {
    guard let asked = held() else { throw Self.signedOut }
    let begun = era
    let relays = try await cloudClient(proving: asked.routing).getAccountRelays(asked.session.account)
    // A join may have moved the session meanwhile.
    guard begun == era, var held = held(), held.session.credential == asked.session.credential else {
      throw Self.signedOut
    }
    let choice = CloudClient.chooseRelay(relays)
    if let relay = choice.relayUrl {
      // At another relay the old relay's account would make every warrant worthless.
      let isSame = held.session.relayUrl.map(RelayOrigin.of) == RelayOrigin.of(relay)
      held.session.executorAccount = choice.executorAccount ?? (isSame ? held.session.executorAccount : nil)
      held.session.relayUrl = relay
    }
    held.session.note = choice.note
    let former = leave(for: held.session)
    keep(held)
    await close(former)
    return held.session
  }

  /// Takes over a session that was made elsewhere, or that has moved to another relay.
  ///
  /// It is stored when it is about this app's own keys. Any other lives in this process only, since to store it would take
  /// its secret.
  public func adopt(_ session: DelegatedSession) async {
    let credential = try? DeviceCertificates.verify(session.credential)
    let known = held()
    let moved = CloudSession(
      account: credential?.account ?? session.account, device: credential?.device ?? "",
      credential: credential?.text ?? session.credential, relayUrl: session.relayUrl,
      executorAccount: session.executorAccount,
      note: session.relayUrl == nil ? known?.session.note : nil)
    let isOwn = credential?.certifies(session.keys) == true && (try? records.knownKeys()) == session.keys
    if known?.session.credential != moved.credential { era += 1 }
    let former = leave(for: moved)
    if isOwn { borrowed = nil } else { borrowed = Held(session: moved, keys: session.keys) }
    if isOwn { records.keep(moved) }
    await close(former)
  }

  /// Takes over a session that has moved, as ``adopt(_:)`` does, unless the session it comes from is no more the one in use: a
  /// join may take a minute, and whoever signed out, signed in or moved meanwhile, here or in another process, meant it.
  ///
  /// - Returns: whether it was taken over.
  @discardableResult
  public func adopt(_ moved: DelegatedSession, inPlaceOf previous: DelegatedSession) async -> Bool {
    guard let now = held()?.session, now.credential == previous.credential,
      now.relayOrigin == previous.relayUrl.map(RelayOrigin.of)
    else { return false }
    await adopt(moved)
    return true
  }

  private func keep(_ held: Held) {
    if borrowed != nil { borrowed = held } else { records.keep(held.session) }
  }

  // MARK: What is open at relays

  /// Parts what is open at another relay than that of `session`, or for somebody else, from the tokens that are kept.
  ///
  /// - Returns: what is to be closed.
  func part(from session: CloudSession?) -> [SignInConnection] {
    let ending = connections.filter { !$0.belongs(to: session) }
    connections = connections.filter { $0.belongs(to: session) && $0.isHeld }
    for connection in ending { connection.detach() }
    return ending
  }

  /// Prepares for another session than there was: what is open at its relay ends, and its tokens go. Tokens are good for one
  /// device at one relay.
  ///
  /// - Returns: what is to be closed, once the session is the other.
  func leave(for session: CloudSession) -> [SignInConnection] {
    let former = part(from: session)
    if held()?.session.sharesRelay(with: session) != true { tokenStore.clear() }
    return former
  }

  func close(_ connections: [SignInConnection]) async {
    for connection in connections { await connection.close() }
  }

  // MARK: Sign-out

  /// Ends the session here, and then at the relay if it can be reached within three seconds.
  ///
  /// What is known of relays stays, and so do the nonces: a sequence that began again would be refused by every node.
  ///
  /// - Parameter forgetDevice: whether the device's keys go too, so that the next sign-in is another device's.
  public func signOut(forgetDevice: Bool = false) async {
    era += 1
    let tokens = tokenStore.getTokens()
    // Only the relay that gave a token may see it.
    let relay = tokens?.origin ?? (held()?.session ?? records.session)?.relayUrl
    tokenStore.clear()
    let ending = part(from: nil)
    borrowed = nil
    records.forgetSession()
    records.forgetState()
    if forgetDevice { records.forgetDevice() }
    await close(ending)
    guard let relay, let refreshToken = tokens?.refreshToken, !refreshToken.isBlank else { return }
    await logOut(of: relay, refreshToken)
  }

  private func logOut(of relay: String, _ refreshToken: String) async {
    guard let url = URL(string: RelayOrigin.of(relay)) else { return }
    let env = delegatedEnvironment
    let http = NodeHTTP(
      baseURL: url, transport: RelayTransports.transport(relayURL: relay, env: env), timeout: 3,
      clock: env.clock, random: env.random)
    _ = try? await AuthApi(http: http).logout(LogoutRequest(refreshToken: refreshToken))
  }
}
