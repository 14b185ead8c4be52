/// Base58 with the Bitcoin alphabet and no checksum (30 §1): the ids inside contract data, and invitation codes.
package enum Base58 {
  private static let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)

  /// Digit values by character; 255 stands for no digit.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Ten digits fit a word, so words and not digits are what the quadratic loops run over.
  private static let digitsPerWord = 10
  private static let word: UInt64 = 430_804_206_899_405_824  // 58¹⁰

  /// The longest text that is decoded: the work grows with the square of the length.
  package static let maximumLength = 65_536

  /// The bytes as base58, each leading zero byte as one `1`.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let significant = bytes.drop { $0 == 0 }
    // The number in base 58¹⁰, least significant word first.
    var words: [UInt64] = []
    var rest = significant
    while !rest.isEmpty {
      // Seven bytes at a time: word · 2⁵⁶ still divides by a word without overflow.
      let chunk = rest.prefix(7)
      rest = rest.dropFirst(7)
      let scale: UInt64 = 1 << UInt64(chunk.count * 8)
      var carry = chunk.reduce(0) { $0 << 8 | UInt64($1) }
      for position in words.indices {
        let (high, low) = words[position].multipliedFullWidth(by: scale)
        let (sum, overflow) = low.addingReportingOverflow(carry)
        (carry, words[position]) = word.dividingFullWidth((high + (overflow ? 1 : 0), sum))
      }
      if carry > 0 { words.append(carry) }
    }
    var digits: [UInt8] = []
    for (position, value) in words.enumerated() {
      var value = value
      let isLast = position == words.count - 1
      for _ in 0..<digitsPerWord where !isLast || value > 0 {
        digits.append(alphabet[Int(value % 58)])
        value /= 58
      }
    }
    let zeros = repeatElement(alphabet[0], count: bytes.count - significant.count)
    return String(decoding: zeros + digits.reversed(), as: UTF8.self)
  }

  /// Reads base58.
  ///
  /// - Parameter count: the number of bytes the value must have; nil accepts any.
  package static func decode(_ text: String, count: Int? = nil) throws(WireError) -> [UInt8] {
    let characters = Array(text.utf8)
    guard characters.count <= maximumLength else {
      throw error("the text is longer than \(maximumLength) characters")
    }
    let significant = characters.drop { $0 == alphabet[0] }
    // The number in base 2⁶⁴, least significant word first.
    var words: [UInt64] = []
    var position = significant.startIndex
    while position < significant.endIndex {
      let end = min(position + digitsPerWord, significant.endIndex)
      var carry: UInt64 = 0
      var scale: UInt64 = 1
      for character in significant[position..<end] {
        let value = values[Int(character)]
        guard value < 58 else { throw error("a character is outside the alphabet") }
        carry = carry * 58 + UInt64(value)
        scale *= 58
      }
      position = end
      for index in words.indices {
        var (high, low) = words[index].multipliedFullWidth(by: scale)
        let (sum, overflow) = low.addingReportingOverflow(carry)
        low = sum
        high += overflow ? 1 : 0
        words[index] = low
        carry = high
      }
      if carry > 0 { words.append(carry) }
    }
    let magnitude = words.reversed().flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }
    let bytes = Array(
      repeatElement(0, count: characters.count - significant.count) + magnitude.drop { $0 == 0 })
    if let count, bytes.count != count {
      throw error("the value must have \(count) bytes, got \(bytes.count)")
    }
    return bytes
  }

  private static func error(_ reason: String) -> WireError {
    WireError(format: "base58", reason: reason)
  }
}
