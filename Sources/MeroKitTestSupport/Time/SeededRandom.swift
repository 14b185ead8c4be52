import Foundation
import MeroHTTP

/// A repeatable source of randomness: the same seed gives the same bytes in the same order. For tests only, since
/// whoever knows the seed knows every key made from it.
///
/// ```swift
/// let random = SeededRandom(seed: 7).random
/// ```
public final class SeededRandom: Sendable {
  private let state: Locked<UInt64>

  /// A source that begins at `seed`.
  public init(seed: UInt64) {
    state = Locked(seed)
  }

  /// The source to hand to whatever is under test.
  public var random: MeroRandom {
    MeroRandom(bytes: { self.bytes($0) }, unit: { self.unit() })
  }

  /// The next `count` bytes.
  public func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(max(0, count))
      while bytes.count < count {
        let word = state.next()
        for shift in stride(from: 0, to: 64, by: 8) where bytes.count < count {
          bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
      }
      return bytes
    }
  }

  /// The next number in `0 ..< 1`.
  public func unit() -> Double {
    Double(state.withLock { $0.next() } >> 11) * 0x1p-53
  }

  /// The next whole number.
  public func word() -> UInt64 {
    state.withLock { $0.next() }
  }
}

extension UInt64 {
  /// One step of SplitMix64, which never gets stuck whatever the seed.
  fileprivate mutating func next() -> UInt64 {
    self &+= 0x9E37_79B9_7F4A_7C15
    var word = self
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
