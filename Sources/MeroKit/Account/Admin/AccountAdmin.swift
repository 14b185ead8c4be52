import Foundation
import MeroWire

/// The admin of an account: what a node's admin answers, asked of the account's relay, written under the account's own
/// signature, or refused where an account has no say (40 §14.2).
///
/// ```swift
/// let admin: any AdminSurface = DelegatedAccounts.createAccountAdmin(
///   session: session, read: try? await client.admin, app: AdminAppConfig(packageName: "com.calimero.chat"), env: env)
/// let namespace = try await admin.createNamespace(CreateNamespaceRequest(applicationId: app, name: "Team"))
/// ```
///
/// Without a relay the account is a member of nothing: its listings are empty, `getNodeIdentity` and `joinNamespace` work, and
/// all else throws ``AccountError/noRelay(_:)``.
public struct AccountAdmin: AdminForwarding, Sendable {
  /// The account.
  public let session: DelegatedSession
  /// The relay, as it answers this account; nil without a relay.
  public let read: AdminApi?
  /// The app.
  public let app: AdminAppConfig
  let env: DelegatedEnvironment
  let deps: AccountAdminDeps

  package func forwarded(_ call: String) throws -> AdminApi {
    let name = String(call.prefix { $0 != "(" })
    let read = try relay(name)
    if Self.refused.contains(name) { throw AccountError.notForAccount(name) }
    return read
  }

  /// The relay, or the error of having none.
  func relay(_ call: String) throws(AccountError) -> AdminApi {
    guard let read else { throw .noRelay(call) }
    return read
  }

  /// What is a node's own business (40 §14.2, C).
  private static let refused: Set<String> = [
    "upgradeGroup", "retryGroupUpgrade", "abortMigration", "installApplication", "installDevApplication",
    "installFromRegistry", "uninstallApplication", "generateContextIdentity", "deleteContext", "leaveContext",
    "createContextAlias", "lookupContextAlias", "deleteContextAlias", "listContextAliases",
    "createApplicationAlias", "lookupApplicationAlias", "deleteApplicationAlias", "listApplicationAliases",
    "createDeviceAlias", "lookupDeviceAlias", "deleteDeviceAlias", "listDeviceAliases", "deleteNamespace",
    "createGroupInvitation", "joinGroup", "setTeeAdmissionPolicy", "getTeeAdmissionPolicy",
    "setTeeAuthoringPolicy", "disableTeeAuthoringPolicy", "deleteBlob", "listAccountDevices",
    "revokeAccountDevice", "resyncContext", "updateContextApplication", "setMemberAutoFollow",
    "initAccountPairing", "completeAccountPairing", "signWithAccountRoot", "relinkAccountDevice",
    "rescopeAccountDevice", "labelAccountDevice", "changeNamespaceAdmin", "transferOwnership",
    "ownerDeleteGroup", "issueOwnershipProof", "issueNamespaceOwnershipProof",
  ]
}

extension DelegatedAccounts {
  /// The admin of an account.
  ///
  /// - Parameters:
  ///   - read: the delegated client's admin; nil without a relay.
  ///   - app: the app's package, which founding a namespace takes.
  ///   - deps: by default the real things, without a way to join.
  public static func createAccountAdmin(
    session: DelegatedSession, read: AdminApi?, app: AdminAppConfig = AdminAppConfig(),
    env: DelegatedEnvironment, deps: AccountAdminDeps? = nil
  ) -> AccountAdmin {
    AccountAdmin(session: session, read: read, app: app, env: env, deps: deps ?? .live(env))
  }
}

// MARK: - Listings and identity

extension AccountAdmin {
  /// The account's own contexts on its relay; none without a relay.
  public func getContexts(offset: Int?, limit: Int?) async throws -> GetContextsResponseData {
    guard let read else { return GetContextsResponseData(contexts: []) }
    return try await read.getContexts(offset: offset, limit: limit)
  }

  /// The account's own namespaces on its relay; none without a relay.
  public func listNamespaces(offset: Int?, limit: Int?) async throws -> [Namespace] {
    guard let read else { return [] }
    return try await read.listNamespaces(offset: offset, limit: limit)
  }

  /// The account's own namespaces that run an application.
  public func listNamespacesForApplication(
    _ applicationId: String, offset: Int?, limit: Int?
  ) async throws -> [Namespace] {
    guard let read else { return [] }
    let id = applicationId.lowercased()
    let all = try await read.allNamespaces().filter { $0.targetApplicationId.lowercased() == id }
    let rest = all.dropFirst(max(0, offset ?? 0))
    return Array(limit.map { rest.prefix(max(0, $0)) } ?? rest)
  }

  /// The account itself.
  public func getNodeIdentity() async throws -> NodeIdentity {
    NodeIdentity(accountId: session.account, deviceId: nil, publicKey: "", deviceCertified: true)
  }
}

// MARK: - Governing

extension AccountAdmin {
  /// Makes sure that a group's namespace is known, asking the relay once.
  func learnNamespace(of groupId: String, _ call: String) async throws {
    let read = try relay(call)
    guard DelegatedAccounts.namespaceOfGroup(session, groupId: groupId, store: env.store) == nil else {
      return
    }
    let info = try await read.getGroupInfo(groupId)
    DelegatedAccounts.rememberGroupNamespace(
      session.account, groupId: groupId,
      namespaceId: info.namespaceId.isEmpty ? groupId : info.namespaceId, store: env.store)
  }

  @discardableResult
  func governGroup(
    _ groupId: String, _ call: String = #function, _ op: () throws -> Warrants.GovernanceOp
  ) async throws -> String {
    try await learnNamespace(of: groupId, Self.name(call))
    return try await deps.governGroup(session, groupId, try op())
  }

  @discardableResult
  func governRoot(
    _ groupId: String, _ call: String = #function, _ op: () throws -> Warrants.GovernanceOp
  ) async throws -> String {
    try await learnNamespace(of: groupId, Self.name(call))
    return try await deps.governRoot(session, groupId, try op())
  }

  static func name(_ call: String) -> String { String(call.prefix { $0 != "(" }) }
}
