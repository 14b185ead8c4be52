import MeroWire

/// Writes the fields of a warrant, in order, both ways at once: as it is sent, and as the parts of what is signed (30 §6).
///
/// The two differ where it is easily overlooked: counts have 32 bits in one and 64 in the other, texts a length in one and
/// none in the other, and an optional label is one value in one and two parts in the other.
struct WarrantWriter {
  private(set) var wire = BorshWriter()
  private(set) var parts: [[UInt8]] = []

  mutating func fixed(_ bytes: [UInt8]) {
    wire.fixed(bytes)
    parts.append(bytes)
  }

  mutating func byte(_ value: UInt8) { fixed([value]) }

  mutating func number(_ value: UInt64) {
    wire.u64(value)
    parts.append(LittleEndian.bytes(value))
  }

  mutating func text(_ text: String) {
    wire.string(text)
    parts.append(Array(text.utf8))
  }

  /// An absent label and an empty one are different things, and sign differently.
  mutating func label(_ text: String?) {
    wire.option(text) { $0.string($1) }
    parts += [[text == nil ? 0 : 1], Array((text ?? "").utf8)]
  }

  mutating func heads(_ heads: [[UInt8]]) {
    wire.list(heads) { $0.fixed($1) }
    parts.append(LittleEndian.bytes(UInt64(heads.count)))
    parts += heads
  }
}
