import Foundation

// Founding, inviting and joining as an account does (40 §14.2 B, §15.1).

extension AccountAdmin {
  /// Founds a namespace through the relay, with the app's package.
  @discardableResult
  public func createNamespace(_ request: CreateNamespaceRequest) async throws -> CreateNamespaceResponseData {
    _ = try relay("createNamespace")
    guard let package = app.packageName else { throw AccountError.notForAccount("createNamespace") }
    let version: String
    if let pinned = app.packageVersion {
      version = pinned
    } else {
      version = try await deps.latestVersion(app.registry, package)
    }
    let founded = try await deps.found(
      session, DelegatedAccounts.defaultNamespaceCapabilities,
      FoundingApplication(applicationId: request.applicationId, package: package, version: version))
    if let name = request.name { try await call(founded.namespaceId, name) }
    return CreateNamespaceResponseData(
      namespaceId: founded.namespaceId,
      founding: NamespaceFounding(founderAccountId: session.account, salt: founded.salt),
      haEnabled: founded.haEnabled, haError: founded.haError)
  }

  private func call(_ namespaceId: String, _ name: String) async throws {
    do {
      _ = try await deps.governGroup(session, namespaceId, try GovernanceOps.groupMetadataSet(name: name))
    } catch AccountError.intentRefused(let reason, let retryable, let status) {
      throw AccountError.intentRefused(
        reason: "namespace \(namespaceId) was founded, and could not be named: \(reason)",
        retryable: retryable, status: status)
    }
  }

  /// Signs an invitation that somebody without a node can redeem, too. It is good for one account: make one for each person.
  ///
  /// - Throws: ``AccountError/invitationNotClaimable(namespaceId:reason:)`` when nobody could.
  public func createNamespaceInvitation(
    _ namespaceId: String, request: CreateNamespaceInvitationRequest?
  ) async throws -> CreateNamespaceInvitationResult {
    let read = try relay("createNamespaceInvitation")
    async let listed = read.allGroupMembers(namespaceId)
    async let described = read.getGroupInfo(namespaceId)
    let (members, info) = (try await listed, try await described)
    // Only a relay can let in somebody who has no node; without any, the signer names the admins.
    let relays = members.filter { $0.role == .relayTee }.map { $0.identity.lowercased() }
    let named =
      relays.isEmpty ? members.filter { $0.role == .admin }.map { $0.identity.lowercased() } : relays
    let addresses = try await addresses(namespaceId, named: named, hasRelays: !relays.isEmpty)
    let invitation = try await deps.signInvitation(
      session,
      AccountAdminDeps.Invitation(
        namespaceId: namespaceId, admitters: relays.isEmpty ? .admins(of: members) : .accounts(relays),
        admitterAddrs: addresses,
        applicationId: HexField.isId(info.targetApplicationId.lowercased()) ? info.targetApplicationId : nil,
        appKey: HexField.isId(info.appKey.lowercased()) ? info.appKey : nil,
        validFor: validity(request)))
    return .single(invitation, groupName: info.metadata?.name)
  }

  private func validity(_ request: CreateNamespaceInvitationRequest?) -> TimeInterval {
    guard let expiry = request?.expirationTimestamp, expiry > 0 else {
      return GroupInvitations.longestValidity
    }
    let left = TimeInterval(expiry) - env.clock.now().timeIntervalSince1970
    return min(max(1, left), GroupInvitations.longestValidity)
  }

  /// Where the admitters are, when the cloud does not say; and whether anybody can reach one of them.
  private func addresses(_ namespaceId: String, named: [String], hasRelays: Bool) async throws -> [String] {
    // A cloud that cannot be asked is no reason to invite nobody.
    guard let routing = deps.routing, let known = try? await routing(session, namespaceId) else { return [] }
    guard !known.nodes.isEmpty else {
      guard hasRelays, let relay = session.relayUrl else {
        throw AccountError.invitationNotClaimable(namespaceId: namespaceId, reason: "not-hosted")
      }
      return [RelayOrigin.of(relay)]
    }
    guard known.nodes.contains(where: { $0.account.map { named.contains($0.lowercased()) } == true }) else {
      throw AccountError.invitationNotClaimable(namespaceId: namespaceId, reason: "no-named-node")
    }
    return []
  }

  /// Joins a namespace by an invitation, by the way that ``AccountAdminDeps/join`` gives.
  @discardableResult
  public func joinNamespace(
    _ namespaceId: String, request: JoinNamespaceRequest
  ) async throws -> JoinNamespaceResponseData {
    guard let join = deps.join else { throw AccountError.notForAccount("joinNamespace") }
    let joined = try await join(namespaceId, request.invitation)
    return JoinNamespaceResponseData(
      namespaceId: joined, memberIdentity: session.keys.signPublicKey, memberAccount: session.account)
  }
}
