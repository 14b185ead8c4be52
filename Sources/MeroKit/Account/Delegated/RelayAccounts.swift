import Foundation
import MeroWire

/// The account that a relay acts as, which is another one after the relay was set up anew at the same address.
///
/// A session keeps the account that the cloud named at the sign-in. When a relay has shown that it is another by now, that is
/// kept beside the session, for this session's account alone: a session that names the right one is left as it is.
extension DelegatedAccounts {
  /// The account that warrants at a relay have to name, as far as it is known.
  static func executorAccount(
    of session: DelegatedSession, at relay: String, store: DelegatedAccountStore
  ) -> String? {
    guard let named = session.moved(to: relay).executorAccount?.lowercased() else { return nil }
    guard let other = successors(store.text(Keys.executors(relay)))[named], HexField.isId(other)
    else { return named }
    return other
  }

  /// Remembers that a relay has acted as another account than the one that a session names.
  static func rememberExecutor(
    _ account: String, for session: DelegatedSession, at relay: String, store: DelegatedAccountStore
  ) {
    guard let named = session.moved(to: relay).executorAccount?.lowercased() else { return }
    store.change(Keys.executors(relay)) { text in
      var known = successors(text)
      guard known[named] ?? named != account.lowercased() else { return nil }
      known[named] = account.lowercased()
      return RelayMap.object(known).text
    }
  }

  private static func successors(_ text: String?) -> [String: String] {
    RelayMap.texts(text.flatMap { try? JSONValue(parsing: $0) })
  }

  /// Asks who a relay acts as: the cloud, and then the relay itself about the namespaces that are remembered there. Its own word
  /// counts for the account, and only beside the key that its hardware has proven.
  ///
  /// - Returns: nil when nobody can tell.
  static func askForExecutor(
    _ session: DelegatedSession, at relay: String, key: String, env: DelegatedEnvironment
  ) async throws -> String? {
    if let rows = try await answer({ try await cloud(session, env).getAccountRelays(session.account) }),
      let row = rows.first(where: { $0.relayUrl.map(RelayOrigin.of) == relay }),
      let account = row.executorAccount
    {
      return account
    }
    let client = relayClient(session, at: relay, env: env)
    for namespace in namespaces(of: session, at: relay, env) {
      let description = try await answer { try await client.describeGovernance(groupId: namespace) }
      if let description, description.executorKey.lowercased() == key { return description.executorAccount }
    }
    return nil
  }

  /// The namespaces that are remembered at a relay, in a stable order.
  static func namespaces(of session: DelegatedSession, at relay: String, _ env: DelegatedEnvironment)
    -> [String]
  {
    readRelayMap(session.account, store: env.store).namespaces
      .filter { RelayOrigin.of($0.value) == relay }.map(\.key).sorted()
  }

  /// An answer, or nil when there is none; a task that was cancelled asks on at nobody.
  private static func answer<Value>(_ question: () async throws -> Value) async throws -> Value? {
    do { return try await question() } catch is CancellationError { throw CancellationError() } catch {
      return nil
    }
  }
}
