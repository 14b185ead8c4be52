/// Reads the subset of Borsh that accounts use (30 §1), accepting only what `BorshWriter` writes.
package struct BorshReader {
  private var cursor: ByteCursor

  package init(_ bytes: some Sequence<UInt8>) {
    cursor = ByteCursor(Array(bytes)[...], format: "borsh")
  }

  /// The number of bytes not read yet.
  package var remaining: Int { cursor.remaining }

  package mutating func u8() throws(WireError) -> UInt8 { try cursor.byte() }
  package mutating func u16() throws(WireError) -> UInt16 { UInt16(try cursor.littleEndian(2)) }
  package mutating func u32() throws(WireError) -> UInt32 { UInt32(try cursor.littleEndian(4)) }
  package mutating func u64() throws(WireError) -> UInt64 { try cursor.littleEndian(8) }

  /// One byte, 0 or 1; anything else is refused, so that a value has one encoding.
  package mutating func bool() throws(WireError) -> Bool {
    switch try cursor.byte() {
    case 0: return false
    case 1: return true
    default: throw cursor.refusal("a Boolean is neither 0 nor 1")
    }
  }

  /// Exactly `count` bytes.
  package mutating func fixed(_ count: Int) throws(WireError) -> [UInt8] { Array(try cursor.take(count)) }

  package mutating func string() throws(WireError) -> String {
    guard let text = UTF8Check.text(try cursor.take(Int(try u32()))) else {
      throw cursor.refusal("a string is not UTF-8")
    }
    return text
  }

  /// A `Vec<u8>`.
  package mutating func byteList() throws(WireError) -> [UInt8] { Array(try cursor.take(Int(try u32()))) }

  /// A `Vec<T>`.
  ///
  /// - Parameter read: reads one item of at least one byte. A claimed length beyond the bytes that are left is
  ///   refused before anything is set aside for it.
  package mutating func list<T>(
    _ read: (inout BorshReader) throws(WireError) -> T
  ) throws(WireError) -> [T] {
    let count = Int(try u32())
    guard count <= cursor.remaining else { throw cursor.refusal("a list is longer than the input") }
    var items: [T] = []
    for _ in 0..<count {
      let before = cursor.remaining
      items.append(try read(&self))
      guard cursor.remaining < before else { throw cursor.refusal("a list of items without bytes") }
    }
    return items
  }

  /// An `Option<T>`.
  package mutating func option<T>(
    _ read: (inout BorshReader) throws(WireError) -> T
  ) throws(WireError) -> T? {
    switch try cursor.byte() {
    case 0: return nil
    case 1: return try read(&self)
    default: throw cursor.refusal("an option is neither 0 nor 1")
    }
  }

  /// A `BTreeMap<String, String>`; keys that are not in strictly ascending order are refused.
  package mutating func stringMap() throws(WireError) -> [String: String] {
    let entries = try list { (reader) throws(WireError) in (try reader.string(), try reader.string()) }
    for (entry, next) in zip(entries, entries.dropFirst())
    where !entry.0.utf8.lexicographicallyPrecedes(next.0.utf8) {
      throw cursor.refusal("the keys of a map are not in ascending order")
    }
    // Keys that differ in bytes may still be equal to Swift; `uniquingKeysWith` would drop one of them.
    let map = Dictionary(entries) { first, _ in first }
    guard map.count == entries.count else { throw cursor.refusal("two keys of a map are the same text") }
    return map
  }

  /// Refuses bytes left over.
  package func finish() throws(WireError) { try cursor.finish() }
}
