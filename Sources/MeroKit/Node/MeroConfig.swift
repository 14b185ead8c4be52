import Foundation
import MeroHTTP

/// How a ``Mero`` reaches its node (10 §8.2).
public struct MeroConfig: Sendable {
  /// The node's address, with or without a path prefix.
  public var baseURL: URL
  /// What ``Mero/authenticate(_:)`` logs in with when it is given nothing.
  public var credentials: Credentials?
  /// Seconds for each try of a request with its answer. Event streams and files are not limited by it.
  public var timeout: TimeInterval
  /// Where the session is kept.
  public var tokenStore: any TokenStore
  /// Told why, once for each session that the node ends, after its tokens are gone. What it throws is ignored.
  public var onAuthRevoked: (@Sendable (_ reason: String) async throws -> Void)?
  /// Lets `http` go to a host that is not this machine. Anybody on the way can read and change what is sent then.
  public var allowInsecureHTTP: Bool
  /// A file that all processes lock which share the token store, while one of them renews the session. Stores that are
  /// files have one of their own.
  public var refreshLockURL: URL?
  /// The time.
  public var clock: MeroClock
  /// The source of jitter.
  public var random: MeroRandom

  /// A configuration of these parts.
  public init(
    baseURL: URL, credentials: Credentials? = nil, timeout: TimeInterval = 10,
    tokenStore: any TokenStore = MemoryTokenStore(),
    onAuthRevoked: (@Sendable (_ reason: String) async throws -> Void)? = nil,
    allowInsecureHTTP: Bool = false, refreshLockURL: URL? = nil, clock: MeroClock = .system,
    random: MeroRandom = .system
  ) {
    self.baseURL = baseURL
    self.credentials = credentials
    self.timeout = timeout
    self.tokenStore = tokenStore
    self.onAuthRevoked = onAuthRevoked
    self.allowInsecureHTTP = allowInsecureHTTP
    self.refreshLockURL = refreshLockURL
    self.clock = clock
    self.random = random
  }
}
