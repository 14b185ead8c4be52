import Foundation

/// A regular expression of the kind the API document uses, compiled once: anchored, over ASCII, character classes with
/// repetition. A richer one falls back on Foundation, which is correct but slow.
struct TextPattern: Sendable {
  private struct Step {
    let set: ByteSet
    let least: Int
    let most: Int
  }

  private let text: String
  private let steps: [Step]?

  init(_ text: String) {
    self.text = text
    steps = Self.compile(Array(text.utf8))
  }

  func matches(_ candidate: String) -> Bool {
    guard let steps else {
      return candidate.range(of: text, options: .regularExpression) != nil
    }
    var candidate = candidate
    return candidate.withUTF8 { Self.matches($0[...], steps[...]) }
  }

  private static func matches(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ steps: ArraySlice<Step>) -> Bool {
    guard let step = steps.first else { return bytes.isEmpty }
    var taken = 0
    for byte in bytes {
      guard taken < step.most, step.set.contains(byte) else { break }
      taken += 1
    }
    guard taken >= step.least else { return false }
    let rest = steps.dropFirst()
    if rest.isEmpty { return taken == bytes.count }
    for count in stride(from: taken, through: step.least, by: -1)
    where matches(bytes.dropFirst(count), rest) {
      return true
    }
    return false
  }

  /// `nil` when the pattern has something this matcher does not know.
  private static func compile(_ bytes: [UInt8]) -> [Step]? {
    guard bytes.first == UInt8(ascii: "^"), bytes.last == UInt8(ascii: "$") else { return nil }
    var rest = bytes[1..<(bytes.count - 1)]
    var steps: [Step] = []
    while let byte = rest.popFirst() {
      var set = ByteSet()
      switch byte {
      case UInt8(ascii: "["):
        guard let parsed = parseClass(&rest) else { return nil }
        set = parsed
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), !isLetter(escaped) else { return nil }
        set.insert(escaped)
      case _ where ".(){}|*+?^$".utf8.contains(byte) || byte > 127:
        return nil
      default:
        set.insert(byte)
      }
      guard let (least, most) = parseRepetition(&rest) else { return nil }
      steps.append(Step(set: set, least: least, most: most))
    }
    return steps
  }

  private static func parseClass(_ rest: inout ArraySlice<UInt8>) -> ByteSet? {
    var set = ByteSet()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "]") { return set }
      if byte == UInt8(ascii: "^") || byte > 127 { return nil }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst(), !isLetter(escaped) else { return nil }
        set.insert(escaped)
        continue
      }
      let isRange =
        rest.count >= 2 && rest.first == UInt8(ascii: "-") && rest[rest.startIndex + 1] != UInt8(ascii: "]")
      guard isRange else {
        set.insert(byte)
        continue
      }
      rest.removeFirst()
      guard let last = rest.popFirst(), last >= byte else { return nil }
      for member in byte...last { set.insert(member) }
    }
    return nil
  }

  private static func parseRepetition(_ rest: inout ArraySlice<UInt8>) -> (Int, Int)? {
    switch rest.first {
    case UInt8(ascii: "+"):
      rest.removeFirst()
      return (1, .max)
    case UInt8(ascii: "*"):
      rest.removeFirst()
      return (0, .max)
    case UInt8(ascii: "?"):
      rest.removeFirst()
      return (0, 1)
    case UInt8(ascii: "{"):
      guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
      let inside = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      let bounds = inside.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard let least = bounds.first ?? nil else { return nil }
      switch bounds.count {
      case 1: return (least, least)
      case 2: return (least, bounds[1] ?? .max)
      default: return nil
      }
    default:
      return (1, 1)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
  }
}

/// A set of bytes as 256 bits.
private struct ByteSet: Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: return words.0 & bit != 0
    case 1: return words.1 & bit != 0
    case 2: return words.2 & bit != 0
    default: return words.3 & bit != 0
    }
  }
}
