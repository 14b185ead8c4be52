import Foundation
import MeroHTTP

/// Timing and memory readings that the benchmarks share.
enum Measuring {
  /// The time of each of several runs, in seconds, after some that are not counted.
  static func times(
    _ count: Int, warmUp: Int = 3, _ work: () async throws -> Void
  ) async rethrows -> [TimeInterval] {
    let clock = MeroClock.system
    var times: [TimeInterval] = []
    for run in 0..<(count + warmUp) {
      let began = clock.uptime()
      try await work()
      if run >= warmUp { times.append(clock.uptime() - began) }
    }
    return times
  }

  /// The shortest of several runs, in seconds: what the work costs when nothing else is in its way.
  static func best(_ count: Int, _ work: () throws -> Void) rethrows -> TimeInterval {
    let clock = MeroClock.system
    var best = TimeInterval.infinity
    for _ in 0..<count {
      let began = clock.uptime()
      try work()
      best = min(best, clock.uptime() - began)
    }
    return best
  }

  static func median(_ times: [TimeInterval]) -> TimeInterval {
    let sorted = times.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// The resident memory of this process in bytes, or nil where the system does not tell (it does on Linux).
  static func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
