import MeroHTTP

/// A client's own writes to its session store: one at a time, in the order they were decided on.
///
/// Others may use the same store, in this process or another: what they signed in to, or out of, stays as they left it.
final class SessionWrites: Sendable {
  /// What a store holds, as far as it says.
  enum Contents: Sendable, Hashable {
    case session(StoredSession)
    /// Nothing, or nothing that is a session.
    case nothing
    case unreadable
  }

  /// Tokens that were not saved since somebody else has cleared the store.
  struct SignedOutElsewhere: Error {}

  private let store: any SessionStore
  private let last = Locked<Task<Void, Never>?>(nil)
  /// The sessions that this client found in the store or saved there, and has not cleared, by their ids.
  private let own = Locked<Set<String>>([])

  init(_ store: any SessionStore) { self.store = store }

  /// What the store holds now.
  func contents() async -> Contents {
    do {
      return try await store.load().map(Contents.session) ?? .nothing
    } catch {
      return .unreadable
    }
  }

  /// The session was found in the store.
  func found(_ session: StoredSession) { own.withLock { _ = $0.insert(session.session.sessionId) } }

  /// Whether somebody else has signed out: the session was in the store, where nothing is any more.
  func isCleared(_ session: StoredSession, by contents: Contents) -> Bool {
    contents == .nothing && isOwn(session)
  }

  /// Whether the session was found in the store or saved there by this client.
  func isOwn(_ session: StoredSession) -> Bool { own.withLock { $0.contains(session.session.sessionId) } }

  // MARK: Writing

  /// Saves a session that was signed in to. The write's place among the others is settled on return, here and below.
  ///
  /// - Parameter isWanted: asked when its turn has come.
  func save(
    _ session: StoredSession, if isWanted: @escaping @Sendable () async -> Bool
  ) -> Task<Void, any Error> {
    begin {
      guard await isWanted() else { return }
      try await self.store.save(session)
      self.found(session)
    }
  }

  /// Saves new tokens of a session, unless somebody else has put another account's record in its place, now or when the
  /// store was looked at `before`: that one stays.
  ///
  /// - Returns: what fails with ``SignedOutElsewhere``, or with whatever the store throws.
  func save(
    _ tokens: StoredSession, renewing session: StoredSession, before: Contents,
    if isWanted: @escaping @Sendable () async -> Bool
  ) -> Task<Void, any Error> {
    begin {
      let now = await self.contents()
      guard await isWanted() else { return }
      if self.isCleared(session, by: now) { throw SignedOutElsewhere() }
      let seen = now == .unreadable ? before : now
      if case .session(let record) = seen, !record.isSameAccount(as: session) { return }
      try await self.store.save(tokens)
      self.found(tokens)
    }
  }

  /// Clears the store, unless it holds a session that is not to go. What cannot be read goes.
  ///
  /// - Returns: what answers the session that was cleared.
  func clear(
    if isToGo: @escaping @Sendable (_ record: StoredSession) async -> Bool
  ) -> Task<StoredSession?, any Error> {
    begin {
      guard case .session(let record) = await self.contents() else {
        try await self.store.clear()
        return nil
      }
      guard await isToGo(record) else { return nil }
      try await self.store.clear()
      self.own.withLock { _ = $0.remove(record.session.sessionId) }
      return record
    }
  }

  private func begin<Value: Sendable>(
    _ write: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    last.withLock { last in
      let task = Task { [last] in
        await last?.value
        return try await write()
      }
      last = Task { _ = await task.result }
      return task
    }
  }
}
