import Foundation

/// Hexadecimal text (30 §1): written in lower case, read in either case.
package enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  /// The bytes as lower-case hex.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.underestimatedCount * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads hex, ignoring white space around it.
  ///
  /// - Parameters:
  ///   - count: the number of bytes the value must have; nil accepts any.
  ///   - field: what the value is called in an error.
  package static func decode(
    _ text: String, count: Int? = nil, field: String = "value"
  ) throws(WireError) -> [UInt8] {
    var digits = Array(text.utf8)
    // Trimming costs many times what the rest does, so it is left to texts that need it.
    if let first = digits.first, let last = digits.last, value(of: first) == nil || value(of: last) == nil {
      digits = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
    }
    if let count, digits.count != count * 2 {
      throw WireError(
        format: "hex", reason: "\(field) must be \(count * 2) hex characters, got \(digits.count)")
    }
    guard digits.count.isMultiple(of: 2) else {
      throw WireError(
        format: "hex", reason: "\(field) must have an even number of hex characters, got \(digits.count)")
    }
    // What is no digit has a value above 15, which shows in the end.
    var seen: UInt8 = 0
    let bytes = values.withUnsafeBufferPointer { values in
      // Room for one more: all arrays without room share one storage, and this initializer writes to it.
      [UInt8](unsafeUninitializedCapacity: digits.count / 2 + 1) { bytes, count in
        count = digits.count / 2
        for position in 0..<count {
          let high = values[Int(digits[2 * position])]
          let low = values[Int(digits[2 * position + 1])]
          seen |= high | low
          bytes.initializeElement(at: position, to: high << 4 | low & 15)
        }
      }
    }
    guard seen < 16 else {
      throw WireError(format: "hex", reason: "\(field) has a character that is not hex")
    }
    return bytes
  }

  private static let values = (UInt8.min ... .max).map { value(of: $0) ?? 0xFF }

  static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return digit - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}
