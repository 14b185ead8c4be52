/// Counts failed logins: after five within a minute the next tries are refused for a minute, and each one begins that
/// minute again (10 §2.2).
struct LoginThrottle: Sendable {
  struct Door: Hashable, Sendable {
    let method: String
    let publicKey: String
  }

  private struct Count: Sendable {
    var failures: [Int64] = []
    var blockedUntil: Int64 = 0
  }

  static let limit = 5
  static let window: Int64 = 60
  private var counts: [Door: Count] = [:]

  /// Seconds to wait; nil when a login may be tried.
  mutating func wait(at door: Door, now: Int64) -> Int64? {
    guard let count = counts[door], count.blockedUntil > now else { return nil }
    counts[door]?.blockedUntil = now + Self.window
    return Self.window
  }

  mutating func failed(at door: Door, now: Int64) {
    var count = counts[door] ?? Count()
    count.failures = count.failures.filter { $0 > now - Self.window } + [now]
    if count.failures.count >= Self.limit { count.blockedUntil = now + Self.window }
    counts[door] = count
  }

  mutating func succeeded(at door: Door) {
    counts[door] = nil
  }
}
