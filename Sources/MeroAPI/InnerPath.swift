/// Writes the part of a request's target that follows the node's base URL (70 §2.2).
///
/// What is written here is hashed by confirmations and operator signatures as it stands, so there is one spelling
/// for each value: every byte outside `A-Z a-z 0-9 - . _ ~` is percent-encoded in capitals.
package enum InnerPath {
  /// One path segment, percent-encoded.
  package static func segment(_ value: String) -> String {
    let hex: [UInt8] = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count)
    for byte in value.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hex[Int(byte >> 4)])
        bytes.append(hex[Int(byte & 15)])
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A template with a value for each name in braces, each value one segment.
  ///
  /// An empty value and the dot segments are refused: on the way they would be folded into another path than the
  /// one that was meant, encoded or not.
  package static func fill(
    _ template: String, with values: [(String, String)]
  ) throws(APIFailure) -> String {
    var path = ""
    for part in template.split(separator: "/") {
      path += "/"
      guard part.hasPrefix("{"), part.hasSuffix("}") else {
        path += part
        continue
      }
      let name = String(part.dropFirst().dropLast())
      guard let value = values.first(where: { $0.0 == name })?.1, !value.isEmpty, value != ".", value != ".."
      else { throw .invalidInput("the path parameter \(name) is empty, a dot or two dots") }
      path += segment(value)
    }
    return path.isEmpty ? "/" : path
  }

  /// The query with its question mark, in the given order, without the unset items; empty when all are unset.
  package static func query(_ items: [(String, String?)]) -> String {
    var text = ""
    for (name, value) in items {
      guard let value else { continue }
      text += text.isEmpty ? "?" : "&"
      text += segment(name) + "=" + segment(value)
    }
    return text
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      return true
    default: return false
    }
  }
}
