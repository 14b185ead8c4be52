import Foundation
import MeroKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where an account is kept on this machine: one folder of files that only their owner can read, and that several processes may
/// share.
struct AccountFolder: Sendable {
  let url: URL

  static func standard(_ environment: [String: String]) -> AccountFolder {
    AccountFolder(
      url: URL(fileURLWithPath: ToolSurroundings.dataFolder(environment)).appendingPathComponent("account"))
  }

  /// The device's secrets.
  var keys: DeviceKeyStore {
    Self.store(
      file("keys.json"),
      else:
        "it holds no keys of a device; move it away, or begin as another device with sign-out --forget-device"
    )
  }
  var session: AnyValueStore<CloudSession> {
    Self.store(file("session.json"), else: "it holds no session; sign in again")
  }
  var tokens: FileTokenStore { FileTokenStore(url: file("tokens.json")) }
  /// The numbers of warrants. They outlive sign-outs: a number is good once, for ever.
  var nonces: FileWarrantNonceStore { FileWarrantNonceStore(folder: file("nonces")) }
  /// Which relay serves what, and which keys relays have proven.
  var relays: DelegatedAccountStore { .file(url: file("relays.json")) }
  /// The package of each namespace, which links name.
  var packages: AnyValueStore<[String: String]> { .file(url: file("packages.json")) }

  /// A file that its owner alone can read, and that is not taken for missing when something else is in it: keys that are
  /// damaged must not be replaced by new ones unasked.
  private static func store<Value: Codable & Sendable>(
    _ url: URL, else words: String
  ) -> AnyValueStore<Value> {
    let file = AnyValueStore<Value>.file(url: url)
    return AnyValueStore(
      load: {
        if let value = try file.load() { return value }
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        // It may have been written just now, by another process.
        if let value = try file.load() { return value }
        throw ToolError("\(url.path) cannot be read: \(words)")
      }, save: file.save, clear: file.clear)
  }

  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Takes from files with secrets what others of this machine may do with them; answers which files that were.
  func makePrivate() -> [String] {
    ["keys.json", "tokens.json", "session.json"].map { file($0).path }.filter { path in
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0
      else { return false }
      return chmod(path, 0o600) == 0
    }
  }

  private func file(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// What there still is of a session that was ended.
  ///
  /// - Parameter withKeys: whether the device's keys were to go, too.
  func left(withKeys: Bool) -> [String] {
    let names = ["session.json", "tokens.json"] + (withKeys ? ["keys.json"] : [])
    return names.map { file($0).path }.filter { path in
      var status = stat()
      // A name that cannot be looked at may well be there.
      return lstat(path, &status) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }
  }

  func package(of namespace: String) -> String? {
    ((try? packages.load()) ?? nil)?[namespace.lowercased()]
  }

  /// Remembers the package of a namespace. Forgotten, it has to be named again, and no more.
  func remember(_ package: String, of namespace: String) {
    var known = ((try? packages.load()) ?? nil) ?? [:]
    known[namespace.lowercased()] = package
    try? packages.save(known)
  }
}
