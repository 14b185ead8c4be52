import Foundation
import MeroCrypto

/// Randomness as everything in this package sees it. Tests pass a seeded source.
public struct MeroRandom: Sendable {
  /// This many random bytes.
  public var bytes: @Sendable (Int) -> [UInt8]
  /// A number in `0 ..< 1`.
  public var unit: @Sendable () -> Double

  /// A source made of these two.
  public init(bytes: @escaping @Sendable (Int) -> [UInt8], unit: @escaping @Sendable () -> Double) {
    self.bytes = bytes
    self.unit = unit
  }

  /// The operating system's generator.
  public static let system = MeroRandom(
    bytes: { SecureRandom.bytes($0) },
    unit: {
      // A Double holds 53 bits; more would round some numbers up to 1.
      let bits = SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } >> 11
      return Double(bits) / Double(UInt64(1) << 53)
    })

  /// A random (version 4) UUID in lower case.
  package func uuid() -> String {
    var bytes = bytes(16)
    precondition(bytes.count == 16, "a source of randomness gave \(bytes.count) bytes instead of 16")
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
