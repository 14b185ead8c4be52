/// Compares texts by their code points.
///
/// Swift's `==` holds `é` and `e` + U+0301 for equal. JSON does not: they are two names, sign as two different
/// messages and hash differently, so merging them would lose a value.
enum ExactText {
  @inline(__always)
  static func areEqual(_ left: String, _ right: String) -> Bool {
    // Texts of the same code points are always `==`, so the cheap and common answer comes first.
    left == right && left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
  }

  /// A text as a dictionary key that compares by code points.
  struct Key: Hashable {
    let text: String

    static func == (left: Key, right: Key) -> Bool { areEqual(left.text, right.text) }

    // `String`'s own hash is coarser than our equality, which is all a hash has to be.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}
