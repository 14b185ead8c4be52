/// Base64 with the URL-safe alphabet (RFC 4648 §5), as WebAuthn and PKCE use it.
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The bytes as base64url without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.underestimatedCount * 4 + 2) / 3)
    var pending: UInt32 = 0
    var bits = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(pending >> UInt32(bits) & 63)])
      }
    }
    if bits > 0 {
      text.append(alphabet[Int(pending << UInt32(6 - bits) & 63)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads base64url, refusing white space, foreign characters, and any spelling but the one `encode` writes.
  ///
  /// One value has one spelling, so that an id compared as text cannot be passed off in another form.
  ///
  /// - Parameter allowingPadding: accepts the `=` signs that complete the last group of four.
  package static func decode(
    _ text: String, allowingPadding: Bool = false
  ) throws(WireError) -> [UInt8] {
    var digits = Array(text.utf8)[...]
    if allowingPadding, digits.count.isMultiple(of: 4) {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1 else { throw error("the length is impossible") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count * 3 / 4)
    var pending: UInt32 = 0
    var bits = 0
    for digit in digits {
      guard let value = value(of: digit) else { throw error("a character is outside the alphabet") }
      pending = pending << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
      }
    }
    guard pending & (1 << UInt32(bits) - 1) == 0 else {
      throw error("the unused bits at the end are not zero")
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): return digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): return 62
    case UInt8(ascii: "_"): return 63
    default: return nil
    }
  }

  private static func error(_ reason: String) -> WireError {
    WireError(format: "base64url", reason: reason)
  }
}
