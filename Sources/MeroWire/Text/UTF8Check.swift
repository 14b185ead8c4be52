/// Tells well-formed UTF-8 (Unicode table 3-7) from anything else: no overlong forms, no surrogates, nothing
/// past U+10FFFF. `String(decoding:as:)` would silently replace what is wrong.
enum UTF8Check {
  /// The offset of the first byte that does not belong, or nil when all is well.
  static func firstError(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = bytes.baseAddress else { return nil }
    let count = bytes.count
    let raw = UnsafeRawPointer(start)
    var at = 0
    while at < count {
      if start[at] < 0x80 {
        // Eight plain bytes at a time: nearly all JSON is ASCII.
        while at + 8 <= count,
          raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          at += 8
        }
        while at < count, start[at] < 0x80 { at += 1 }
        continue
      }
      let length = sequenceLength(start + at, available: count - at)
      if length == 0 { return at }
      at += length
    }
    return nil
  }

  /// The length of the multi-byte sequence at `bytes`, or 0 when it is malformed or cut short.
  private static func sequenceLength(_ bytes: UnsafePointer<UInt8>, available: Int) -> Int {
    let lead = bytes[0]
    let length: Int
    // The second byte's range is what excludes overlong forms, surrogates and too large values.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard available >= length, second.contains(bytes[1]) else { return 0 }
    for offset in 2..<max(length, 2) where bytes[offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// The text of `bytes`, or nil when they are not UTF-8.
  static func text(_ bytes: some Collection<UInt8>) -> String? {
    let array = Array(bytes)
    guard array.withUnsafeBufferPointer({ firstError(in: $0) }) == nil else { return nil }
    return String(decoding: array, as: UTF8.self)
  }
}
