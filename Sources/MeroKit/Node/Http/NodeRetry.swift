import Foundation

/// When a request that may be repeated is sent again (10 §1.6).
package enum NodeRetry {
  /// How often it is sent at most.
  package static let attempts = 3
  /// No wait is longer, whatever a node asks for.
  package static let longestWait: TimeInterval = 60

  /// Seconds to wait after the given attempt, counted from 1, has failed.
  ///
  /// - Parameters:
  ///   - retryAfter: what the node asks for.
  ///   - unit: a random number in `0 ..< 1`.
  package static func wait(after attempt: Int, retryAfter: TimeInterval? = nil, unit: Double) -> TimeInterval
  {
    let plain = 0.25 * pow(2, Double(attempt - 1))
    let jittered = plain * (0.8 + 0.4 * unit)
    return min(longestWait, max(jittered, retryAfter ?? 0))
  }
}
