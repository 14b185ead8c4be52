import Foundation
import MeroHTTP
import MeroTrust
import MeroWire

/// What makes an account without a node behave like one: finding its relays, proving them, writing through them, founding,
/// inviting and joining (40 §6 to §15).
///
/// Everything starts from a ``DelegatedSession`` and works with a ``DelegatedEnvironment``.
///
/// ```swift
/// let contexts = await DelegatedAccounts.listDelegatedContexts(session, env: env)
/// ```
public enum DelegatedAccounts {
  /// Keeps the relay's account when a session is replaced by one at the same relay, and drops it when it is not: named at
  /// another relay, it would make every warrant worthless.
  public static func carryExecutorAccount(
    from previous: DelegatedSession?, to next: DelegatedSession
  ) -> DelegatedSession {
    guard next.executorAccount == nil, let executor = previous?.executorAccount,
      let old = previous?.relayUrl, let new = next.relayUrl, RelayOrigin.of(old) == RelayOrigin.of(new)
    else { return next }
    var session = next
    session.executorAccount = executor
    return session
  }

  /// Remembers that a nonce was spent at a relay: those that follow are higher.
  public static func markContextNonceSpent(
    relayURL: String, contextId: String, nonce: UInt64, nonces: any WarrantNonceStore
  ) throws {
    let (floor, overflow) = nonce.addingReportingOverflow(1)
    try nonces.advance(relay: relayURL, to: overflow ? nonce : floor)
  }
}
