/// Writes the subset of Borsh that accounts use (30 §1).
///
/// A fixed array has no length; strings and lists have a `u32` one; an option is one byte and perhaps a value.
package struct BorshWriter {
  /// What has been written.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func u8(_ value: UInt8) { bytes.append(value) }
  package mutating func u16(_ value: UInt16) { littleEndian(value) }
  package mutating func u32(_ value: UInt32) { littleEndian(value) }
  package mutating func u64(_ value: UInt64) { littleEndian(value) }
  package mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// The bytes alone: a fixed array, an id, a key, a signature, or a nested value already encoded.
  package mutating func fixed(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

  package mutating func string(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// A `Vec<u8>`.
  package mutating func byteList(_ value: some Collection<UInt8>) {
    count(value.count)
    bytes.append(contentsOf: value)
  }

  /// A `Vec<T>`.
  package mutating func list<T>(_ items: [T], _ write: (inout BorshWriter, T) -> Void) {
    count(items.count)
    for item in items { write(&self, item) }
  }

  /// An `Option<T>`.
  package mutating func option<T>(_ value: T?, _ write: (inout BorshWriter, T) -> Void) {
    guard let value else {
      bytes.append(0)
      return
    }
    bytes.append(1)
    write(&self, value)
  }

  /// A `BTreeMap<String, String>`: sorted by the UTF-8 bytes of the keys.
  package mutating func stringMap(_ map: [String: String]) {
    let sorted = map.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    list(sorted) { writer, entry in
      writer.string(entry.key)
      writer.string(entry.value)
    }
  }

  private mutating func count(_ count: Int) {
    // Four gigabytes are past every limit of what is signed or sent, so this is a mistake in the program.
    precondition(count <= UInt32.max, "a Borsh length has 32 bits")
    u32(UInt32(count))
  }

  private mutating func littleEndian(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
