import Foundation

/// A transfer that can be held back, and knows how long the server has been silent.
final class PacedTask: Sendable {
  private struct Pace {
    var lastActivity: TimeInterval
    var isPaused = false
  }

  private let transfer: any Transfer
  private let clock: MeroClock
  private let pace: Locked<Pace>

  init(_ transfer: any Transfer, clock: MeroClock) {
    self.transfer = transfer
    self.clock = clock
    pace = Locked(Pace(lastActivity: clock.uptime()))
  }

  var asksBeforeSending: Bool { transfer.asksBeforeSending }

  func begin(_ exchange: Exchange) {
    transfer.begin(exchange)
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

  /// Does what the body's buffer asks for. A sender that cannot be held back loses its reader at `BodyBuffer.limit`.
  func perform(_ request: BodyBuffer.Request) {
    switch request {
    case .pause where transfer.canPause:
      pace.withLock { $0.isPaused = true }
      transfer.pause()
    case .resume where transfer.canPause:
      let now = clock.uptime()
      pace.withLock { $0 = Pace(lastActivity: now) }
      transfer.resume()
    case .pause, .resume: break
    case .cancel: transfer.cancel()
    }
  }
}
