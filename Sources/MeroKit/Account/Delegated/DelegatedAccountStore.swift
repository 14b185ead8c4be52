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
    /// Changes a text as it is at that moment, while nobody else does; it throws when it could not write.
    typealias Change = @Sendable (_ key: String, _ body: (String?) -> String?) throws -> Void

    var read: @Sendable (String) -> String?
    var change: Change

    init(read: @escaping @Sendable (String) -> String?, change: @escaping Change) {
      self.read = read
      self.change = change
    }

    /// A place that says nothing of a text that it does not take: it is read again to know.
    package init(
      read: @escaping @Sendable (String) -> String?, write: @escaping @Sendable (String, String) -> Void
    ) {
      self.init(read: read) { key, body in
        guard let text = body(read(key)) else { return }
        write(key, text)
        guard read(key) == text else { throw Unwritten() }
      }
    }

    private struct Unwritten: Error {}
  }

  private let backing: Backing
  /// What could not be written.
  private let overlay = Locked<[String: String]>([:])
  /// One change at a time: between reading and writing nobody else writes.
  /// Holds a number that nobody needs: a thread checker takes an empty value for the object around it.
  private let turn = Locked(0)

  package init(backing: Backing) { self.backing = backing }

  /// A store in `UserDefaults`.
  public convenience init(defaults: UserDefaults = .standard) {
    let texts = DefaultsTexts(defaults)
    self.init(backing: Backing(read: { texts.read($0) }, change: { try texts.change($0, $1) }))
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
        change: { key, body in
          try item(key).change { data in
            body(data.flatMap { String(data: $0, encoding: .utf8) }).map { Data($0.utf8) }
          }
        }))
  }

  /// A store in one file that only its owner can read. Several processes may share it: what one of them adds does not undo what
  /// another added.
  public static func file(url: URL) -> DelegatedAccountStore {
    let texts = SharedTexts(path: url.path)
    return DelegatedAccountStore(
      backing: Backing(read: { texts.read($0) }, change: { try texts.change($0, $1) }))
  }

  /// A store that ends with the process.
  public static func memory() -> DelegatedAccountStore {
    DelegatedAccountStore(backing: Backing(read: { _ in nil }, write: { _, _ in }))
  }

  func text(_ key: String) -> String? {
    overlay.withLock { $0[key] } ?? backing.read(key)
  }

  func set(_ text: String, _ key: String) { change(key) { _ in text } }

  /// Changes a text as it is at that moment: somebody else may have added something meanwhile. What cannot be written stays true
  /// in this process, and is tried again with the next change.
  func change(_ key: String, _ body: (String?) -> String?) {
    turn.withLock { _ in
      let unwritten = overlay.withLock { $0[key] }
      var changed: String?
      var wasAsked = false
      do {
        try backing.change(key) { kept in
          wasAsked = true
          changed = body(unwritten ?? kept)
          return changed ?? unwritten
        }
        if unwritten != nil { overlay.withLock { $0[key] = nil } }
      } catch {
        if !wasAsked { changed = body(unwritten ?? backing.read(key)) }
        if let changed { overlay.withLock { $0[key] = changed } }
      }
    }
  }
}
