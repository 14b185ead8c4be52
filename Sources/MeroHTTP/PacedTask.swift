import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's task that can be held back, and knows how long the server has been silent.
final class PacedTask: Sendable {
  private struct Pace {
    var lastActivity: TimeInterval
    var isPaused = false
  }

  private let task: URLSessionTask
  private let clock: MeroClock
  private let canPause: Bool
  private let pace: Locked<Pace>

  init(_ task: URLSessionTask, clock: MeroClock, canPause: Bool) {
    self.task = task
    self.clock = clock
    self.canPause = canPause
    pace = Locked(Pace(lastActivity: clock.uptime()))
  }

  /// Something has arrived.
  func touch() {
    let now = clock.uptime()
    pace.withLock { $0.lastActivity = now }
  }

  /// Seconds since something arrived; none while it is us who do not read.
  func silence(at now: TimeInterval) -> TimeInterval {
    pace.withLock { $0.isPaused ? 0 : now - $0.lastActivity }
  }

  /// Does what the body's buffer asks for.
  func perform(_ request: BodyBuffer.Request) {
    switch request {
    case .pause where canPause:
      pace.withLock { $0.isPaused = true }
      task.suspend()
    case .resume where canPause:
      let now = clock.uptime()
      pace.withLock { $0 = Pace(lastActivity: now) }
      task.resume()
    case .pause, .resume: break
    case .cancel: task.cancel()
    }
  }
}
