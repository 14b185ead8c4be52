import MeroWire

/// An object identifier, kept and compared as the bytes of its DER content.
///
/// ```swift
/// let commonName: OID = "2.5.4.3"
/// ```
package struct OID: Sendable, Hashable, ExpressibleByStringLiteral {
  package let content: ArraySlice<UInt8>

  /// The identifier that is written `text`, arcs in dots. For constants only: anything else stops the program.
  package init(stringLiteral text: String) {
    let arcs = text.split(separator: ".").map { UInt64($0) }
    var numbers = arcs.compactMap { $0 }
    precondition(numbers.count == arcs.count && numbers.count >= 2, "not an object identifier")
    // The first two arcs share a number.
    numbers.replaceSubrange(0..<2, with: [numbers[0] * 40 + numbers[1]])
    content = numbers.flatMap(Self.digits)[...]
  }

  /// - Throws: `WireError` unless the bytes are an identifier in its one DER form.
  init(content: ArraySlice<UInt8>) throws(WireError) {
    guard let last = content.last, last < 0x80 else {
      throw .x509("an object identifier is empty or cut short")
    }
    var isFirst = true
    for byte in content {
      if isFirst, byte == 0x80 { throw .x509("an object identifier is not in its shortest form") }
      isFirst = byte < 0x80
    }
    self.content = content
  }

  /// A number in base 128, all digits but the last with their top bit set.
  private static func digits(_ number: UInt64) -> [UInt8] {
    var digits = [UInt8(number & 0x7F)]
    var rest = number >> 7
    while rest > 0 {
      digits.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return digits
  }
}

extension DERReader {
  /// An OBJECT IDENTIFIER as bytes, which are quicker to compare than arcs in dots.
  package mutating func oid() throws(WireError) -> OID {
    try OID(content: try element(.objectIdentifier).content)
  }
}
