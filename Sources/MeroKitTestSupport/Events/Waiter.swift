import Foundation
import MeroHTTP

/// A request that waits for a change of an app, or until its time is up.
final class Waiter: Sendable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case woken
  }

  let appId: String
  private let state = Locked(State.idle)

  init(appId: String) {
    self.appId = appId
  }

  /// Ends the wait, also one that has not begun.
  func wake() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .woken }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }

  /// Waits at most `seconds`. Throws when the task is cancelled.
  func wait(atMost seconds: TimeInterval, clock: MeroClock) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask { try await clock.sleep(seconds) }
      defer {
        group.cancelAll()
        wake()
      }
      try await group.next()
    }
    try Task.checkCancellation()
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isWoken = state.withLock { state in
          if case .woken = state { return true }
          state = .waiting(continuation)
          return false
        }
        if isWoken { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }
}
