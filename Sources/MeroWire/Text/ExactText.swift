import Foundation

/// Compares texts by their code points.
///
/// Swift's `==` holds `é` and `e` + U+0301 for equal. JSON does not: they are two names, sign as two different
/// messages and hash differently, so merging them would lose a value.
enum ExactText {
  @inline(__always)
  static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    guard left.count == right.count else { return false }
    let areEqual = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { areSame(left, $0) }
    }
    return areEqual.flatMap { $0 } ?? left.elementsEqual(right)
  }

  @inline(__always)
  private static func areSame(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool
  {
    guard let one = left.baseAddress, let other = right.baseAddress else { return true }
    return memcmp(one, other, left.count) == 0
  }

  /// A text as a dictionary key that compares by code points.
  struct Key: Hashable {
    let text: String

    static func == (left: Key, right: Key) -> Bool { areEqual(left.text, right.text) }

    // `String` hashes alike what looks alike. A sender who spells one name in thousands of ways would have each
    // compared with all before it.
    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }
}
