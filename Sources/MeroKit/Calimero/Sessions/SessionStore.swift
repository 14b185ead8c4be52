/// Where a client keeps its session.
///
/// ``MemorySessionStore`` forgets it with the process, ``KeychainSessionStore`` is for apps, and
/// ``FileSessionStore`` for tools and for several processes that share one session.
public protocol SessionStore: Sendable {
  /// What was saved last, or nil. A record that cannot be understood counts as none.
  func load() async throws -> StoredSession?

  /// Replaces what is kept.
  func save(_ session: StoredSession) async throws

  /// Forgets what is kept.
  func clear() async throws

  /// Runs `body` while nobody else is in `withLock` of the same store, in this or another process.
  ///
  /// The client refreshes a session inside, because a refresh token may be used only once. `body` loads and
  /// saves. A store that only one client uses can leave this out: it then just runs `body`.
  func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
}

extension SessionStore {
  /// Just runs `body`.
  public func withLock<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    try await body()
  }
}

/// Keeps a session for as long as the process lives.
public actor MemorySessionStore: SessionStore {
  private var session: StoredSession?

  /// A store that holds `session`, or nothing.
  public init(_ session: StoredSession? = nil) { self.session = session }

  /// What was saved last.
  public func load() -> StoredSession? { session }
  /// Replaces what is kept.
  public func save(_ session: StoredSession) { self.session = session }
  /// Forgets what is kept.
  public func clear() { session = nil }
}
