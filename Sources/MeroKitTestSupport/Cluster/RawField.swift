import Foundation
import MeroWire

/// Finds the bytes of a field as they were sent, in a body that is known to be a JSON object.
///
/// An idempotency key is bound to the bytes of the arguments as received (70 §2.7), which a parsed value no longer has.
enum RawField {
  static func bytes(of name: String, in body: Data) -> [UInt8]? {
    body.withUnsafeBytes { buffer in
      var scanner = Scanner(bytes: buffer)
      var found: Range<Int>?
      scanner.skipSpace()
      scanner.position += 1
      while true {
        scanner.skipSpace()
        guard let byte = scanner.byte, byte != UInt8(ascii: "}") else { break }
        if byte == UInt8(ascii: ",") {
          scanner.position += 1
          continue
        }
        let key = scanner.skipValue()
        scanner.skipSpace()
        scanner.position += 1
        scanner.skipSpace()
        let value = scanner.skipValue()
        // Of equal names the last wins, as for the parser.
        if means(buffer[key], name) { found = value }
        if key.isEmpty && value.isEmpty { break }
      }
      return found.map { Array(buffer[$0]) }
    }
  }

  /// Whether a key, as it was sent with its quotes, is this name. A letter may be written as an escape, as the parser
  /// takes it.
  private static func means(_ key: Slice<UnsafeRawBufferPointer>, _ name: String) -> Bool {
    if key.contains(UInt8(ascii: "\\")) {
      guard let text = (try? JSONValue(parsing: Data(key)))?.stringValue else { return false }
      return text.utf8.elementsEqual(name.utf8)
    }
    return key.count == name.utf8.count + 2 && key.dropFirst().dropLast().elementsEqual(name.utf8)
  }

  private struct Scanner {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    /// Goes past a value and answers where it was.
    mutating func skipValue() -> Range<Int> {
      let start = min(position, bytes.count)
      var depth = 0
      while let byte {
        switch byte {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          position += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return start..<position }
          depth -= 1
          position += 1
        case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
          if depth == 0 { return start..<position }
          position += 1
          continue
        default:
          position += 1
          continue
        }
        if depth == 0 { return start..<position }
      }
      return start..<position
    }

    private mutating func skipString() {
      position += 1
      while let byte {
        position += byte == UInt8(ascii: "\\") ? 2 : 1
        if byte == UInt8(ascii: "\"") { break }
      }
      position = min(position, bytes.count)
    }
  }
}
