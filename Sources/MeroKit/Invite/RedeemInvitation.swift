extension AdminSurface {
  /// Redeems an invitation to a namespace (20 §8).
  ///
  /// The join is sent once. Whether one is a member then decides, not whether the request came back: a join can land
  /// although its request timed out.
  ///
  /// ```swift
  /// let outcome = await admin.redeemInvitation(namespaceId, invitation: invitation, teamName: "Team")
  /// if outcome.shouldRetain { keep(invitation) }
  /// ```
  ///
  /// - Parameters:
  ///   - invitation: as it was received.
  ///   - groupName: the name the inviter gave the group, passed on to the node.
  ///   - teamName: handed back in the outcome.
  public func redeemInvitation(
    _ namespaceId: String, invitation: SignedGroupOpenInvitation, groupName: String? = nil,
    teamName: String? = nil
  ) async -> RedeemOutcome {
    await Redeeming(namespaceId: namespaceId, teamName: teamName).run {
      try await joinNamespace(
        namespaceId, request: JoinNamespaceRequest(invitation: invitation, groupName: groupName))
    } memberships: {
      try await allNamespaces().map(\.namespaceId)
    }
  }
}

/// One redeeming of an invitation, whoever joins.
package struct Redeeming: Sendable {
  package let namespaceId: String
  package let teamName: String?

  package init(namespaceId: String, teamName: String?) {
    self.namespaceId = namespaceId
    self.teamName = teamName
  }

  /// Joins once, and asks for the namespaces one is a member of. A question that fails means "could not tell", and never
  /// takes back a join that came back.
  package func run<Joined>(
    join: () async throws -> Joined, memberships: () async throws -> [String]
  ) async -> RedeemOutcome {
    let failure: any Error
    do {
      _ = try await join()
      return .joined(namespaceId: namespaceId, teamName: teamName)
    } catch { failure = error }
    let listed = (try? await memberships()) ?? []
    if listed.contains(where: { $0.lowercased() == namespaceId.lowercased() }) {
      return .alreadyMember(namespaceId: namespaceId, teamName: teamName)
    }
    let why = InviteFailure(failure)
    let message = (failure as? any InviteRefusal)?.inviteMessage
    return .failed(
      namespaceId: namespaceId, message: message ?? Self.fallback, reason: why.reason,
      retryable: why.isRetryable)
  }

  static let fallback = "The join did not work. Check the invitation and try again."
}
