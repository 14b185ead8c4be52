import MeroHTTP

/// The first answer of those that callbacks give, for the one task that waits for it.
///
/// Later answers, and one that comes after the task was cancelled, are dropped.
final class FirstAnswer<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case given(Result<Value, any Error>)
    case over
  }

  private let state = Locked(State.open)

  func give(_ answer: Result<Value, any Error>) {
    let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .open: state = .given(answer)
      case .awaited(let continuation):
        state = .over
        return continuation
      case .given, .over: break
      }
      return nil
    }
    waiting?.resume(with: answer)
  }

  /// Waits for it; throws `CancellationError` as soon as the task is cancelled.
  func wait() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ready: Result<Value, any Error>? = state.withLock { state in
          switch state {
          case .given(let answer):
            state = .over
            return answer
          case .open:
            state = .awaited(continuation)
            return nil
          case .awaited, .over: return .failure(CancellationError())
          }
        }
        if let ready { continuation.resume(with: ready) }
      }
    } onCancel: {
      give(.failure(CancellationError()))
    }
  }
}
