/// Reads CBOR strictly: shortest heads, definite lengths, no key twice, bounded nesting.
struct CBORReader {
  private(set) var cursor: ByteCursor

  init(_ bytes: ArraySlice<UInt8>) {
    cursor = ByteCursor(bytes, format: "cbor")
  }

  mutating func value(levels: Int) throws(WireError) -> CBORValue {
    let first = try cursor.byte()
    guard let major = CBORMajor(rawValue: first >> 5) else { throw cursor.refusal("an unknown kind of item") }
    switch major {
    case .unsigned: return .unsigned(try argument(first))
    case .negative: return .negative(try argument(first))
    case .bytes: return .bytes(Array(try cursor.take(try count(first, size: 1))))
    case .text:
      guard let text = UTF8Check.text(try cursor.take(try count(first, size: 1))) else {
        throw cursor.refusal("a text is not UTF-8")
      }
      return .text(text)
    case .array: return .array(try elements(try count(first, size: 1), levels: levels))
    case .map: return .map(try pairs(try count(first, size: 2), levels: levels))
    case .tag: throw cursor.refusal("tags are not accepted")
    case .simple:
      switch first {
      case CBORMajor.false: return .bool(false)
      case CBORMajor.true: return .bool(true)
      case CBORMajor.null: return .null
      default: throw cursor.refusal("of simple values only true, false and null are accepted")
      }
    }
  }

  private mutating func elements(_ count: Int, levels: Int) throws(WireError) -> [CBORValue] {
    try checkLevels(levels)
    var elements: [CBORValue] = []
    for _ in 0..<count { elements.append(try value(levels: levels - 1)) }
    return elements
  }

  private mutating func pairs(_ count: Int, levels: Int) throws(WireError) -> [CBORValue.Pair] {
    try checkLevels(levels)
    var pairs: [CBORValue.Pair] = []
    // Heads being shortest, two keys are the same value exactly when they are the same bytes.
    var seen: Set<ArraySlice<UInt8>> = []
    for _ in 0..<count {
      let start = cursor.rest
      let key = try value(levels: levels - 1)
      guard seen.insert(start.prefix(start.count - cursor.remaining)).inserted else {
        throw cursor.refusal("a key stands twice in a map")
      }
      pairs.append(CBORValue.Pair(key, try value(levels: levels - 1)))
    }
    return pairs
  }

  private func checkLevels(_ levels: Int) throws(WireError) {
    guard levels > 0 else { throw cursor.refusal("more than \(CBOR.maximumDepth) levels") }
  }

  private mutating func argument(_ first: UInt8) throws(WireError) -> UInt64 {
    let code = first & 31
    if code < 24 { return UInt64(code) }
    guard code < 28 else {
      throw cursor.refusal(code == 31 ? "an indefinite length is not accepted" : "a reserved length")
    }
    let size = 1 << Int(code - 24)
    let argument = try cursor.bigEndian(size)
    let smallest: UInt64 = size == 1 ? 24 : 1 << UInt64(size * 4)
    guard argument >= smallest else { throw cursor.refusal("a number is not in its shortest form") }
    return argument
  }

  /// A claimed number of items of at least `size` bytes, which must fit in what is left.
  private mutating func count(_ first: UInt8, size: Int) throws(WireError) -> Int {
    let claimed = try argument(first)
    guard claimed <= UInt64(cursor.remaining / size) else { throw cursor.refusal("the input ends too early") }
    return Int(claimed)
  }
}
