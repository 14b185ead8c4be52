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

  /// The time that this share of the runs stayed below.
  static func percentile(_ times: [TimeInterval], _ share: Double) -> TimeInterval {
    let sorted = times.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  /// The resident memory of this process in bytes, or nil where the system does not tell (it does on Linux).
  static func residentBytes() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// The most resident memory that `work` needs beyond what the process holds before it, in bytes: the largest of
  /// several runs, each begun with an empty heap, so that all it needs has to be asked of the system anew. It counts
  /// whole pages. Nil where the system does not tell (it does on Linux).
  static func peakResidentBytes(_ work: () throws -> Void) throws -> Int? {
    // What is set up once and stays is not what a run needs.
    try work()
    var peak: Int?
    for _ in 0..<5 {
      releaseFreeMemory()
      guard let before = residentBytes(), forgetPeak() else { return nil }
      try work()
      guard let after = highWaterMark() else { return nil }
      peak = max(peak ?? 0, after - before)
    }
    return peak
  }

  private static func forgetPeak() -> Bool {
    // What “5” means to this file: take the resident size of now for the highest there was.
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
    return (try? file.write(contentsOf: Data("5".utf8))) != nil
  }

  private static func highWaterMark() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }

  /// Gives the free pages of the heap back to the system, where its C library can.
  static func releaseFreeMemory() {
    #if os(Linux)
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      // glibc declares it `int malloc_trim(size_t)`.
      _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }
}
