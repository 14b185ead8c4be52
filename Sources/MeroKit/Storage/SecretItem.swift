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
  /// Changes what is kept, while no other process does where it is a file; nil leaves it.
  func change(_ body: (Data?) throws -> Data?) throws {
    #if canImport(Security)
      if let data = try body(try read()) { try write(data) }
    #else
      try FileLock.whileHeld("\(item.path).lock") {
        if let data = try body(try read()) { try write(data) }
      }
    #endif
  }

  /// Writes unless something is kept; answers whether it did.
  func add(_ data: Data) throws -> Bool { try item.add(data) }
}
