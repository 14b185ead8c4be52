import Foundation

/// Comparisons whose duration depends on the lengths alone, so that a peer cannot guess a secret byte by byte.
package enum ConstantTime {
  package static func equal(_ one: some ContiguousBytes, _ other: some ContiguousBytes) -> Bool {
    withBytes(one, other) { one, other in
      guard one.count == other.count else { return false }
      guard let first = one.baseAddress, let second = other.baseAddress else { return true }
      return constantTimeDifference(first, second, one.count) == 0
    }
  }

  static func isZero(_ bytes: [UInt8]) -> Bool {
    equal(bytes, [UInt8](repeating: 0, count: bytes.count))
  }
}
