import Foundation
import MeroHTTP

/// Nonces in `UserDefaults`, as decimal texts.
///
/// One process at a time: an app and its extension that sign at the same time use ``FileWarrantNonceStore`` in a folder they
/// share.
public final class UserDefaultsWarrantNonceStore: WarrantNonceStore {
  private let store: Locked<UserDefaultsBox>
  private let prefix: String

  /// A store in `defaults`, whose keys begin with `prefix`.
  public init(defaults: UserDefaults = .standard, prefix: String = "calimero.nonce.") {
    store = Locked(UserDefaultsBox(defaults))
    self.prefix = prefix
  }

  /// The next number of a relay.
  public func next(relay: String) throws -> UInt64 {
    try change(relay) { try $0.next() }
  }

  /// Makes the next number at least `floor`.
  public func advance(relay: String, to floor: UInt64) {
    change(relay) { $0.advance(to: floor) }
  }

  private func change<T>(_ relay: String, _ body: (inout NonceSequence) throws -> T) rethrows -> T {
    let key = prefix + RelayOrigin.of(relay)
    return try store.withLock { box in
      var sequence = NonceSequence(stored: box.defaults.string(forKey: key))
      let result = try body(&sequence)
      box.defaults.set(sequence.stored, forKey: key)
      // Before the number leaves: what is only in memory would be handed out again after a crash.
      box.defaults.synchronize()
      return result
    }
  }
}

/// `UserDefaults` where the compiler asks for `Sendable`.
///
/// `@unchecked Sendable` is sound because `defaults`, the only member, never changes, and `UserDefaults` is documented to be safe
/// to use from several threads; each store also uses its own one call at a time, behind a lock.
struct UserDefaultsBox: @unchecked Sendable {
  let defaults: UserDefaults

  init(_ defaults: UserDefaults) { self.defaults = defaults }
}
