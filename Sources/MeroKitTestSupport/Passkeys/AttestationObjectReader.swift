import Foundation

/// The little CBOR an attestation object and a COSE key are made of: definite lengths, no tags, no floats.
///
/// Written apart from the client's encoder, so that a mistake in one is not hidden by the same mistake in the other.
struct AttestationObjectReader {
  enum Item: Equatable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([Item])
    case map([(key: Item, value: Item)])
    case simple(UInt8)

    /// The value under a text key of a map.
    subscript(name: String) -> Item? {
      guard case .map(let pairs) = self else { return nil }
      return pairs.first { $0.key == .text(name) }?.value
    }

    /// The value under an integer key of a map.
    subscript(number: Int64) -> Item? {
      guard case .map(let pairs) = self else { return nil }
      return pairs.first { $0.key == .integer(number) }?.value
    }

    static func == (left: Item, right: Item) -> Bool {
      switch (left, right) {
      case (.integer(let left), .integer(let right)): return left == right
      case (.bytes(let left), .bytes(let right)): return left == right
      case (.text(let left), .text(let right)): return left == right
      case (.simple(let left), .simple(let right)): return left == right
      case (.array(let left), .array(let right)): return left == right
      case (.map(let left), .map(let right)):
        return left.count == right.count
          && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
      default: return false
      }
    }
  }

  private var rest: ArraySlice<UInt8>
  private var depth = 0

  private init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The item the bytes begin with, and what follows it; `nil` when they do not begin with one.
  static func readPrefix(_ bytes: ArraySlice<UInt8>) -> (Item, ArraySlice<UInt8>)? {
    var reader = AttestationObjectReader(bytes)
    return reader.item().map { ($0, reader.rest) }
  }

  /// The one item the bytes are.
  static func read(_ bytes: [UInt8]) -> Item? {
    guard let (item, rest) = readPrefix(bytes[...]), rest.isEmpty else { return nil }
    return item
  }

  private mutating func item() -> Item? {
    guard depth < 16, let head = rest.popFirst(), let argument = argument(of: head) else { return nil }
    depth += 1
    defer { depth -= 1 }
    switch head >> 5 {
    case 0: return Int64(exactly: argument).map { .integer($0) }
    case 1: return Int64(exactly: argument).map { .integer(-1 - $0) }
    case 2: return take(argument).map { .bytes($0) }
    case 3: return take(argument).flatMap { String(bytes: $0, encoding: .utf8) }.map { .text($0) }
    case 4: return elements(argument)
    case 5: return pairs(argument)
    case 7 where head & 31 < 24: return .simple(head & 31)
    default: return nil
    }
  }

  private mutating func argument(of head: UInt8) -> UInt64? {
    let short = head & 31
    guard short >= 24 else { return UInt64(short) }
    guard short <= 27, let bytes = take(1 << UInt64(short - 24)) else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func take(_ count: UInt64) -> [UInt8]? {
    guard count <= UInt64(rest.count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return Array(rest.prefix(Int(count)))
  }

  private mutating func elements(_ count: UInt64) -> Item? {
    // Every element takes a byte at least, so a larger count cannot be true and must not reserve anything.
    guard count <= UInt64(rest.count) else { return nil }
    var elements: [Item] = []
    for _ in 0..<count {
      guard let element = item() else { return nil }
      elements.append(element)
    }
    return .array(elements)
  }

  private mutating func pairs(_ count: UInt64) -> Item? {
    guard count <= UInt64(rest.count / 2) else { return nil }
    var pairs: [(key: Item, value: Item)] = []
    for _ in 0..<count {
      guard let key = item(), let value = item() else { return nil }
      pairs.append((key, value))
    }
    return .map(pairs)
  }
}
