import Foundation

/// A context of an account, and the relay that serves it.
public struct DelegatedContext: Sendable, Hashable {
  /// The context.
  public let context: ContextWithGroup
  /// The relay.
  public let relayURL: String
}

/// A namespace of an account, and the relay that serves it.
public struct DelegatedNamespace: Sendable, Hashable {
  /// The namespace.
  public let namespace: Namespace
  /// The relay.
  public let relayURL: String
}

extension DelegatedAccounts {
  /// Every context of the account that its relays know of, each with its relay, which is remembered (40 §6.4).
  ///
  /// Each relay answers for itself and for this account alone. One that cannot be reached, or does not prove itself, is
  /// passed over: its contexts are missing then.
  public static func listDelegatedContexts(
    _ session: DelegatedSession, env: DelegatedEnvironment
  ) async -> [DelegatedContext] {
    var found: [DelegatedContext] = []
    for relay in knownRelays(session, store: env.store) {
      guard let contexts = await ask(relay, session, env, { try await $0.getContexts().contexts }) else {
        continue
      }
      found += contexts.map { DelegatedContext(context: $0, relayURL: relay) }
      changeRelayMap(session.account, env.store) { $0.take(contexts: contexts.map(\.id), of: relay) }
    }
    return found
  }

  /// Every namespace of the account that its relays know of, once, with its relay (40 §6.4). The relay that is remembered
  /// for a namespace stays: it is the one that let the account in.
  public static func listDelegatedNamespaces(
    _ session: DelegatedSession, env: DelegatedEnvironment
  ) async -> [DelegatedNamespace] {
    var found: [DelegatedNamespace] = []
    var seen: Set<String> = []
    for relay in knownRelays(session, store: env.store) {
      guard let namespaces = await ask(relay, session, env, { try await $0.listNamespaces() }) else {
        continue
      }
      for namespace in namespaces where seen.insert(namespace.namespaceId).inserted {
        found.append(DelegatedNamespace(namespace: namespace, relayURL: relay))
      }
      changeRelayMap(session.account, env.store) {
        $0.take(namespaces: namespaces.map(\.namespaceId), of: relay)
      }
    }
    return found
  }

  /// What a relay answers to the account; nil when it cannot be asked, or must not be.
  private static func ask<T: Sendable>(
    _ relay: String, _ session: DelegatedSession, _ env: DelegatedEnvironment,
    _ question: (AdminApi) async throws -> T
  ) async -> T? {
    guard case .learned = await attemptRelayNodeKey(relay, env: env),
      let client = try? buildDelegatedClient(session.moved(to: relay), env: env)
    else { return nil }
    let answer = try? await question(client.admin)
    await client.close()
    return answer
  }
}

extension DelegatedSession {
  /// The session at another relay. The executor is the old relay's, and goes unless it is the same one.
  package func moved(to relay: String) -> DelegatedSession {
    var session = self
    if relayUrl.map(RelayOrigin.of) != RelayOrigin.of(relay) { session.executorAccount = nil }
    session.relayUrl = RelayOrigin.of(relay)
    return session
  }
}
