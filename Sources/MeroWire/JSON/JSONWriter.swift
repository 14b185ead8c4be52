/// Writes JSON without white space: members in their order, numbers in their own text, and in strings only those
/// characters escaped that JSON demands.
struct JSONWriter {
  private var bytes: [UInt8] = []

  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes
  }

  private mutating func write(_ value: JSONValue) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let string): JSONText.quote(string, into: &bytes)
    case .array(let elements): write(elements)
    case .object(let object): write(object)
    }
  }

  private mutating func write(_ elements: [JSONValue]) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      write(element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: JSONObject) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONText.quote(member.name, into: &bytes)
      bytes.append(UInt8(ascii: ":"))
      write(member.value)
    }
    bytes.append(UInt8(ascii: "}"))
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
