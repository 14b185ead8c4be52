import Foundation

/// Founding, inviting and joining as whoever is signed in (40 §5.1).
extension CloudSignIn {
  /// Founds a namespace through the account's first relay; see
  /// ``DelegatedAccounts/foundDelegatedNamespace(_:defaultCapabilities:application:env:)``.
  ///
  /// - Throws: ``AccountError/notSignedIn(_:)`` without a session, and whatever founding throws.
  @discardableResult
  public func foundNamespace(
    defaultCapabilities: UInt32? = DelegatedAccounts.defaultNamespaceCapabilities,
    application: FoundingApplication? = nil
  ) async throws -> FoundedDelegatedNamespace {
    try await DelegatedAccounts.foundDelegatedNamespace(
      try session(), defaultCapabilities: defaultCapabilities, application: application,
      env: delegatedEnvironment)
  }

  /// Makes an invitation to a namespace that people without a node can redeem, too.
  ///
  /// - Throws: ``AccountError/relayKeyUnavailable(_:)`` while the relay has not proven its key, since who may let people in is
  ///   read there; ``AccountError/invitationNotClaimable(namespaceId:reason:)`` when nobody could redeem it.
  public func createNamespaceInvitation(_ namespaceId: String) async throws -> SignedGroupOpenInvitation {
    let session = try session()
    let env = delegatedEnvironment
    guard let relay = session.relayUrl else { throw AccountError.noRelay("createNamespaceInvitation") }
    switch await DelegatedAccounts.attemptRelayNodeKey(relay, env: env) {
    case .learned: break
    case .unavailable(let error), .refused(let error): throw AccountError.relayKeyUnavailable(error.text)
    }
    guard let client = try DelegatedAccounts.buildDelegatedClient(session, env: env) else {
      throw AccountError.noRelay("createNamespaceInvitation")
    }
    let result: Result<CreateNamespaceInvitationResult, any Error>
    do {
      let admin = DelegatedAccounts.createAccountAdmin(
        session: session, read: try await client.admin, env: env)
      result = .success(try await admin.createNamespaceInvitation(namespaceId, request: nil))
    } catch { result = .failure(error) }
    await client.close()
    guard let invitation = try result.get().invitation else {
      throw AccountError.protocolViolation("no invitation was made")
    }
    return invitation
  }

  /// Joins a namespace by an invitation, and takes over the relay that let the account in when it had none.
  ///
  /// - Parameter nodeURL: a node to join through; nil asks the cloud.
  /// - Throws: ``BootstrapFailure``; ``AccountError/notSignedIn(_:)`` without a session.
  public func join(
    namespaceId: String, invitation: SignedGroupOpenInvitation, nodeURL: String? = nil
  ) async throws {
    let session = try session()
    let result = try await DelegatedAccounts.bootstrap(
      namespaceId: namespaceId, invitation: invitation, credential: session.credential, keys: session.keys,
      nodeURL: nodeURL, env: delegatedEnvironment)
    if let relay = result.session.relayUrl {
      DelegatedAccounts.rememberRelay(
        session.account, relayURL: relay, namespaceId: namespaceId, store: delegatedEnvironment.store)
    }
    guard session.relayUrl == nil else { return }
    // What was joined is remembered also when somebody has signed out or moved meanwhile.
    await adopt(result.session, inPlaceOf: session)
  }

  private func session() throws(AccountError) -> DelegatedSession {
    guard let held = held() else { throw Self.signedOut }
    return held.delegated
  }
}
