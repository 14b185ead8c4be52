import Foundation

/// What a node grants (50 §1.2). Times are in seconds.
package struct SealedLimits: Sendable, Hashable {
  /// How long a session lives, whole seconds; stated in the handshake.
  package var lifetime: UInt32 = 3600
  /// How long a session lives after its last admitted request.
  package var idle: TimeInterval = 600
  package var sessions = 16_384
  /// How many handshakes a second, node-wide, and how many at once after a quiet time.
  package var handshakesPerSecond: Double = 100
  package var handshakeBurst: Double = 200
  package var envelope = SealedProtocol.envelopeLimit

  package static let standard = SealedLimits()

  package init() {}
}
