import MeroHTTP

/// Work that goes on when whoever asked for it has gone away: a method that takes its time ends when its time is over, so
/// that a client that gave up and repeats its call is told that the first one still runs (70 §2.7).
final class PausedWork: Sendable {
  private struct State {
    var count: UInt64 = 0
    var tasks: [UInt64: Task<Void, Never>] = [:]
  }

  private let state = Locked(State())

  /// Answers what the work comes to. Throws `CancellationError` as soon as the calling task is cancelled, and the work
  /// goes on.
  func finish<Answer: Sendable>(
    _ work: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    let (answers, continuation) = AsyncThrowingStream.makeStream(of: Answer.self)
    state.withLock { state in
      let number = state.count
      state.count += 1
      state.tasks[number] = Task {
        do {
          continuation.yield(try await work())
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
        self.forget(number)
      }
    }
    for try await answer in answers { return answer }
    throw CancellationError()
  }

  /// Ends all of it where it stands, as when the cluster is gone.
  func cancel() {
    state.withLock { Array($0.tasks.values) }.forEach { $0.cancel() }
  }

  private func forget(_ number: UInt64) {
    state.withLock { $0.tasks[number] = nil }
  }
}
