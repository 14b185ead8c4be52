import MeroWire
import Testing

@Suite("Borsh")
struct BorshTests {
  @Test("30 §1: every kind of value has the bytes the table gives it")
  func encodings() {
    func bytes(_ write: (inout BorshWriter) -> Void) -> String {
      var writer = BorshWriter()
      write(&writer)
      return Hex.encode(writer.bytes)
    }
    #expect(bytes { $0.u8(0xAB) } == "ab")
    #expect(bytes { $0.u16(0x0102) } == "0201")
    #expect(bytes { $0.u32(0x0102_0304) } == "04030201")
    #expect(bytes { $0.u64(0x0102_0304_0506_0708) } == "0807060504030201")
    #expect(
      bytes {
        $0.bool(true); $0.bool(false)
      } == "0100")
    #expect(bytes { $0.fixed([1, 2, 3]) } == "010203")
    #expect(bytes { $0.string("é") } == "02000000c3a9")
    #expect(bytes { $0.byteList([9, 8]) } == "020000000908")
    #expect(bytes { $0.list([1, 2] as [UInt16]) { $0.u16($1) } } == "0200000001000200")
    #expect(bytes { $0.option(nil as UInt8?) { $0.u8($1) } } == "00")
    #expect(bytes { $0.option(7 as UInt8) { $0.u8($1) } } == "0107")
    #expect(
      bytes { $0.stringMap(["b": "2", "a": "1", "Z": "3"]) }
        == "03000000" + "010000005a0100000033" + "01000000610100000031" + "01000000620100000032")
  }

  struct Sample: Hashable {
    var kind: UInt8
    var short: UInt16
    var medium: UInt32
    var long: UInt64
    var flag: Bool
    var id: [UInt8]
    var name: String
    var blob: [UInt8]
    var labels: [String?]
    var metadata: [String: String]

    func encoded() -> [UInt8] {
      var writer = BorshWriter()
      writer.u8(kind)
      writer.u16(short)
      writer.u32(medium)
      writer.u64(long)
      writer.bool(flag)
      writer.fixed(id)
      writer.string(name)
      writer.byteList(blob)
      writer.list(labels) { writer, label in writer.option(label) { $0.string($1) } }
      writer.stringMap(metadata)
      return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(WireError) {
      var reader = BorshReader(bytes)
      kind = try reader.u8()
      short = try reader.u16()
      medium = try reader.u32()
      long = try reader.u64()
      flag = try reader.bool()
      id = try reader.fixed(4)
      name = try reader.string()
      blob = try reader.byteList()
      labels = try reader.list { (reader) throws(WireError) in
        try reader.option { (reader) throws(WireError) in try reader.string() }
      }
      metadata = try reader.stringMap()
      try reader.finish()
    }
  }

  static let sample: [UInt8] = {
    var writer = BorshWriter()
    writer.fixed([7, 1, 2, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0xDE, 0xAD, 0xBE, 0xEF])
    writer.string("naïve")
    writer.byteList([1, 2, 3])
    writer.list(["a", nil, "bc"]) { writer, label in writer.option(label) { $0.string($1) } }
    writer.stringMap(["topic": "rust", "a": ""])
    return writer.bytes
  }()

  @Test("what was written is read back")
  func roundTrip() throws {
    let value = try Sample(Self.sample)
    #expect(value.encoded() == Self.sample)
    #expect(value.long == 4)
    #expect(value.labels == ["a", nil, "bc"])
    #expect(value.metadata == ["topic": "rust", "a": ""])
  }

  @Test("an input cut anywhere, or with a byte too many, is refused")
  func truncation() {
    for count in 0..<Self.sample.count {
      #expect(throws: WireError.self) { try Sample(Array(Self.sample.prefix(count))) }
    }
    #expect(throws: WireError.self) { try Sample(Self.sample + [0]) }
  }

  @Test("a claimed length is never trusted, and a value has one encoding")
  func refusals() {
    func refuses(_ hex: String, _ read: (inout BorshReader) throws -> Void) {
      #expect(throws: WireError.self) {
        var reader = BorshReader(try Hex.decode(hex))
        try read(&reader)
      }
    }
    refuses("02") { _ = try $0.bool() }
    refuses("02") { _ = try $0.option { (reader) throws(WireError) in try reader.u8() } }
    refuses("ffffffff00") { _ = try $0.string() }
    refuses("ffffffff00") { _ = try $0.byteList() }
    refuses("ffffffff00") { _ = try $0.list { (reader) throws(WireError) in try reader.u8() } }
    refuses("0200000000ff") { _ = try $0.list { (_) throws(WireError) in 0 } }
    refuses("01000000ff") { _ = try $0.string() }
    refuses("00") { _ = try $0.fixed(-1) }
    // b before a, and a twice.
    refuses("02000000" + "0100000062" + "00000000" + "0100000061" + "00000000") { _ = try $0.stringMap() }
    refuses("02000000" + "0100000061" + "00000000" + "0100000061" + "00000000") { _ = try $0.stringMap() }
  }

  @Test("mutated inputs never crash the reader, and what it accepts is what the writer writes")
  func fuzz() throws {
    var generator = SeededGenerator(seed: 4)
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = generator.mutated(Self.sample, interesting: [0, 1, 2, 0x7F, 0x80, 0xFF])
      guard let value = try? Sample(bytes) else { continue }
      accepted += 1
      #expect(value.encoded() == bytes)
    }
    #expect(accepted > 0)
  }
}
