/// Reads one JSON text (RFC 8259) from bytes in place.
///
/// Nesting lives on a stack of our own, never on the thread's, so no input can exhaust that; each byte is looked
/// at a fixed number of times.
struct JSONReader {
  /// The most arrays and objects that may enclose one another (70 §2.3).
  static let maximumDepth = 512

  let bytes: UnsafeBufferPointer<UInt8>
  private let maximumDepth: Int
  var at = 0
  private var unescaped: [UInt8] = []

  static func read(
    _ raw: UnsafeRawBufferPointer, maximumDepth: Int = JSONReader.maximumDepth
  ) -> Result<JSONValue, WireError> {
    raw.withMemoryRebound(to: UInt8.self) { bytes in
      var reader = JSONReader(bytes: bytes, maximumDepth: maximumDepth)
      do throws(WireError) {
        return .success(try reader.document())
      } catch {
        return .failure(error)
      }
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  private mutating func document() throws(WireError) -> JSONValue {
    if let offset = UTF8Check.firstError(in: bytes) {
      throw .json("the text is not UTF-8 at byte \(offset)")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw .json("a byte-order mark is not allowed") }
    let value = try value()
    skipSpace()
    guard at == bytes.count else { throw unexpected("the end") }
    return value
  }

  private mutating func value() throws(WireError) -> JSONValue {
    var open = OpenContainers()
    reading: while true {
      skipSpace()
      var value: JSONValue
      switch peek() {
      case UInt8(ascii: "\""):
        value = .string(try string())
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard open.depth < maximumDepth else {
          throw .json("more than \(maximumDepth) levels at byte \(at)")
        }
        let isObject = peek() == UInt8(ascii: "{")
        at += 1
        skipSpace()
        if peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          at += 1
          value = isObject ? .object(JSONObject()) : .array([])
        } else {
          open.open(isObject: isObject)
          if isObject { open.append(name: try name()) }
          continue reading
        }
      case UInt8(ascii: "t"):
        try word("true")
        value = .bool(true)
      case UInt8(ascii: "f"):
        try word("false")
        value = .bool(false)
      case UInt8(ascii: "n"):
        try word("null")
        value = .null
      default:
        value = .number(try number())
      }
      // Hand the value to what encloses it, and close what ends with it.
      while open.depth > 0 {
        open.append(value)
        skipSpace()
        if peek() == UInt8(ascii: ",") {
          at += 1
          if open.isObject {
            skipSpace()
            open.append(name: try name())
          }
          continue reading
        }
        guard peek() == (open.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw unexpected(open.isObject ? "`,` or `}`" : "`,` or `]`")
        }
        at += 1
        value = open.close()
      }
      return value
    }
  }

  /// A member's name and the colon after it.
  private mutating func name() throws(WireError) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a name") }
    let name = try string()
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw unexpected("`:`") }
    at += 1
    return name
  }

  private mutating func number() throws(WireError) -> JSONNumber {
    guard let end = JSONNumberGrammar.end(in: bytes, from: at) else { throw unexpected("a value") }
    defer { at = end }
    return JSONNumber(checked: text(at..<end))
  }

  private mutating func word(_ word: StaticString) throws(WireError) {
    let count = word.utf8CodeUnitCount
    guard bytes.count - at >= count else { throw unexpected("a value") }
    for offset in 0..<count where bytes[at + offset] != word.utf8Start[offset] { throw unexpected("a value") }
    at += count
  }

  private mutating func string() throws(WireError) -> String {
    at += 1
    let start = at
    at = endOfPlainText(from: start)
    guard at < bytes.count else { throw .json("a string does not end") }
    switch bytes[at] {
    case UInt8(ascii: "\""):
      let string = text(start..<at)
      at += 1
      return string
    case UInt8(ascii: "\\"): return try escapedString(from: start)
    default: throw unexpected("no control character in a string")
    }
  }

  /// The first place at or after `start` of a quote, a backslash or a control character; else the end.
  @inline(__always)
  private func endOfPlainText(from start: Int) -> Int {
    var at = start
    let raw = UnsafeRawBufferPointer(bytes)
    // Eight bytes at a time. What follows sets a bit exactly where a byte is zero, or below 0x20; a carry can only
    // add bits beyond such a byte, never the first.
    while at + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let quotes = word ^ 0x2222_2222_2222_2222
      let slashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
      let found =
        (quotes &- 0x0101_0101_0101_0101) & ~quotes | (slashes &- 0x0101_0101_0101_0101) & ~slashes
        | (word &- 0x2020_2020_2020_2020) & ~word
      if found & 0x8080_8080_8080_8080 != 0 { break }
      at += 8
    }
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
      at += 1
    }
    return at
  }

  /// The rest of a string in which an escape was found, `at` being on the first backslash.
  private mutating func escapedString(from start: Int) throws(WireError) -> String {
    unescaped.removeAll(keepingCapacity: true)
    unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<at]))
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at += 1
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"):
        at += 1
        try escape()
      default:
        throw unexpected("no control character in a string")
      }
      let plain = at
      at = endOfPlainText(from: plain)
      unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[plain..<at]))
    }
    throw .json("a string does not end")
  }

  private mutating func escape() throws(WireError) {
    let byte = peek()
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): unescaped.append(contentsOf: Unicode.UTF8.encode(try codePoint()) ?? .init())
    default: throw .json("an unknown escape at byte \(at - 1)")
    }
  }

  /// One code point of one `\uXXXX`, or of the two that spell a surrogate pair.
  private mutating func codePoint() throws(WireError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Text with half a pair cannot be written as UTF-8, so it cannot be kept, signed or sent.
    guard first < 0xDC00, peek() == UInt8(ascii: "\\") else { throw loneSurrogate() }
    at += 1
    guard peek() == UInt8(ascii: "u") else { throw loneSurrogate() }
    at += 1
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw loneSurrogate() }
    return scalar
  }

  private mutating func codeUnit() throws(WireError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Hex.value(of: peek()) else { throw .json("a bad \\u escape at byte \(at)") }
      unit = unit << 4 | UInt16(digit)
      at += 1
    }
    return unit
  }

  private func loneSurrogate() -> WireError {
    .json("a lone surrogate before byte \(at)")
  }

  private func unexpected(_ wanted: String) -> WireError {
    .json(
      at < bytes.count ? "expected \(wanted) at byte \(at)" : "the text ends where \(wanted) was expected")
  }

  /// The next byte, or 0 at the end, which is valid nowhere outside strings and never in them.
  @inline(__always)
  private func peek() -> UInt8 {
    at < bytes.count ? bytes[at] : 0
  }

  @inline(__always)
  private mutating func skipSpace() {
    while at < bytes.count {
      let byte = bytes[at]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      at += 1
    }
  }

  @inline(__always)
  private func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}
