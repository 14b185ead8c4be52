import Foundation
import MeroHTTP

#if canImport(Security)
  import Security
#endif

/// Keeps tokens in the Keychain, readable after the first unlock so that a background extension can renew them.
///
/// On Linux it keeps a private file under the user's data folder (`$XDG_DATA_HOME`, else `~/.local/share`).
///
/// ```swift
/// let mero = Mero(config: MeroConfig(baseURL: node, tokenStore: KeychainTokenStore()))
/// ```
public struct KeychainTokenStore: TokenStore {
  #if canImport(Security)
    private let item: KeychainItem
    private let clock: MeroClock

    /// A store under a service and an account's name.
    ///
    /// `accessGroup` shares it with other apps and extensions of the same team; `accessible` says when it can be read.
    public init(
      service: String = "network.calimero.merokit", account: String = "mero-tokens",
      accessGroup: String? = nil, accessible: CFString = kSecAttrAccessibleAfterFirstUnlock,
      clock: MeroClock = .system
    ) {
      item = KeychainItem(
        service: service, account: account, accessGroup: accessGroup, accessible: accessible as String)
      self.clock = clock
    }

    /// What was kept last; nil when there is nothing, or nothing that can be understood.
    public func getTokens() -> TokenData? {
      guard let record = try? item.read() else { return nil }
      return TokenData(record: record, now: clock.now())
    }
    /// Replaces what is kept.
    public func setTokens(_ tokens: TokenData) {
      if let record = try? tokens.record() { try? item.write(record) }
    }
    /// Forgets what is kept.
    public func clear() { try? item.remove() }
  #else
    private let files: FileTokenStore

    /// A store under a service and an account's name; `accessGroup` has no meaning here.
    public init(
      service: String = "network.calimero.merokit", account: String = "mero-tokens",
      accessGroup: String? = nil, clock: MeroClock = .system
    ) {
      files = FileTokenStore(path: PrivateFolder.path(service: service, name: account), clock: clock)
    }

    /// What was kept last; nil when there is nothing, or nothing that can be understood.
    public func getTokens() -> TokenData? { files.getTokens() }
    /// Replaces what is kept.
    public func setTokens(_ tokens: TokenData) { files.setTokens(tokens) }
    /// Forgets what is kept.
    public func clear() { files.clear() }
  #endif
}

#if !canImport(Security)
  extension KeychainTokenStore: SharedTokenStore {
    package var lockPath: String { files.lockPath }
  }
#endif
