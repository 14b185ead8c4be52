/// Takes bytes off the front of an input, never past its end.
struct ByteCursor {
  private(set) var rest: ArraySlice<UInt8>
  /// The format named in errors. Cursors are copied at every element, and a constant needs no counting.
  let format: StaticString

  init(_ bytes: ArraySlice<UInt8>, format: StaticString) {
    rest = bytes
    self.format = format
  }

  var isAtEnd: Bool { rest.isEmpty }
  var remaining: Int { rest.count }

  mutating func byte() throws(WireError) -> UInt8 {
    guard let byte = rest.popFirst() else { throw refusal("the input ends too early") }
    return byte
  }

  /// - Parameter count: as claimed by the input; checked here.
  mutating func take(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else { throw refusal("the input ends too early") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Most significant byte first.
  mutating func bigEndian(_ count: Int) throws(WireError) -> UInt64 {
    try take(count).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Least significant byte first.
  mutating func littleEndian(_ count: Int) throws(WireError) -> UInt64 {
    try take(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  func finish() throws(WireError) {
    guard isAtEnd else { throw refusal("\(rest.count) bytes are left over") }
  }

  func refusal(_ reason: String) -> WireError {
    WireError(format: "\(format)", reason: reason)
  }
}
