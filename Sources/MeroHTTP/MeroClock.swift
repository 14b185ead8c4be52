import Foundation

/// Time as everything in this package sees it. Tests pass a clock they move themselves.
public struct MeroClock: Sendable {
  /// The wall clock.
  public var now: @Sendable () -> Date
  /// Seconds since some fixed moment; never goes back, counts while the device sleeps.
  public var uptime: @Sendable () -> TimeInterval
  /// Waits this many seconds. Throws `CancellationError` as soon as the task is cancelled.
  public var sleep: @Sendable (TimeInterval) async throws -> Void

  /// A clock made of these three.
  public init(
    now: @escaping @Sendable () -> Date, uptime: @escaping @Sendable () -> TimeInterval,
    sleep: @escaping @Sendable (TimeInterval) async throws -> Void
  ) {
    self.now = now
    self.uptime = uptime
    self.sleep = sleep
  }

  /// The clock of the machine.
  public static let system = MeroClock(
    now: { Date() },
    uptime: {
      // A span must include the time a phone was asleep: a session that is too old does not get younger by it.
      #if os(Linux)
        let source = CLOCK_BOOTTIME
      #else
        let source = CLOCK_MONOTONIC
      #endif
      var time = timespec()
      clock_gettime(source, &time)
      return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    },
    sleep: { try await Sleepers.system.sleep($0) })
}
