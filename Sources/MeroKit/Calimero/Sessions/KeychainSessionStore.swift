import Foundation

/// Keeps a session in the Keychain, readable after the first unlock and on this device only.
///
/// On macOS it is the data protection Keychain, which is for signed programs with an application identifier: in a tool
/// that has none every use throws with `errSecMissingEntitlement` (-34018). ``FileSessionStore`` is for those.
///
/// On Linux it keeps private files under the user's data folder (`$XDG_DATA_HOME`, else `~/.local/share`).
///
/// ```swift
/// options.sessionStore = KeychainSessionStore(account: "example")
/// ```
public struct KeychainSessionStore: SessionStore {
  #if canImport(Security)
    private let item: KeychainItem

    /// A store under a service and an account's name: the cluster's id, or any name of the app's.
    ///
    /// `accessGroup` shares it with other apps of the same team.
    public init(
      service: String = "network.calimero.merokit", account: String, accessGroup: String? = nil
    ) {
      item = KeychainItem(service: service, account: account, accessGroup: accessGroup)
    }

    /// What was saved last; nil when there is nothing, or nothing that is a session.
    public func load() throws -> StoredSession? { try item.read().flatMap(StoredSession.init(record:)) }
    /// Replaces what is kept.
    public func save(_ session: StoredSession) throws { try item.write(try session.record()) }
    /// Forgets what is kept.
    public func clear() throws { try item.remove() }
  #else
    private let files: FileSessionStore

    /// A store under a service and an account's name: the cluster's id, or any name of the app's.
    ///
    /// `accessGroup` has no meaning here.
    public init(
      service: String = "network.calimero.merokit", account: String, accessGroup: String? = nil
    ) {
      files = FileSessionStore(PrivateFolder.path(service: service, name: account))
    }

    /// What was saved last; nil when there is nothing, or nothing that is a session.
    public func load() throws -> StoredSession? { try files.load() }
    /// Replaces what is kept.
    public func save(_ session: StoredSession) throws { try files.save(session) }
    /// Forgets what is kept.
    public func clear() throws { try files.clear() }
    /// Runs `body` while no other process does.
    public func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
      try await files.withLock(body)
    }
  #endif
}
