import Foundation

// Contexts and open joins as an account has them (40 §14.2, B).

extension AccountAdmin {
  /// Makes a context; the account itself is the member, and any secret of the request is left aside.
  @discardableResult
  public func createContext(_ request: CreateContextRequest) async throws -> CreateContextResponseData {
    try await learnNamespace(of: request.groupId, "createContext")
    let namespace =
      DelegatedAccounts.namespaceOfGroup(session, groupId: request.groupId, store: env.store)
      ?? request.groupId
    let contextId = try await deps.createContext(
      session,
      CreateDelegatedContextRequest(
        namespaceId: namespace, groupId: request.groupId, applicationId: request.applicationId,
        serviceName: request.serviceName, contextSeed: request.contextSeed,
        initializationParams: request.initializationParams.map { Int($0) }, name: request.name))
    return CreateContextResponseData(
      contextId: contextId, memberPublicKey: session.account, groupId: request.groupId)
  }

  /// Takes a context out of its group.
  public func detachContextFromGroup(_ groupId: String, contextId: String) async throws {
    try await governGroup(groupId) { try GovernanceOps.contextDetached(contextId: contextId) }
  }

  /// Becomes a member of the context's group of its own right.
  @discardableResult
  public func joinContext(_ contextId: String) async throws -> JoinContextResponseData {
    let read = try relay("joinContext")
    guard let group = try await read.getContextGroup(contextId) else {
      throw AccountError.protocolViolation("the relay names no group of the context")
    }
    try requireServed(group, by: read)
    _ = try await joinOpen(group, "joinContext")
    return JoinContextResponseData(contextId: contextId, memberPublicKey: session.account)
  }

  /// Becomes a member of an open subgroup of its own right.
  @discardableResult
  public func joinSubgroupInheritance(_ groupId: String) async throws -> JoinSubgroupInheritanceResponseData {
    let joined = try await joinOpen(groupId, "joinSubgroupInheritance")
    return JoinSubgroupInheritanceResponseData(
      groupId: groupId, memberPublicKey: session.account, wasInherited: joined)
  }

  /// The account, if it is a member of the context's group.
  public func getContextIdentitiesOwned(_ contextId: String) async throws -> GetContextIdentitiesResponseData
  {
    let read = try relay("getContextIdentitiesOwned")
    guard let group = try await read.getContextGroup(contextId) else {
      return GetContextIdentitiesResponseData(identities: [])
    }
    let isMember = try await read.allGroupMembers(group).contains {
      AccountID.areSame($0.identity, session.account)
    }
    return GetContextIdentitiesResponseData(identities: isMember ? [session.account] : [])
  }

  /// Nothing: the relay syncs by itself.
  public func syncContext(_ contextId: String?) async throws { _ = try relay("syncContext") }

  /// The group's contexts; there is nothing to sync.
  @discardableResult
  public func syncGroupContexts(_ groupId: String) async throws -> [GroupContextEntry] {
    try await relay("syncGroupContexts").allGroupContexts(groupId)
  }

  /// A relay says where the contexts it serves belong, and not where another relay's do.
  private func requireServed(_ groupId: String, by read: AdminApi) throws {
    let map = DelegatedAccounts.readRelayMap(session.account, store: env.store)
    guard
      let namespace = DelegatedAccounts.namespaceOfGroup(session, groupId: groupId, store: env.store),
      let serving = map.namespaces[namespace],
      RelayOrigin.of(serving) != RelayOrigin.of(read.http.baseURL.absoluteString)
    else { return }
    throw AccountError.protocolViolation(
      "the relay names group \(Excerpt.of(groupId, upTo: 64)) as the context's, which another relay serves")
  }

  /// Sends the join always: a list of members cannot tell who inherits from who is one of its own right, so the refusal of
  /// the latter is what says that nothing was to be done.
  ///
  /// - Returns: whether the join happened.
  private func joinOpen(_ groupId: String, _ call: String) async throws -> Bool {
    do {
      try await governRoot(groupId, call) {
        try GovernanceOps.memberJoinedOpen(
          member: session.account, groupId: groupId, credential: session.credential)
      }
      return true
    } catch {
      guard DirectMemberRefusal.isOne(error) else { throw error }
      return false
    }
  }
}

/// The refusal to make a member who is one already.
enum DirectMemberRefusal {
  static func isOne(_ error: any Error) -> Bool {
    let status: Int?
    let text: String
    switch error {
    case let error as MeroError:
      status = error.httpStatus
      text = error.refusal?.message ?? error.description
    case AccountError.intentRefused(let reason, _, let code):
      status = code
      text = reason
    default:
      status = nil
      text = error.text
    }
    guard status == nil || status == 409 else { return false }
    return names(text.lowercased())
  }

  /// `signer`, hex digits, `is a direct member`; the refusal to be *not* one reads much the same.
  private static func names(_ text: String) -> Bool {
    var rest = text[...]
    while let found = rest.range(of: "signer ") {
      let signer = rest[found.upperBound...].prefix { $0.isHexDigit }
      let after = rest[signer.endIndex...]
      if !signer.isEmpty, after.hasPrefix(" is a direct member") { return true }
      rest = after
    }
    return false
  }
}
