/// RFC 8259 §6: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
enum JSONNumberGrammar {
  /// The end of the number that begins at `start`, or nil when none does.
  @inline(__always)
  static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let count = bytes.count
    var at = start
    @inline(__always) func digits() -> Bool {
      let first = at
      while at < count, isDigit(bytes[at]) { at += 1 }
      return at > first
    }
    if at < count, bytes[at] == UInt8(ascii: "-") { at += 1 }
    if at < count, bytes[at] == UInt8(ascii: "0") {
      at += 1
    } else if !digits() {
      return nil
    }
    if at < count, bytes[at] == UInt8(ascii: ".") {
      at += 1
      if !digits() { return nil }
    }
    if at < count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if at < count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
      if !digits() { return nil }
    }
    return at
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10
  }
}
