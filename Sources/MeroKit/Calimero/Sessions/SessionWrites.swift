import MeroHTTP

/// A client's own writes to its session store: one at a time, in the order they were decided on.
final class SessionWrites: Sendable {
  private let store: any SessionStore
  private let last = Locked<Task<Void, Never>?>(nil)

  init(_ store: any SessionStore) { self.store = store }

  /// Puts a write after those that were begun before it. Its place is settled on return.
  ///
  /// - Returns: what it fails with, once it has ended.
  func begin(
    _ write: @escaping @Sendable (any SessionStore) async throws -> Void
  ) -> Task<(any Error)?, Never> {
    last.withLock { last in
      let task = Task { [store, last] () -> (any Error)? in
        await last?.value
        do {
          try await write(store)
          return nil
        } catch {
          return error
        }
      }
      last = Task { _ = await task.value }
      return task
    }
  }
}
