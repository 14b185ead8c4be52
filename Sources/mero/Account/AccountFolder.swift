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
  var keys: DeviceKeyStore { .file(url: file("keys.json")) }
  var session: AnyValueStore<CloudSession> { .file(url: file("session.json")) }
  var tokens: FileTokenStore { FileTokenStore(url: file("tokens.json")) }
  /// The numbers of warrants. They outlive sign-outs: a number is good once, for ever.
  var nonces: FileWarrantNonceStore { FileWarrantNonceStore(folder: file("nonces")) }
  /// Which relay serves what, and which keys relays have proven.
  var relays: DelegatedAccountStore { .file(url: file("relays.json")) }
  /// The package of each namespace, which links name.
  var packages: AnyValueStore<[String: String]> { .file(url: file("packages.json")) }

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
