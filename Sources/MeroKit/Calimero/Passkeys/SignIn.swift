import Foundation
import MeroAPI
import MeroHTTP

extension CalimeroClient {
  /// Makes an account with a new passkey, and is signed in to it afterwards.
  ///
  /// ```swift
  /// try await client.signUp(SoftPasskey(), name: "ada")
  /// ```
  ///
  /// - Parameters:
  ///   - name: the account's name, 2 to 32 characters of `a-z 0-9 . _ -`, beginning with a letter or digit.
  ///   - displayName: the name the authenticator shows; the account's name when left out.
  ///   - invite: an invitation's code, where the cluster wants one.
  /// - Throws: ``CalimeroError``.
  @discardableResult
  public func signUp(
    _ passkey: any PasskeyProvider, name: String, displayName: String? = nil, invite: String? = nil
  ) async throws -> CalimeroAccount {
    try await SignIn(core).signUp(passkey, name: name, displayName: displayName, invite: invite)
  }

  /// Signs in with a passkey. A session this client had before is replaced once the new one is there.
  ///
  /// - Parameter name: the account's name, to narrow the choice; nil lets the authenticator offer what it has.
  /// - Throws: ``CalimeroError``.
  @discardableResult
  public func signIn(_ passkey: any PasskeyProvider, name: String? = nil) async throws -> CalimeroAccount {
    try await SignIn(core).signIn(passkey, name: name)
  }

  /// Signs out: the session is forgotten here at once, streams end, and the cluster is told as well as it can be.
  ///
  /// Other clients over the same store are signed out too, no later than when they renew the session. What another account
  /// has signed in to there since is left alone. A client that used an API key from the beginning has not read the store,
  /// and does not now: nothing happens.
  public func signOut() async {
    if await core.settings.apiKey != nil, await core.keeper.isUnread { return }
    for session in await core.keeper.end(.signedOut, clusterId: (try? core.pool())?.cluster()) {
      await SignIn(core).revoke(session)
    }
    await (try? core.pool())?.dropSessions()
  }

  /// Who is signed in; nil when nobody is, and when an API key is used.
  public var account: CalimeroAccount? {
    get async { try? await restore() }
  }

  /// Whether somebody is signed in.
  public var isSignedIn: Bool {
    get async { await account != nil }
  }

  /// Reads the stored session, which the first request would do otherwise. Nothing is sent.
  ///
  /// - Returns: who is signed in, or nil.
  /// - Throws: ``CalimeroError/invalidInput(_:)`` when the store cannot be read.
  @discardableResult
  public func restore() async throws -> CalimeroAccount? {
    try await core.storedAccount()
  }

  /// Who is signed in: the state at once, then every change. Each loop over it has its own.
  ///
  /// Where an API key is used from the beginning the store is not read, so nobody is signed in: the state is
  /// `.signedOut(.never)`.
  public var authChanges: AuthChanges {
    core.keeper.changes { [core] in
      _ = try? await core.storedAccount()
      if await core.settings.apiKey != nil { await core.keeper.announceNobody() }
    }
  }
}

extension ClientCore {
  /// Whose session is in use. The store is not read when an API key is.
  fileprivate func storedAccount() async throws -> CalimeroAccount? {
    guard await settings.apiKey == nil else { return nil }
    return try await keeper.restore(clusterId: await pool().cluster())?.account
  }
}

/// The ceremonies that end in a session (70 §2.10).
struct SignIn {
  private let core: ClientCore

  init(_ core: ClientCore) { self.core = core }

  func signUp(
    _ passkey: any PasskeyProvider, name: String, displayName: String?, invite: String?
  ) async throws -> CalimeroAccount {
    try AccountName.check(name)
    let displayName = try displayName.map { try NameLimits.checked($0, as: "a display name") }
    return try await settle(again: !passkey.asksPerson) { node in
      let (ceremony, asking): Answer<Components.Schemas.CreationCeremony> = try await ask(
        Operations.AuthSignupBegin.Input(
          body: .json(.init(name: name, displayName: displayName, invite: invite))
        ).request())
      try await requireOwn(ceremony.options.rp.id, of: asking, passkey)
      let credential = try await PasskeyCeremony.create(with: passkey, ceremony.options, at: node)
      return try await ask(
        Operations.AuthSignupFinish.Input(
          body: .json(
            .init(ceremonyId: ceremony.ceremonyId, credential: credential, label: core.deviceLabel))
        ).request())
    }
  }

  func signIn(_ passkey: any PasskeyProvider, name: String?) async throws -> CalimeroAccount {
    if let name { try AccountName.check(name) }
    return try await settle(again: !passkey.asksPerson) { node in
      let (ceremony, asking): Answer<Components.Schemas.RequestCeremony> = try await ask(
        Operations.AuthSigninBegin.Input(body: .json(.init(name: name))).request())
      try await requireOwn(ceremony.options.rpId, of: asking, passkey)
      let credential = try await PasskeyCeremony.get(with: passkey, ceremony.options, at: node)
      return try await ask(
        Operations.AuthSigninFinish.Input(
          body: .json(
            .init(ceremonyId: ceremony.ceremonyId, credential: credential, label: core.deviceLabel))
        ).request())
    }
  }

  /// Trades a consent code for a session (70 §2.14).
  func exchange(_ flow: ConsentFlow, code: String) async throws -> CalimeroAccount {
    try await settle { _ in
      try await ask(
        Operations.ConsentToken.Input(
          body: .json(.init(requestId: flow.requestId, code: code, codeVerifier: flow.codeVerifier))
        ).request())
    }
  }

  /// Ends a session at the cluster, and what it has there.
  func revoke(_ session: StoredSession) async {
    // Also when the caller's task is cancelled: the view that signs somebody out is often gone by then.
    await Task { [core] in
      // While the token is still good for it.
      await core.presences.closeAll(bearer: session.session.accessToken, .signedOut(.signedOut))
      await core.engine.endSession(session)
    }.value
  }

  private typealias Answer<Value> = (value: Value, node: URL?)

  /// - Parameter again: whether a ceremony that ran out of time is begun again once, which no person must see.
  private func settle(
    again: Bool = false,
    _ ceremony: @escaping @Sendable (_ node: URL?) async throws -> Answer<Components.Schemas.Session>
  ) async throws -> CalimeroAccount {
    let pool = try core.pool()
    let node = await pool.base
    // Read before it is replaced: the session of an earlier run has to be revoked too.
    _ = try? await core.keeper.restore(clusterId: pool.cluster())
    do {
      // As one piece of work: a client that is closed ends it wherever it is, also while a person is asked.
      let (session, issuedBy) = try await core.runs.run {
        try await beginningOnceMore(if: again) { try await ceremony(node) }
      }
      // A ceremony that is repeated within its minute gives the session it gave before, which may be the one in use.
      if let previous = try await core.keeper.adopt(session, issuedBy: issuedBy),
        previous.session.sessionId != session.sessionId
      {
        await revoke(previous)
      }
      return CalimeroAccount(accountId: session.accountId, name: session.name)
    } catch let failure as PasskeyFailure {
      throw CalimeroError.passkey(failure)
    } catch let failure as APIFailure {
      throw CalimeroError(failure)
    } catch is CancellationError {
      throw CalimeroError.cancelled
    }
  }

  /// Throws where a node names a relying party that is not its own to name.
  ///
  /// A browser would compare the name with the page's address; an authenticator in software has none, and signs what it is
  /// asked for. A node that runs a known release is trusted to ask for its own cluster. Behind a mock attestation may be
  /// anybody, who could hand on a question of another cluster and be signed in there: it may ask for this machine and for
  /// its own host.
  private func requireOwn(_ rpId: String, of node: URL?, _ passkey: any PasskeyProvider) async throws {
    guard passkey is any OriginlessPasskey else { return }
    let pool = try core.pool()
    let base = await pool.base
    let node = node ?? base
    guard try await pool.attestation(of: node).isMock else { return }
    let host = node.host?.lowercased() ?? ""
    guard rpId == "localhost" || rpId == host || host.hasSuffix("." + rpId) else {
      throw PasskeyFailure.notAllowed(rpId: rpId)
    }
  }

  private func beginningOnceMore<Value>(
    if again: Bool, _ ceremony: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await ceremony()
    } catch CalimeroError.api(let refusal) where refusal.code == .ceremonyExpired && again {
      return try await ceremony()
    }
  }

  private func ask<Value: Decodable>(_ request: APIRequest) async throws -> Answer<Value> {
    let response = try await core.engine.perform(request, plan: RequestPlan(request))
    return (try response.decoded(for: request), response.node)
  }
}

/// The rules for names that are checked before anything is sent (70 §2.2).
enum AccountName {
  static func check(_ name: String) throws(CalimeroError) {
    let bytes = Array(name.utf8)
    let isLetterOrDigit = { (byte: UInt8) in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
    guard (2...32).contains(bytes.count), isLetterOrDigit(bytes[0]),
      bytes.allSatisfy({ isLetterOrDigit($0) || [0x2E, 0x5F, 0x2D].contains($0) })
    else {
      throw .invalidInput(
        "an account's name is 2 to 32 characters of a-z 0-9 . _ - and begins with a letter or digit")
    }
  }
}
