/// `application/x-www-form-urlencoded`, which a login page reads and writes.
enum FormText {
  /// Letters, digits and `*-._` stay, a space becomes `+`, every other byte `%XX`.
  static func encode(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: " "): result += "+"
      default: result += "%" + NodePath.hex(byte)
      }
    }
    return result
  }

  /// The text behind the encoding; the raw text when an escape is broken, or what comes out is no text.
  static func decode(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          return String(text)
        }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self) ?? String(text)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    Unicode.Scalar(character).properties.isASCIIHexDigit
      ? UInt8(String(Unicode.Scalar(character)), radix: 16) : nil
  }

  /// The pairs of a form, in order.
  static func pairs(_ form: Substring) -> [(name: String, value: String)] {
    form.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (decode(name), decode(pair.dropFirst(name.count + 1)))
    }
  }
}
