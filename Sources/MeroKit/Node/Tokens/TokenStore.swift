import MeroHTTP

/// Where the tokens of a session with a node are kept (10 §8.1).
///
/// The store is the truth, not a client's memory: several processes may share it, and a client reads it again before it
/// renews a session. ``MemoryTokenStore`` forgets with the process, ``KeychainTokenStore`` is for apps,
/// ``FileTokenStore`` for tools. It may be called on any thread.
public protocol TokenStore: Sendable {
  /// What was kept last; nil when there is nothing, or nothing that can be understood.
  func getTokens() -> TokenData?
  /// Replaces what is kept.
  func setTokens(_ tokens: TokenData)
  /// Forgets what is kept.
  func clear()
}

/// A store that several processes may share has a file to lock while one of them renews the session.
package protocol SharedTokenStore: TokenStore {
  var lockPath: String { get }
}

/// Keeps tokens for as long as the process lives.
public final class MemoryTokenStore: TokenStore {
  private let tokens: Locked<TokenData?>

  /// A store that holds `tokens`, or nothing.
  public init(_ tokens: TokenData? = nil) { self.tokens = Locked(tokens) }

  /// What was kept last.
  public func getTokens() -> TokenData? { tokens.withLock { $0 } }
  /// Replaces what is kept.
  public func setTokens(_ tokens: TokenData) { self.tokens.withLock { $0 = tokens } }
  /// Forgets what is kept.
  public func clear() { tokens.withLock { $0 = nil } }
}
