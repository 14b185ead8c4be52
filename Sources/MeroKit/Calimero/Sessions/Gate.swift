import MeroHTTP

/// Holds back any number of tasks until it is opened, once, with the outcome they wait for.
final class Gate: Sendable {
  private struct State {
    var outcome: Result<Void, any Error>?
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// Waiters cancelled before they had begun to wait.
    var gone: Set<Int> = []
  }

  private let state = Locked(State())

  /// Lets everyone through who waits, and everyone who comes later. Only the first outcome counts.
  func open(_ outcome: Result<Void, any Error> = .success(())) {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, any Error>] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(with: outcome) }
  }

  /// Waits for the outcome.
  ///
  /// - Throws: the outcome's error, or `CancellationError` as soon as the task is cancelled; the others wait on.
  func wait() async throws {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if let outcome = state.outcome { return outcome }
          if state.gone.remove(waiter) != nil { return .failure(CancellationError()) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        let continuation = state.waiters.removeValue(forKey: waiter)
        if continuation == nil { state.gone.insert(waiter) }
        return continuation
      }
      continuation?.resume(throwing: CancellationError())
    }
  }
}
