import Foundation

/// One record in the Keychain; on a system without one, in a private file under the user's data folder.
struct SecretItem: Sendable {
  #if canImport(Security)
    private let item: KeychainItem

    init(service: String, account: String, accessGroup: String? = nil) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }
  #else
    private let item: PrivateFile

    init(service: String, account: String, accessGroup: String? = nil) {
      item = PrivateFile(path: PrivateFolder.path(service: service, name: account))
    }
  #endif

  /// What is kept; nil for nothing.
  func read() throws -> Data? { try item.read() }
  func write(_ data: Data) throws { try item.write(data) }
  func remove() throws { try item.remove() }
}
