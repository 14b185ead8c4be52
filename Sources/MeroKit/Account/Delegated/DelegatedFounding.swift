import Foundation
import MeroTrust
import MeroWire

/// A namespace that an account founded.
public struct FoundedDelegatedNamespace: Sendable, Hashable {
  /// The namespace, 64 hex.
  public let namespaceId: String
  /// With the account it proves who founded the namespace; 64 hex.
  public let salt: String
  /// Whether the relay let itself in as the namespace's first attested node.
  public let teeEnabled: Bool
  /// Whether the cloud hosts the namespace.
  public let haEnabled: Bool
  /// Why it does not, in words for people.
  public let haError: String?
  /// Whether new members get the capabilities that were asked for; nil when none were.
  public let defaultCapabilitiesSet: Bool?
}

extension DelegatedAccounts {
  /// What new members of a founded namespace may do unless told otherwise: make contexts, invite, join open subgroups, make
  /// and delete subgroups, and change who sees them.
  public static let defaultNamespaceCapabilities: UInt32 = 231

  /// Founds a namespace through the account's first relay, and has the cloud host it (40 §13.4).
  ///
  /// The relay proves itself now, whatever is pinned: it becomes the namespace's first node and holds its keys. One that refuses
  /// because it acts as another account than the session says, having been set up anew, is asked again under that name, which
  /// is remembered for what is written there later. That the cloud
  /// does not host the namespace is told in the result and thrown by nobody.
  ///
  /// - Parameter salt: 64 hex, what the namespace's id is made of beside the account; drawn when nil. An error of a founding
  ///   whose answer was lost names it: with it the same namespace is founded again, or found to be there.
  /// - Throws: ``AccountError/noRelay(_:)``; ``AccountError/relayKeyUnavailable(_:)`` when the relay did not prove itself;
  ///   ``AccountError/intentRefused(reason:retryable:status:)`` when it refused, or when the namespace was founded and its
  ///   application could not be set: the same choice may be tried again.
  @discardableResult
  public static func foundDelegatedNamespace(
    _ session: DelegatedSession, defaultCapabilities: UInt32? = nil, application: FoundingApplication? = nil,
    salt: String? = nil, env: DelegatedEnvironment
  ) async throws -> FoundedDelegatedNamespace {
    guard let relay = knownRelays(session, store: env.store).first else {
      throw AccountError.noRelay("foundDelegatedNamespace")
    }
    let founded = try await found(
      session, relay, salt ?? Hex.encode(env.random.bytes(32)), defaultCapabilities, application, env)
    // Before anything can fail: a namespace that nobody remembers is lost.
    rememberRelay(session.account, relayURL: relay, namespaceId: founded.namespaceId, store: env.store)
    if application != nil, founded.applicationSet != true {
      throw AccountError.intentRefused(
        reason:
          "namespace \(founded.namespaceId) was founded, but its application could not be set: "
          + (founded.applicationError ?? "no reason given"), retryable: false, status: 409)
    }
    let refusal =
      founded.teeEnabled
      ? await hosting(session, founded, relay, env)
      : "the relay did not let itself in as an attested node, so the namespace cannot be hosted"
        + (founded.teeError.map { ": \($0)" } ?? "")
    return FoundedDelegatedNamespace(
      namespaceId: founded.namespaceId, salt: founded.salt, teeEnabled: founded.teeEnabled,
      haEnabled: refusal == nil, haError: refusal, defaultCapabilitiesSet: founded.defaultCapabilitiesSet)
  }

  /// Founds it. A relay that refuses may be another than it was: it was set up anew, and acts as another account. Nothing was
  /// founded then, so who it is is asked once more, and signed for once more.
  private static func found(
    _ session: DelegatedSession, _ relay: String, _ salt: String, _ defaultCapabilities: UInt32?,
    _ application: FoundingApplication?, _ env: DelegatedEnvironment
  ) async throws -> FoundedNamespace {
    let executor = try await foundingExecutor(session, relay, env)
    func attempt(_ executor: RelayExecutor) async throws -> FoundedNamespace {
      let client = relayClient(session, at: relay, as: executor.executorAccount, env: env)
      do {
        return try await client.foundNamespace(
          executor: executor, salt: salt, defaultCapabilities: defaultCapabilities, application: application)
      } catch let error as MeroError where error.leavesOutcomeOpen {
        let id = try GovernanceOps.namespaceId(founder: session.account, salt: salt)
        throw MeroError.network(
          "whether namespace \(id) was founded is not known: \(error); found it again with the salt \(salt)")
      }
    }
    do {
      return try await attempt(executor)
    } catch let refusal as AccountError {
      guard case .intentRefused(_, false, 403) = refusal,
        let account = try await askForExecutor(session, at: relay, key: executor.executorKey, env: env),
        account.lowercased() != executor.executorAccount.lowercased()
      else { throw refusal }
      let founded = try await attempt(
        RelayExecutor(executorAccount: account, executorKey: executor.executorKey))
      // It has spent a warrant that names this account, so this is who it is.
      rememberExecutor(account, for: session, at: relay, store: env.store)
      return founded
    }
  }

  /// The relay's account and the key that it proved just now.
  private static func foundingExecutor(
    _ session: DelegatedSession, _ relay: String, _ env: DelegatedEnvironment
  ) async throws -> RelayExecutor {
    if let account = executorAccount(of: session, at: relay, store: env.store) {
      return RelayExecutor(executorAccount: account, executorKey: try await attestedKey(relay, env))
    }
    let known = namespaces(of: session, at: relay, env)
    guard !known.isEmpty else { throw unknownExecutor }
    let key = try await attestedKey(relay, env)
    let client = relayClient(session, at: relay, env: env)
    for namespace in known {
      let description: GovernanceDescription
      do {
        description = try await client.describeGovernance(groupId: namespace)
      } catch let error as MeroError where error.httpStatus == 404 {
        // It is gone from the relay, or the relay from it; another one may still be there.
        continue
      }
      // Anybody may have answered: that may name the account, and never the key.
      guard description.executorKey.lowercased() == key else {
        throw AccountError.relayKeyUnavailable(
          "the relay names the key \(Excerpt.of(description.executorKey, upTo: 64)), and its hardware proves \(key)"
        )
      }
      return RelayExecutor(executorAccount: description.executorAccount, executorKey: key)
    }
    guard let account = try await askForExecutor(session, at: relay, key: key, env: env) else {
      throw unknownExecutor
    }
    return RelayExecutor(executorAccount: account, executorKey: key)
  }

  private static let unknownExecutor = AccountError.relayKeyUnavailable(
    "the relay's own account is not known: join a namespace at this relay first, or ask the cloud for the relay again"
  )

  private static func attestedKey(_ relay: String, _ env: DelegatedEnvironment) async throws -> String {
    switch await attemptRelayNodeKey(relay, env: env, fresh: true) {
    case .learned(let key): return key
    case .unavailable(let error):
      throw AccountError.relayKeyUnavailable("the relay did not answer; try again: \(error.text)")
    case .refused(let error):
      throw AccountError.relayKeyUnavailable("founding through this relay is not possible: \(error.text)")
    }
  }

  /// Asks the cloud to host a namespace; answers why it does not.
  private static func hosting(
    _ session: DelegatedSession, _ founded: FoundedNamespace, _ relay: String, _ env: DelegatedEnvironment
  ) async -> String? {
    do {
      try await cloud(session, env).enableHaAsAccount(
        namespaceId: founded.namespaceId, salt: founded.salt, accountId: session.account,
        credential: session.credential, keys: session.keys, relayURL: relay)
      return nil
    } catch AccountError.haRefused(let code, _, let body) {
      return CloudClient.haRefusalText(code, body: body)
    } catch { return error.text }
  }
}

extension Error {
  /// The error in words.
  var text: String { "\(self)" }
}

extension MeroError {
  /// Whether what was asked for may have been done all the same.
  fileprivate var leavesOutcomeOpen: Bool {
    switch self {
    case .network, .emptyResponse, .decoding: true
    case .http(let error): (500..<600).contains(error.status)
    default: false
    }
  }
}
