import Foundation
import MeroWire

/// A context that an account wants made (40 §13.3). The account itself is the member.
public struct CreateDelegatedContextRequest: Sendable, Hashable {
  /// The namespace, 64 hex.
  public var namespaceId: String
  /// The group; the namespace itself when nil.
  public var groupId: String?
  /// The application, 64 hex.
  public var applicationId: String
  /// Which service of an application that has several; without it the first one's `init` runs.
  public var serviceName: String?
  /// What the context's id is made of, 64 hex; drawn when nil.
  public var contextSeed: String?
  /// The arguments of `init`: JSON text, as bytes. None or empty is `{}`.
  public var initializationParams: [Int]?
  /// The context's name.
  public var name: String?

  /// A request of these parts.
  public init(
    namespaceId: String, groupId: String? = nil, applicationId: String, serviceName: String? = nil,
    contextSeed: String? = nil, initializationParams: [Int]? = nil, name: String? = nil
  ) {
    self.namespaceId = namespaceId
    self.groupId = groupId
    self.applicationId = applicationId
    self.serviceName = serviceName
    self.contextSeed = contextSeed
    self.initializationParams = initializationParams
    self.name = name
  }

  /// The arguments of `init`.
  func initArguments() throws(AccountError) -> JSONValue {
    guard let params = initializationParams, !params.isEmpty else { return [:] }
    let bytes = params.compactMap { UInt8(exactly: $0) }
    guard bytes.count == params.count, let value = try? JSONValue(parsing: Data(bytes)) else {
      throw .invalidInput("the initialization parameters are not the bytes of JSON text")
    }
    return value
  }
}

/// A private context, and the subgroup made for it.
public struct DelegatedPrivateContext: Sendable, Hashable {
  /// The context, 64 hex.
  public let contextId: String
  /// The subgroup, 64 hex.
  public let groupId: String
}

extension DelegatedAccounts {
  /// Makes a context through the relay that serves its namespace, and remembers both.
  ///
  /// - Returns: the context's id.
  public static func createDelegatedContext(
    _ session: DelegatedSession, _ request: CreateDelegatedContextRequest, env: DelegatedEnvironment
  ) async throws -> String {
    let arguments = try request.initArguments()
    let relay = try relay(
      for: session, namespaceId: request.namespaceId, call: "createDelegatedContext", store: env.store)
    // The new context's ledger is empty, so the first number of all is good in it.
    let made = try await relayClient(session, at: relay, env: env).createContext(
      groupId: request.groupId ?? request.namespaceId, applicationId: request.applicationId,
      initArgs: arguments, serviceName: request.serviceName, name: request.name, seed: request.contextSeed,
      nonce: 0)
    if let other = relayForContext(session.account, contextId: made.contextId, store: env.store),
      RelayOrigin.of(other) != RelayOrigin.of(relay)
    {
      throw AccountError.protocolViolation(
        "the relay says that it made context \(Excerpt.of(made.contextId, upTo: 64)), which is another relay's"
      )
    }
    rememberRelay(
      session.account, relayURL: relay, namespaceId: request.namespaceId, contextId: made.contextId,
      store: env.store)
    // The context is there. A number that cannot be written now is refused when it is drawn, which loses nothing; an error
    // here would have the caller make a second context.
    try? markContextNonceSpent(
      relayURL: relay, contextId: made.contextId, nonce: 0, nonces: env.nonces)
    return made.contextId
  }

  /// Makes a context that only some members of a namespace see: a restricted subgroup, the members in it, and the context.
  ///
  /// Nothing is undone when a later step fails: the error names the subgroup then, in which one can go on.
  ///
  /// - Parameter members: accounts that are in the namespace already.
  public static func createDelegatedPrivateContext(
    _ session: DelegatedSession, _ request: CreateDelegatedContextRequest, members: [String],
    env: DelegatedEnvironment
  ) async throws -> DelegatedPrivateContext {
    _ = try request.initArguments()
    let additions = try members.map { try GovernanceOps.memberAdded(member: $0) }
    let creation = try GovernanceOps.subgroupCreation(
      parentId: request.namespaceId, restricted: true, admin: session.account, random: env.random)
    try await delegatedGovernance(
      session, namespaceId: request.namespaceId, group: request.namespaceId, op: creation.op, env: env)
    rememberGroupNamespace(
      session.account, groupId: creation.groupId, namespaceId: request.namespaceId, store: env.store)
    do {
      for addition in additions {
        try await delegatedGovernance(
          session, namespaceId: request.namespaceId, group: creation.groupId, op: addition, env: env)
      }
      var inside = request
      inside.groupId = creation.groupId
      let context = try await createDelegatedContext(session, inside, env: env)
      return DelegatedPrivateContext(contextId: context, groupId: creation.groupId)
    } catch AccountError.intentRefused(let reason, let retryable, let status) {
      throw AccountError.intentRefused(
        reason: "\(reason) (subgroup \(creation.groupId) was made)", retryable: retryable, status: status)
    }
  }
}
