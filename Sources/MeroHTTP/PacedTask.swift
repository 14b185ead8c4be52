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
  private let pace: Locked<Pace>

  init(_ task: URLSessionTask, clock: MeroClock) {
    self.task = task
    self.clock = clock
    pace = Locked(Pace(lastActivity: clock.uptime()))
  }

  func begin() {
    task.resume()
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

  #if os(Linux)
    /// Does what the body's buffer asks for, except that nothing holds a sender back on Linux: there `suspend()` drops
    /// the connection and `resume()` sends the request again, or ends the process when it follows too closely. So a
    /// reader that falls `BodyBuffer.limit` behind loses its body.
    func perform(_ request: BodyBuffer.Request) {
      guard request == .cancel else { return }
      // Not on this thread: all sessions share one queue, and the call waits until their sockets run dry.
      DispatchQueue.global().async { [task] in task.cancel() }
    }
  #else
    /// Does what the body's buffer asks for.
    func perform(_ request: BodyBuffer.Request) {
      let now = clock.uptime()
      switch request {
      case .pause:
        pace.withLock { $0.isPaused = true }
        task.suspend()
      case .resume:
        pace.withLock { $0 = Pace(lastActivity: now) }
        task.resume()
      case .cancel: task.cancel()
      }
    }
  #endif
}
