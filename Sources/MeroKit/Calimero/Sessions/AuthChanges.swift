/// Who is signed in: the state at once, then every change. Each loop over it has its own.
///
/// ```swift
/// for await change in client.authChanges {
///   if case .signedOut(let reason) = change { showSignIn(reason) }
/// }
/// ```
public struct AuthChanges: AsyncSequence, Sendable {
  /// A state of signing in.
  public typealias Element = AuthChange

  private let announcements: Announcements<AuthChange>
  private let readStore: @Sendable () async -> Void

  init(_ announcements: Announcements<AuthChange>, readStore: @escaping @Sendable () async -> Void) {
    self.announcements = announcements
    self.readStore = readStore
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(inner: announcements.listen().makeAsyncIterator(), readStore: readStore)
  }

  /// Walks over the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var inner: AsyncStream<AuthChange>.AsyncIterator
    var readStore: (@Sendable () async -> Void)?

    /// The next change; nil when the client was closed or the task cancelled.
    public mutating func next() async -> AuthChange? {
      // Before the store was read there is no state to begin with.
      await readStore?()
      readStore = nil
      return await inner.next()
    }
  }
}
