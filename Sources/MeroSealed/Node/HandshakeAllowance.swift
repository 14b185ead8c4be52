import Foundation

/// A token bucket: so many handshakes at once, and then so many a second.
struct HandshakeAllowance: Sendable {
  private let perSecond: Double
  private let burst: Double
  private var tokens: Double
  private var countedAt: TimeInterval

  init(perSecond: Double, burst: Double, at uptime: TimeInterval) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
    countedAt = uptime
  }

  mutating func take(at uptime: TimeInterval) -> Bool {
    tokens = min(burst, tokens + max(0, uptime - countedAt) * perSecond)
    countedAt = uptime
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}
