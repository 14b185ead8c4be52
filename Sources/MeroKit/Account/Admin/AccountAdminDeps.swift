import Foundation

/// What an account's admin does by other means than asking its relay, each of it replaceable (40 §14.2).
///
/// ```swift
/// var deps = AccountAdminDeps.live(env)
/// deps.join = { namespace, invitation in
///   try await DelegatedAccounts.joinAsAccount(session, namespaceId: namespace, invitation: invitation, env: env) { moved in
///     Task { await adopt(moved) }
///   }
/// }
/// ```
public struct AccountAdminDeps: Sendable {
  /// An invitation that is to be signed.
  public struct Invitation: Sendable, Hashable {
    /// The namespace, 64 hex.
    public var namespaceId: String
    /// Who may let people in.
    public var admitters: GroupInvitations.Admitters
    /// Where they may be reached; not signed.
    public var admitterAddrs: [String]
    /// The application, 64 hex.
    public var applicationId: String?
    /// Its bytecode, 64 hex.
    public var appKey: String?
    /// How long it is good, in seconds.
    public var validFor: TimeInterval
  }

  /// Publishes an op on a group.
  public var governGroup:
    @Sendable (_ session: DelegatedSession, _ groupId: String, _ op: Warrants.GovernanceOp) async throws ->
      String
  /// Publishes an op on the namespace of a group.
  public var governRoot:
    @Sendable (_ session: DelegatedSession, _ groupId: String, _ op: Warrants.GovernanceOp) async throws ->
      String
  /// Makes a context; answers its id.
  public var createContext:
    @Sendable (_ session: DelegatedSession, _ request: CreateDelegatedContextRequest) async throws -> String
  /// Founds a namespace.
  public var found:
    @Sendable (
      _ session: DelegatedSession, _ defaultCapabilities: UInt32?, _ application: FoundingApplication?
    ) async throws -> FoundedDelegatedNamespace
  /// The newest version of a package.
  public var latestVersion: @Sendable (_ registryURL: String, _ package: String) async throws -> String
  /// Signs an invitation.
  public var signInvitation:
    @Sendable (_ session: DelegatedSession, _ invitation: Invitation) async throws ->
      SignedGroupOpenInvitation
  /// Joins a namespace; answers its id. Only the owner of the session can supply it, since a join moves the session.
  public var join:
    (@Sendable (_ namespaceId: String, _ invitation: SignedGroupOpenInvitation) async throws -> String)?
  /// Which nodes serve a namespace; nil leaves the question out.
  public var routing:
    (@Sendable (_ session: DelegatedSession, _ namespaceId: String) async throws -> CloudNamespaceRouting)?

  /// The real things, except ``join``.
  public static func live(_ env: DelegatedEnvironment) -> AccountAdminDeps {
    AccountAdminDeps(
      governGroup: { try await DelegatedAccounts.governGroup($0, groupId: $1, op: $2, env: env) },
      governRoot: { try await DelegatedAccounts.governRoot($0, groupId: $1, op: $2, env: env) },
      createContext: { try await DelegatedAccounts.createDelegatedContext($0, $1, env: env) },
      found: {
        try await DelegatedAccounts.foundDelegatedNamespace(
          $0, defaultCapabilities: $1, application: $2, env: env)
      },
      latestVersion: {
        try await ApplicationRegistry.latestVersion(registryURL: $0, package: $1, transport: env.transport)
      },
      signInvitation: { session, invitation in
        try GroupInvitations.sign(
          groupId: invitation.namespaceId, inviterAccount: session.account, keys: session.keys,
          admitters: invitation.admitters, now: env.clock.now(), validFor: invitation.validFor,
          applicationId: invitation.applicationId, appKey: invitation.appKey,
          admitterAddrs: invitation.admitterAddrs, random: env.random)
      },
      join: nil,
      routing: { try await DelegatedAccounts.cloud($0, env).getNamespaceRouting($1) })
  }
}
