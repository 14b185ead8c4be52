import Foundation
import MeroHTTP

/// What an account learned: which relay serves what, which group belongs where, which node keys were proven (40 §6.3).
///
/// URLs and ids only, no secret. What was set in this process can be read in this process even when it could not be written:
/// a disk that is full costs asking again, and no access.
///
/// ```swift
/// let store = DelegatedAccountStore()            // UserDefaults
/// let other = DelegatedAccountStore.keychain()   // the Keychain; on Linux private files
/// ```
public final class DelegatedAccountStore: Sendable {
  /// Where the texts are kept.
  package struct Backing: Sendable {
    package var read: @Sendable (String) -> String?
    package var write: @Sendable (String, String) -> Void

    package init(
      read: @escaping @Sendable (String) -> String?, write: @escaping @Sendable (String, String) -> Void
    ) {
      self.read = read
      self.write = write
    }
  }

  private let backing: Backing
  private let overlay = Locked<[String: String]>([:])

  package init(backing: Backing) { self.backing = backing }

  /// A store in `UserDefaults`.
  public convenience init(defaults: UserDefaults = .standard) {
    let box = Locked(UserDefaultsBox(defaults))
    self.init(
      backing: Backing(
        read: { key in box.withLock { $0.defaults.string(forKey: key) } },
        write: { key, text in box.withLock { $0.defaults.set(text, forKey: key) } }))
  }

  /// A store in the Keychain, or in private files on a system that has none.
  public static func keychain(
    service: String = "network.calimero.merokit", accessGroup: String? = nil
  ) -> DelegatedAccountStore {
    @Sendable func item(_ key: String) -> SecretItem {
      SecretItem(service: service, account: key, accessGroup: accessGroup)
    }
    return DelegatedAccountStore(
      backing: Backing(
        read: { key in (try? item(key).read()).flatMap { String(data: $0, encoding: .utf8) } },
        write: { key, text in try? item(key).write(Data(text.utf8)) }))
  }

  /// A store in one file that only its owner can read. Several processes may share it: what one of them adds does not undo what
  /// another added.
  public static func file(url: URL) -> DelegatedAccountStore {
    let texts = SharedTexts(path: url.path)
    return DelegatedAccountStore(backing: Backing(read: texts.read, write: texts.write))
  }

  /// A store that ends with the process.
  public static func memory() -> DelegatedAccountStore {
    DelegatedAccountStore(backing: Backing(read: { _ in nil }, write: { _, _ in }))
  }

  func text(_ key: String) -> String? {
    overlay.withLock { $0[key] } ?? backing.read(key)
  }

  func set(_ text: String, _ key: String) {
    overlay.withLock { $0[key] = text }
    backing.write(key, text)
  }

  /// Changes a text as it is at that moment: somebody else may have added something meanwhile.
  func change(_ key: String, _ body: (String?) -> String?) {
    let changed = overlay.withLock { texts -> String? in
      guard let text = body(texts[key] ?? backing.read(key)) else { return nil }
      texts[key] = text
      return text
    }
    if let changed { backing.write(key, changed) }
  }
}
