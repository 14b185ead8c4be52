/// Takes fields off the front of a quote, never past its end; integers are little-endian.
struct QuoteCursor {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func take(_ count: Int, _ field: String) throws(TrustError) -> ArraySlice<UInt8> {
    guard count <= rest.count else {
      throw .refused(.quoteFormat, "the quote is cut short in its \(field)")
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func number(_ count: Int, _ field: String) throws(TrustError) -> Int {
    Int(littleEndian: try take(count, field))
  }
}

extension Int {
  /// A number of at most four bytes, the lowest first.
  init(littleEndian bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Bytes in which fields have fixed places.
protocol FixedLayout {
  var bytes: ArraySlice<UInt8> { get }
}

extension FixedLayout {
  func field(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
    bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }
}
