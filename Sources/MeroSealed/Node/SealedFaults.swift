import Foundation

/// What a fake node does wrong on purpose, so that clients can be tested against it (50 §7).
///
/// The counts run down as the faults happen. A frame fault concerns sealed responses only.
package struct SealedFaults: Sendable, Hashable {
  /// How many handshakes to answer with `busy`.
  package var busyTimes = 0
  /// The `Retry-After` of those answers in seconds; `nil` leaves the header out.
  package var busyRetryAfter: Int? = 1
  /// How many exchanges to answer unsealed, as a proxy in front of the node would.
  package var proxyTimes = 0
  package var proxyStatus = 502
  /// End responses after this many frames, without an end frame.
  package var cutAfterFrames: Int?
  package var cutTimes = Int.max
  /// Flip a bit of the frame with this index, from 0.
  package var tamperFrame: Int?
  package var tamperTimes = Int.max
  /// Seconds to wait before each frame.
  package var frameDelay: TimeInterval = 0
  /// Behave as a node whose authentication is a proxy in front of it.
  package var unguarded: Unguarded?

  /// Which routes such a node serves inside an envelope.
  package enum Unguarded: Sendable, Hashable {
    case plain
    /// Delegated access is on: intents are reachable too, since they carry their own authorisation.
    case delegatedAccess
  }

  package static let none = SealedFaults()

  package init() {}

  /// What happens to the next response; counts it.
  mutating func forNextResponse() -> SealedFaults {
    let now = self
    Self.count(&cutAfterFrames, &cutTimes)
    Self.count(&tamperFrame, &tamperTimes)
    return now
  }

  /// Counts a fault down and ends it when it has happened as often as it should.
  private static func count(_ fault: inout Int?, _ times: inout Int) {
    guard fault != nil, times < .max else { return }
    times -= 1
    guard times <= 0 else { return }
    fault = nil
    times = .max
  }
}

/// What a node has seen, for assertions.
package struct SealedCounters: Sendable, Hashable {
  /// Handshakes that opened a session.
  package var handshakes = 0
  package var refusedHandshakes = 0
  /// Envelopes whose request was handed to the router or answered inside the envelope.
  package var exchanges = 0
  package var refusedExchanges = 0

  package init() {}
}
