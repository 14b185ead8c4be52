import Foundation
import MeroWire
import Testing

@Suite("DER")
struct DERTests {
  private func read<T>(_ hex: String, _ read: (inout DERReader) throws -> T) throws -> T {
    var reader = DERReader(try Hex.decode(hex))
    let value = try read(&reader)
    try reader.finish()
    return value
  }

  private func refuses<T>(_ hex: String, _ body: (inout DERReader) throws -> T) {
    #expect(throws: WireError.self, "\(hex)") { try read(hex, body) }
  }

  @Test("an element gives its tag, its content and its own bytes")
  func elements() throws {
    let element = try read("0403010203") { try $0.element() }
    #expect(element.tag == .octetString)
    #expect(Array(element.content) == [1, 2, 3])
    #expect(Array(element.encoded) == [4, 3, 1, 2, 3])
    let long = try Hex.decode("048180") + [UInt8](repeating: 7, count: 128)
    var reader = DERReader(long)
    #expect(reader.nextTag == .octetString)
    #expect(try reader.octetString().count == 128)
    #expect(reader.isAtEnd && reader.nextTag == nil)
    var longer = DERReader(try Hex.decode("04820100") + [UInt8](repeating: 7, count: 256))
    #expect(try longer.element().encoded.count == 260)
  }

  @Test(
    "lengths are definite, shortest and within the input",
    arguments: [
      "", "04", "0401", "040201", "0480", "04800000", "048100",
      "04817f" + String(repeating: "00", count: 127), "04820001ff",
      "0482007f", "04830000ff", "0484ffffffff", "048500000000010a", "04ff", "0488ffffffffffffffff", "1f0101",
      "3f8101", "bf2001",
    ])
  func lengths(_ hex: String) {
    refuses(hex) { try $0.element() }
  }

  @Test("a signature of two integers is read, and nothing else may stand in it")
  func sequence() throws {
    func signature(_ reader: inout DERReader) throws -> [[UInt8]] {
      var pair = try reader.sequence()
      let values = [Array(try pair.unsignedInteger()), Array(try pair.unsignedInteger())]
      try pair.finish()
      return values
    }
    #expect(try read("3007020201000201ff".replacing("ff", with: "7f"), signature) == [[1, 0], [0x7F]])
    #expect(try read("3008020200ff02020080", signature) == [[0xFF], [0x80]])
    refuses("300602010102010200", signature)
    refuses("3009020101020102020103", signature)
    refuses("3003020101", signature)
    refuses("3006020101020180", signature)
    refuses("3106020101020102", signature)
    refuses("1006020101020102", signature)
    refuses("30800201010201020000", signature)
  }

  @Test("integers are shortest two's complement")
  func integers() throws {
    let values: [(String, Int64)] = [
      ("020100", 0), ("02017f", 127), ("02020080", 128), ("0201ff", -1), ("020180", -128), ("0202ff7f", -129),
      ("02087fffffffffffffff", .max), ("02088000000000000000", .min),
    ]
    for (hex, value) in values { #expect(try read(hex) { try $0.int64() } == value) }
    #expect(
      try read("020900ffffffffffffffff") { Array(try $0.unsignedInteger()) }
        == [UInt8](repeating: 0xFF, count: 8))
    #expect(try read("020100") { Array(try $0.unsignedInteger()) } == [0])
    #expect(try read("0a0102") { try $0.enumerated() } == 2)
    for hex in ["0200", "02020001", "0202007f", "0202ff80", "0202ffff", "03020001", "2203020101"] {
      refuses(hex) { try $0.integer() }
    }
    refuses("020900ffffffffffffffff") { try $0.int64() }
    refuses("0201ff") { try $0.unsignedInteger() }
    refuses("0a020001") { try $0.enumerated() }
  }

  @Test("Booleans and nulls have one form")
  func booleans() throws {
    #expect(try read("0101ff") { try $0.boolean() })
    #expect(try !read("010100") { try $0.boolean() })
    for hex in ["010101", "0100", "0102ff00"] { refuses(hex) { try $0.boolean() } }
    try read("0500") { try $0.null() }
    refuses("050100") { try $0.null() }
  }

  @Test("object identifiers are read in dots")
  func objectIdentifiers() throws {
    let values = [
      ("06072a8648ce3d0201", "1.2.840.10045.2.1"), ("060a2a864886f84d010d0101", "1.2.840.113741.1.13.1.1"),
      ("0603550406", "2.5.4.6"), ("0603883703", "2.999.3"), ("060100", "0.0"), ("060127", "0.39"),
      ("060128", "1.0"),
      ("060150", "2.0"), ("060a2a81ffffffffffffff7f", "1.2.144115188075855871"),
    ]
    for (hex, text) in values { #expect(try read(hex) { try $0.objectIdentifier() } == text) }
    for hex in [
      "0600", "060180", "06032a8001", "06022a80", "060b2a82808080808080808000",
      "060c2affffffffffffffffffff7f",
    ] {
      refuses(hex) { try $0.objectIdentifier() }
    }
  }

  @Test("bit strings end in zero bits")
  func bitStrings() throws {
    let usage = try read("03020780") { try $0.bitString() }
    #expect(Array(usage.bytes) == [0x80] && usage.unusedBits == 7)
    #expect(try read("0303000102") { Array(try $0.bitStringBytes()) } == [1, 2])
    #expect(try read("030100") { Array(try $0.bitStringBytes()) } == [])
    for hex in ["0300", "03020880", "03020781", "030107", "0302ff00"] { refuses(hex) { try $0.bitString() } }
    refuses("03020780") { try $0.bitStringBytes() }
  }

  @Test("strings keep to the characters of their type")
  func strings() throws {
    #expect(try read("0c02c3a9") { try $0.string() } == "é")
    #expect(try read("1305" + Hex.encode("a b-?".utf8)) { try $0.string() } == "a b-?")
    #expect(try read("1603" + Hex.encode("a@b".utf8)) { try $0.string() } == "a@b")
    for hex in ["0c01ff", "1303614062", "1602c3a9", "020101", "0c02c0af"] { refuses(hex) { try $0.string() } }
  }

  @Test("optional and context elements are taken only when they are there")
  func contexts() throws {
    var reader = DERReader(try Hex.decode("a003020102" + "8001aa" + "020105"))
    #expect(try reader.explicit(1) == nil)
    var version = try #require(try reader.explicit(0))
    #expect(try version.int64() == 2)
    #expect(try reader.optional(.context(1)) == nil)
    #expect(try Array(#require(try reader.optional(.context(0))).content) == [0xAA])
    #expect(try reader.optional(.octetString) == nil)
    #expect(try reader.int64() == 5)
    try reader.finish()
    var names = try read("3107300506035504063000".replacing("3000", with: "")) { try $0.set() }
    var name = try names.sequence()
    #expect(try name.objectIdentifier() == "2.5.4.6")
  }

  @Test("times are read in the two forms of RFC 5280 and no other")
  func times() throws {
    func utc(_ text: String) -> String { "17" + Hex.encode([UInt8(text.utf8.count)] + text.utf8) }
    func generalized(_ text: String) -> String { "18" + Hex.encode([UInt8(text.utf8.count)] + text.utf8) }
    let times: [(String, TimeInterval)] = [
      (utc("700101000000Z"), 0), (utc("491231235959Z"), 2_524_607_999), (utc("500101000000Z"), -631_152_000),
      (utc("000229120000Z"), 951_825_600), (utc("260921123456Z"), 1_789_994_096),
      (generalized("19700101000000Z"), 0), (generalized("20500101000000Z"), 2_524_608_000),
      (generalized("99991231235959Z"), 253_402_300_799), (generalized("00010101000000Z"), -62_135_596_800),
    ]
    for (hex, seconds) in times {
      #expect(try read(hex) { try $0.time() }.timeIntervalSince1970 == seconds, "\(hex)")
    }
    #expect(try read(times[0].0) { try $0.utcTime() } == Date(timeIntervalSince1970: 0))
    #expect(try read(times[5].0) { try $0.generalizedTime() } == Date(timeIntervalSince1970: 0))
    refuses(times[0].0) { try $0.generalizedTime() }
    refuses(times[5].0) { try $0.utcTime() }
    for text in [
      "7001010000Z", "700101000000", "700101000000+0000", "700101000000z", "701301000000Z", "700001000000Z",
      "700100000000Z",
      "700132000000Z", "010229000000Z", "700431000000Z", "700101240000Z", "700101006000Z", "700101000060Z",
      "70010100000 Z",
      "", "Z", "7001010000000Z", "19700101000000Z", "-00101000000Z",
    ] { refuses(utc(text)) { try $0.time() } }
    for text in [
      "19700101000000.5Z", "197001010000Z", "19700101000000", "19700101000000-0100", "19000229000000Z",
      "700101000000Z", "00000101000000Z", "00001231235959Z",
    ] { refuses(generalized(text)) { try $0.time() } }
    refuses("0400") { try $0.time() }
  }

  /// Reads everything there is in every way, and answers how many elements it met.
  private func walk(_ reader: DERReader, levels: Int) -> Int {
    var count = 0
    var reader = reader
    while let element = try? reader.element() {
      count += 1
      #expect(element.encoded.suffix(element.content.count) == element.content)
      func attempt(_ body: (inout DERReader) throws -> Void) {
        var copy = DERReader(element.encoded)
        try? body(&copy)
      }
      attempt { _ = try $0.int64() }
      attempt { _ = try $0.unsignedInteger() }
      attempt { _ = try $0.objectIdentifier() }
      attempt { _ = try $0.bitString() }
      attempt { _ = try $0.string() }
      attempt { _ = try $0.time() }
      attempt { _ = try $0.boolean() }
      attempt { try $0.null() }
      if element.tag.rawValue & 0x20 != 0, levels > 0 {
        count += walk(DERReader(element.content), levels: levels - 1)
      }
    }
    return count
  }

  @Test("mutated inputs never crash the reader, and an accepted element has exactly its bytes")
  func fuzz() throws {
    // A SubjectPublicKeyInfo, a validity of two times, and an extension.
    let seed = try Hex.decode(
      "3013" + "06072a8648ce3d0201" + "06082a8648ce3d030107"
        + "301e170d3236303130313030303030305a170d3336303130313030303030305a" + "300c0603551d130101ff04023000"
        + "a003020102" + "03020780" + "0c03616263" + "0500" + "0202ff7f")
    #expect(walk(DERReader(seed), levels: 8) == 16)
    var generator = SeededGenerator(seed: 6)
    let interesting: [UInt8] = [
      0x00, 0x02, 0x03, 0x06, 0x17, 0x18, 0x30, 0x31, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xA0, 0xFF,
    ]
    var elements = 0
    for _ in 0..<10_000 {
      elements += walk(DERReader(generator.mutated(seed, interesting: interesting)), levels: 8)
    }
    #expect(elements > 10_000)
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    replacingOccurrences(of: part, with: other)
  }
}
