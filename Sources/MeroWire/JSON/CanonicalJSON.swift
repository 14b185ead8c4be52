/// The one text of a JSON value that a warrant commits to (30 §3).
///
/// A relay parses the text and writes it again with serde_json before it compares hashes, so the text must come
/// out of that unchanged: keys sorted by their UTF-8 bytes, no white space, numbers as serde_json writes them.
package enum CanonicalJSON {
  /// The canonical text.
  ///
  /// - Throws: `WireError` with the path of a number that the relay would change: an integer past 64 bits, or more
  ///   digits than a double holds.
  package static func string(_ value: JSONValue) throws(WireError) -> String {
    String(decoding: try data(value), as: UTF8.self)
  }

  /// The canonical text in UTF-8.
  package static func data(_ value: JSONValue) throws(WireError) -> [UInt8] {
    var writer = JSONWriter(.canonical)
    if let path = writer.write(value) {
      throw .json("a relay would change this number; send it as a string", path: CodingStep.text(of: path))
    }
    return writer.bytes
  }

  /// One string literal by the same rules.
  package static func quote(_ string: String) -> String {
    var bytes: [UInt8] = []
    JSONText.quote(string, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Numbers as serde_json writes them.
enum CanonicalNumber {
  /// The text, or nil when it would be another value.
  static func text(_ number: JSONNumber) -> String? {
    if let value = number.int64 { return String(value) }
    if let value = number.uint64 { return String(value) }
    let nearest = number.double
    guard nearest.isFinite else { return nil }
    // Swift and serde_json agree on the shortest digits of a double, and only place them differently.
    let form = DecimalForm(nearest.description)
    guard form == DecimalForm(number.text), case .near(let exponent) = form.exponent else { return nil }
    let digits = String(decoding: form.digits, as: UTF8.self)
    return (form.isNegative ? "-" : "") + place(digits, point: digits.utf8.count + exponent)
  }

  /// The value `0.digits × 10^point`. Integers small enough to be written out were written before.
  private static func place(_ digits: String, point: Int) -> String {
    switch point {
    case 1...16:
      return "\(digits.prefix(point)).\(digits.dropFirst(point))"
    case -4...0:
      return "0." + String(repeating: "0", count: -point) + digits
    default:
      let fraction = digits.utf8.count > 1 ? ".\(digits.dropFirst())" : ""
      return "\(digits.prefix(1))\(fraction)e\(point - 1)"
    }
  }
}
