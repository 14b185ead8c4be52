#if canImport(Security)
  import Foundation
  import Security

  /// One generic password of the Keychain, unless told otherwise on this device only.
  ///
  /// On macOS it is kept in the data protection Keychain, as on the other platforms: the older one of macOS has neither
  /// ``accessible`` nor access groups, and would take both without a word. That Keychain is for signed programs alone.
  struct KeychainItem: Sendable {
    let service: String
    let account: String
    let accessGroup: String?
    /// One of the Keychain's words for when the item can be read.
    var accessible = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String

    func read() throws -> Data? {
      var query = identity
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw KeychainFailure(status) }
      return result as? Data
    }

    func write(_ data: Data) throws {
      let values: [CFString: Any] = [
        kSecValueData: data, kSecAttrAccessible: accessible,
      ]
      let status = SecItemUpdate(identity as CFDictionary, values as CFDictionary)
      guard status == errSecItemNotFound else {
        if status != errSecSuccess { throw KeychainFailure(status) }
        return
      }
      guard try add(data) else { throw KeychainFailure(errSecDuplicateItem) }
    }

    /// Writes unless something is kept; answers whether it did.
    func add(_ data: Data) throws -> Bool {
      let values: [CFString: Any] = [kSecValueData: data, kSecAttrAccessible: accessible]
      let status = SecItemAdd(identity.merging(values) { $1 } as CFDictionary, nil)
      guard status != errSecDuplicateItem else { return false }
      guard status == errSecSuccess else { throw KeychainFailure(status) }
      return true
    }

    func remove() throws {
      let status = SecItemDelete(identity as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainFailure(status) }
    }

    private var identity: [CFString: Any] {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account,
      ]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      #if os(macOS)
        query[kSecUseDataProtectionKeychain] = true
      #endif
      return query
    }
  }

  /// The Keychain refused.
  struct KeychainFailure: Error, CustomStringConvertible {
    let description: String

    init(_ status: OSStatus) {
      let text = SecCopyErrorMessageString(status, nil) as String? ?? "no text"
      let advice =
        status == errSecMissingEntitlement
        ? "; a program without a signature and an application identifier, such as a command-line tool, has no Keychain:"
          + " keep what it has in a file" : ""
      description = "the Keychain answered \(status): \(text)\(advice)"
    }
  }
#endif
