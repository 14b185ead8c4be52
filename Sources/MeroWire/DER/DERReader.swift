import Foundation

/// Reads DER (X.690 §8, §10) element by element, strictly: definite and shortest lengths, shortest integers and
/// object identifiers, times in the forms of RFC 5280 only. What it accepts has no second encoding that means the
/// same.
///
/// ```swift
/// var signature = DERReader(bytes)
/// var pair = try signature.sequence()
/// try signature.finish()
/// let r = try pair.unsignedInteger()
/// let s = try pair.unsignedInteger()
/// try pair.finish()
/// ```
package struct DERReader {
  private var cursor: ByteCursor

  package init(_ bytes: ArraySlice<UInt8>) {
    cursor = ByteCursor(bytes, format: "der")
  }

  package init(_ bytes: some Sequence<UInt8>) {
    self.init(Array(bytes)[...])
  }

  /// Whether all elements have been read.
  package var isAtEnd: Bool { cursor.isAtEnd }

  /// The tag of the next element, or nil at the end.
  package var nextTag: DERTag? { cursor.rest.first.map(DERTag.init(rawValue:)) }

  /// Refuses elements left over.
  package func finish() throws(WireError) { try cursor.finish() }

  /// The next element, whatever its tag.
  package mutating func element() throws(WireError) -> DERElement {
    let start = cursor.rest
    let tag = DERTag(rawValue: try cursor.byte())
    guard tag.rawValue & 0x1F != 0x1F else { throw cursor.refusal("a tag number of more than one byte") }
    let content = try cursor.take(try length())
    return DERElement(tag: tag, content: content, encoded: start.prefix(start.count - cursor.remaining))
  }

  /// The next element, which must have this tag.
  package mutating func element(_ tag: DERTag) throws(WireError) -> DERElement {
    guard let next = nextTag else { throw cursor.refusal("the input ends too early") }
    guard next == tag else {
      throw cursor.refusal("expected tag \(Hex.encode([tag.rawValue])), found \(Hex.encode([next.rawValue]))")
    }
    return try element()
  }

  /// The next element when it has this tag; nil, with nothing read, when it has not.
  package mutating func optional(_ tag: DERTag) throws(WireError) -> DERElement? {
    nextTag == tag ? try element() : nil
  }

  /// A reader of what a constructed element holds.
  package mutating func constructed(_ tag: DERTag) throws(WireError) -> DERReader {
    DERReader(try element(tag).content)
  }

  package mutating func sequence() throws(WireError) -> DERReader { try constructed(.sequence) }
  package mutating func set() throws(WireError) -> DERReader { try constructed(.set) }

  /// A reader of what `[number]` holds, or nil when the next element is another.
  package mutating func explicit(_ number: UInt8) throws(WireError) -> DERReader? {
    try optional(.contextConstructed(number)).map { DERReader($0.content) }
  }

  private mutating func length() throws(WireError) -> Int {
    let first = try cursor.byte()
    if first < 0x80 { return Int(first) }
    guard first != 0x80 else { throw cursor.refusal("an indefinite length") }
    // Four bytes say more than any input has.
    let size = Int(first & 0x7F)
    guard size <= 4 else { throw cursor.refusal("a length of more than four bytes") }
    let length = try cursor.bigEndian(size)
    guard length >= 0x80, length >> UInt64((size - 1) * 8) != 0 else {
      throw cursor.refusal("a length is not in its shortest form")
    }
    return Int(length)
  }
}

extension DERReader {
  /// The content of an INTEGER: two's complement, most significant byte first, as short as it can be.
  package mutating func integer() throws(WireError) -> ArraySlice<UInt8> {
    let content = try element(.integer).content
    try checkShortest(content)
    return content
  }

  /// The magnitude of an INTEGER without a leading zero byte (one zero byte for zero); a negative one is refused.
  package mutating func unsignedInteger() throws(WireError) -> ArraySlice<UInt8> {
    let content = try integer()
    guard let first = content.first, first < 0x80 else { throw cursor.refusal("an integer is negative") }
    return first == 0 && content.count > 1 ? content.dropFirst() : content
  }

  /// An INTEGER of at most 64 bits.
  package mutating func int64() throws(WireError) -> Int64 {
    try small(try integer())
  }

  /// An ENUMERATED of at most 64 bits.
  package mutating func enumerated() throws(WireError) -> Int64 {
    let content = try element(.enumerated).content
    try checkShortest(content)
    return try small(content)
  }

  package mutating func boolean() throws(WireError) -> Bool {
    switch Array(try element(.boolean).content) {
    case [0x00]: return false
    case [0xFF]: return true
    default: throw cursor.refusal("a BOOLEAN is neither 00 nor ff")
    }
  }

  package mutating func null() throws(WireError) {
    guard try element(.null).content.isEmpty else { throw cursor.refusal("a NULL has content") }
  }

  /// An OBJECT IDENTIFIER in dots, such as `1.2.840.10045.2.1`.
  package mutating func objectIdentifier() throws(WireError) -> String {
    let content = try element(.objectIdentifier).content
    guard let last = content.last, last < 0x80 else {
      throw cursor.refusal("an object identifier is empty or cut short")
    }
    var arcs: [UInt64] = []
    var arc: UInt64 = 0
    var isFirst = true
    for byte in content {
      guard !isFirst || byte != 0x80, arc >> 57 == 0 else {
        throw cursor.refusal("an object identifier is not in its shortest form, or too large")
      }
      arc = arc << 7 | UInt64(byte & 0x7F)
      isFirst = byte < 0x80
      guard isFirst else { continue }
      if arcs.isEmpty {
        // The first two arcs share a number; only under 2 may the second exceed 39.
        let root = min(arc / 40, 2)
        arcs = [root, arc - root * 40]
      } else {
        arcs.append(arc)
      }
      arc = 0
    }
    return arcs.map(String.init).joined(separator: ".")
  }

  /// A BIT STRING: its bytes, and how many bits at the end of the last one do not count (and are zero).
  package mutating func bitString() throws(WireError) -> (bytes: ArraySlice<UInt8>, unusedBits: Int) {
    let content = try element(.bitString).content
    guard let unused = content.first, unused < 8 else {
      throw cursor.refusal("a BIT STRING without a bit count")
    }
    let bytes = content.dropFirst()
    guard unused == 0 || bytes.last.map({ $0 & (1 << unused - 1) == 0 }) ?? false else {
      throw cursor.refusal("the unused bits of a BIT STRING are not zero")
    }
    return (bytes, Int(unused))
  }

  /// A BIT STRING of whole bytes: a key, a signature.
  package mutating func bitStringBytes() throws(WireError) -> ArraySlice<UInt8> {
    let (bytes, unusedBits) = try bitString()
    guard unusedBits == 0 else { throw cursor.refusal("a BIT STRING is not whole bytes") }
    return bytes
  }

  package mutating func octetString() throws(WireError) -> ArraySlice<UInt8> {
    try element(.octetString).content
  }

  /// A UTF8String, PrintableString or IA5String within the characters its type allows.
  package mutating func string() throws(WireError) -> String {
    let element = try element()
    let text = UTF8Check.text(element.content)
    switch (element.tag, text) {
    case (.utf8String, let text?): return text
    case (.printableString, let text?) where text.utf8.allSatisfy(Self.isPrintable): return text
    case (.ia5String, let text?) where text.utf8.allSatisfy({ $0 < 0x80 }): return text
    default: throw cursor.refusal("an element is no string, or not of the characters of its type")
    }
  }

  /// A UTCTime or a GeneralizedTime, see `DERTime`.
  package mutating func time() throws(WireError) -> Date {
    let element = try element()
    guard let date = DERTime.date(element) else {
      throw cursor.refusal("a time is in no form that RFC 5280 allows")
    }
    return date
  }

  package mutating func utcTime() throws(WireError) -> Date { try time(.utcTime) }
  package mutating func generalizedTime() throws(WireError) -> Date { try time(.generalizedTime) }

  private mutating func time(_ tag: DERTag) throws(WireError) -> Date {
    guard nextTag == tag else { throw cursor.refusal("expected tag \(Hex.encode([tag.rawValue]))") }
    return try time()
  }

  private func checkShortest(_ content: ArraySlice<UInt8>) throws(WireError) {
    guard let first = content.first else { throw cursor.refusal("an integer without content") }
    guard let second = content.dropFirst().first else { return }
    // A first byte that only repeats the sign of the second adds nothing.
    guard first != (second < 0x80 ? 0x00 : 0xFF) else {
      throw cursor.refusal("an integer is not in its shortest form")
    }
  }

  private func small(_ content: ArraySlice<UInt8>) throws(WireError) -> Int64 {
    guard let first = content.first, content.count <= 8 else {
      throw cursor.refusal("an integer is too large")
    }
    return content.reduce(first < 0x80 ? 0 : -1) { $0 << 8 | Int64($1) }
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): return true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return true
    default: return " '()+,-./:=?".utf8.contains(byte)
    }
  }
}
