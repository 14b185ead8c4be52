import Foundation
import MeroHTTP

/// Texts in `UserDefaults`, changed one at a time by everything in this process; where `UserDefaults` are plain files,
/// which is everywhere but on Apple's systems, also by every process of the user.
struct DefaultsTexts: Sendable {
  private let box: Locked<UserDefaultsBox>
  /// Several objects may use the same `UserDefaults`.
  private static let turn = Locked(0)

  init(_ defaults: UserDefaults) { box = Locked(UserDefaultsBox(defaults)) }

  func read(_ key: String) -> String? { box.withLock { $0.defaults.string(forKey: key) } }

  /// Changes a text as it is at that moment; nil leaves it.
  ///
  /// - Throws: when it could not be written, or what `body` throws.
  func change(_ key: String, _ body: (String?) throws -> String?) throws {
    try Self.turn.withLock { _ in
      #if canImport(Darwin)
        try write(key, try body(read(key)))
      #else
        let path = PrivateFolder.path(service: "network.calimero.merokit")
        try FileLock.whileHeld("\(path)/defaults.lock") {
          // Reads what others have written since.
          box.withLock { _ = $0.defaults.synchronize() }
          try write(key, try body(read(key)))
        }
      #endif
    }
  }

  private func write(_ key: String, _ text: String?) throws {
    guard let text else { return }
    let isWritten = box.withLock { box in
      box.defaults.set(text, forKey: key)
      return box.defaults.synchronize()
    }
    guard isWritten else { throw Unwritten() }
  }

  private struct Unwritten: Error, CustomStringConvertible {
    let description = "the user's defaults could not be written"
  }
}

/// `UserDefaults` where the compiler asks for `Sendable`.
///
/// `@unchecked Sendable` is sound because `defaults`, the only member, never changes, and `UserDefaults` is documented
/// to be safe to use from several threads; each store also uses its own one call at a time, behind a lock.
private struct UserDefaultsBox: @unchecked Sendable {
  let defaults: UserDefaults

  init(_ defaults: UserDefaults) { self.defaults = defaults }
}
