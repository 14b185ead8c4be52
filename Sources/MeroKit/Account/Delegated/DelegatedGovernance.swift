import Foundation

extension DelegatedAccounts {
  /// Publishes an op through the relay that serves a namespace (40 §13.1).
  ///
  /// - Parameter group: where it is published: the group it is about, or the namespace.
  /// - Returns: the group that the op was about; the new one of a creation.
  @discardableResult
  public static func delegatedGovernance(
    _ session: DelegatedSession, namespaceId: String, group: String, op: Warrants.GovernanceOp,
    env: DelegatedEnvironment
  ) async throws -> String {
    let relay = try relay(
      for: session, namespaceId: namespaceId, call: "delegatedGovernance", store: env.store)
    return try await relayClient(session, at: relay, env: env).govern(groupId: group, op: op)
  }

  /// Publishes an op on a group (40 §13.2).
  @discardableResult
  public static func governGroup(
    _ session: DelegatedSession, groupId: String, op: Warrants.GovernanceOp, env: DelegatedEnvironment
  ) async throws -> String {
    let namespace = try namespace(of: groupId, session, env)
    return try await delegatedGovernance(
      session, namespaceId: namespace, group: groupId.lowercased(), op: op, env: env)
  }

  /// Publishes an op about a group on the group's namespace (40 §13.2).
  @discardableResult
  public static func governRoot(
    _ session: DelegatedSession, groupId: String, op: Warrants.GovernanceOp, env: DelegatedEnvironment
  ) async throws -> String {
    let namespace = try namespace(of: groupId, session, env)
    return try await delegatedGovernance(
      session, namespaceId: namespace, group: namespace, op: op, env: env)
  }

  private static func namespace(
    of groupId: String, _ session: DelegatedSession, _ env: DelegatedEnvironment
  ) throws(AccountError) -> String {
    let group = try HexField.text(groupId, "groupId")
    guard let namespace = namespaceOfGroup(session, groupId: group, store: env.store) else {
      throw .invalidInput(
        "the namespace of group \(group) is not known: an account governs namespaces it joined, and subgroups it made "
          + "or asked a relay about")
    }
    return namespace
  }

  /// The cloud's directory, with reads that this account proves.
  static func cloud(_ session: DelegatedSession, _ env: DelegatedEnvironment) -> CloudClient {
    CloudClient(
      baseURL: env.cloudBaseURL,
      routingCredential: RoutingCredential(credential: session.credential, keys: session.keys),
      transport: env.transport, clock: env.clock, random: env.random)
  }

  /// A relay, as this account writes through it.
  ///
  /// - Parameter executor: the relay's account; nil for what is known of it.
  static func relayClient(
    _ session: DelegatedSession, at relay: String, as executor: String? = nil, env: DelegatedEnvironment
  ) -> RelayClient {
    RelayClient(
      relayURL: relay, authorAccount: session.account, authorProof: session.credential, keys: session.keys,
      nonces: env.nonces,
      executorAccount: executor ?? executorAccount(of: session, at: relay, store: env.store),
      ttlSeconds: env.warrantTTLSeconds,
      transport: RelayTransports.transport(relayURL: relay, env: env), clock: env.clock, random: env.random)
  }
}
