/// Writes JSON without white space, in strings only those characters escaped that JSON demands.
///
/// As in the reader, nesting lies on a stack of our own.
struct JSONWriter {
  enum Style {
    /// Members in their order, numbers in their own text.
    case asRead
    /// Members sorted, numbers as `CanonicalNumber` spells them.
    case canonical
  }

  private enum Content {
    case elements([JSONValue])
    case members([JSONObject.Member])
  }

  private(set) var bytes: [UInt8] = []
  private let style: Style
  /// What has been opened, and how much of it is written.
  private var open: [(content: Content, written: Int)] = []

  init(_ style: Style) {
    self.style = style
  }

  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter(.asRead)
    _ = writer.write(value)
    return writer.bytes
  }

  /// Writes a value.
  ///
  /// - Returns: the path of the first number that the style cannot spell; nil when all is written.
  mutating func write(_ value: JSONValue) -> [any CodingKey]? {
    var value = value
    while true {
      guard begin(value) else { return path }
      guard let next = next() else { return nil }
      value = next
    }
  }

  /// Writes a value, but of an array or object only the opening.
  private mutating func begin(_ value: JSONValue) -> Bool {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    case .string(let string): JSONText.quote(string, into: &bytes)
    case .number(let number):
      guard let text = style == .asRead ? number.text : CanonicalNumber.text(number) else { return false }
      bytes.append(contentsOf: text.utf8)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      open.append((.elements(elements), 0))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      open.append((.members(style == .asRead ? object.members : sorted(object.members)), 0))
    }
    return true
  }

  private func sorted(_ members: [JSONObject.Member]) -> [JSONObject.Member] {
    members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Closes what has ended, writes what precedes the next value, and answers that value; nil at the end.
  private mutating func next() -> JSONValue? {
    while !open.isEmpty {
      let last = open.count - 1
      let written = open[last].written
      open[last].written += 1
      switch open[last].content {
      case .elements(let elements) where written < elements.count:
        if written > 0 { bytes.append(UInt8(ascii: ",")) }
        return elements[written]
      case .members(let members) where written < members.count:
        if written > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.quote(members[written].name, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        return members[written].value
      case .elements: bytes.append(UInt8(ascii: "]"))
      case .members: bytes.append(UInt8(ascii: "}"))
      }
      open.removeLast()
    }
    return nil
  }

  private var path: [any CodingKey] {
    open.map { content, written in
      switch content {
      case .elements: return IndexKey(index: written - 1)
      case .members(let members): return NameKey(stringValue: members[written - 1].name)
      }
    }
  }
}

/// A string as a JSON string literal (30 §3): `"`, `\` and the control characters escaped, all else as it is.
enum JSONText {
  static func quote(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var copy = string
    copy.withUTF8 { text in
      var start = 0
      for at in text.indices where needsEscape(text[at]) {
        bytes.append(contentsOf: text[start..<at])
        escape(text[at], into: &bytes)
        start = at + 1
      }
      bytes.append(contentsOf: text[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20: bytes.append(contentsOf: ("u00" + Hex.encode([byte])).utf8)
    default: bytes.append(byte)
    }
  }
}
