import MeroWire
import Testing

@Suite("CBOR")
struct CBORTests {
  static let examples: [(String, CBORValue)] = [
    ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100), ("1903e8", 1000),
    ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000),
    ("1bffffffffffffffff", .unsigned(.max)), ("3bffffffffffffffff", .negative(.max)),
    ("20", -1), ("29", -10), ("3863", -100), ("3903e7", -1000),
    ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null),
    ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])),
    ("60", ""), ("6161", "a"), ("6449455446", "IETF"), ("62225c", "\"\\"), ("62c3bc", "\u{fc}"),
    ("63e6b0b4", "\u{6c34}"), ("64f0908591", "\u{10151}"),
    ("80", .array([])), ("83010203", .array([1, 2, 3])),
    ("8301820203820405", .array([1, .array([2, 3]), .array([4, 5])])),
    (
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
      .array((1...25).map { CBORValue($0) })
    ),
    ("a0", .map([])), ("a201020304", .map([.init(1, 2), .init(3, 4)])),
    ("a26161016162820203", .map([.init("a", 1), .init("b", .array([2, 3]))])),
    ("826161a161626163", .array(["a", .map([.init("b", "c")])])),
    (
      "a56161614161626142616361436164614461656145",
      .map([.init("a", "A"), .init("b", "B"), .init("c", "C"), .init("d", "D"), .init("e", "E")])
    ),
  ]

  @Test("RFC 8949 Appendix A: what WebAuthn may use is read and written", arguments: examples)
  func appendixA(_ hex: String, _ value: CBORValue) throws {
    #expect(try CBOR.decode(Hex.decode(hex)) == value)
    #expect(Hex.encode(CBOR.encode(value)) == hex)
  }

  @Test(
    "RFC 8949 Appendix A: floats, tags, other simple values and indefinite lengths are refused",
    arguments: [
      "c249010000000000000000", "c349010000000000000000", "f90000", "f98000", "f93c00", "fb3ff199999999999a",
      "f93e00",
      "f97bff", "fa47c35000", "fa7f7fffff", "fb7e37e43c8800759c", "f90001", "f90400", "f9c400",
      "fbc010666666666666",
      "f97c00", "f97e00", "f9fc00", "fa7f800000", "fb7ff0000000000000", "f7", "f0", "f8ff",
      "c074323031332d30332d32315432303a30343a30305a", "c11a514b67b0", "c1fb41d452d9e8000000", "d74401020304",
      "d818456449455446", "d82076687474703a2f2f7777772e6578616d706c652e636f6d", "5f42010243030405ff",
      "7f657374726561646d696e67ff", "9fff", "9f018202039f0405ffff", "83018202039f0405ff",
      "bf61610161629f0203ffff",
      "826161bf61626163ff", "bf6346756ef563416d7421ff",
    ])
  func refusedExamples(_ hex: String) {
    #expect(throws: WireError.self) { try CBOR.decode(Hex.decode(hex)) }
  }

  // RFC 8949 Appendix F and rules of our own.
  @Test(
    "what is cut short, malformed, overlong, repeated or left over is refused",
    arguments: [
      "", "18", "19", "1a0102", "1b01020304050607", "38", "58", "5803", "41", "4261", "61", "62c3", "61ff",
      "5affffffff00",
      "5bffffffffffffffff010203", "7affffffff00", "7b7fffffffffffffff010203", "81", "818181818181818181",
      "8200", "a1",
      "a20102", "a100", "a2000000", "9affffffff", "9b7fffffffffffffff", "baffffffff", "bb7fffffffffffffff",
      "1c", "1d",
      "1e", "1f", "3c", "5c", "7e", "9d", "bc", "dc", "fc", "ff", "df", "0000", "f5f5", "1817", "1900ff",
      "1a0000ffff",
      "1b00000000ffffffff", "5817" + "00", "5800", "7800", "9800", "b800", "a201020103", "a2616101616102",
      "a2200120ff",
      "a2f600f601", "62e19f", "63eda080",
    ])
  func refusals(_ hex: String) {
    #expect(throws: WireError.self) { try CBOR.decode(Hex.decode(hex)) }
  }

  @Test("nesting is read to its limit and no deeper, however long the input")
  func depth() throws {
    func nested(_ levels: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: levels) + [0x00] }
    #expect(try CBOR.encode(CBOR.decode(nested(CBOR.maximumDepth))) == nested(CBOR.maximumDepth))
    #expect(throws: WireError.self) { try CBOR.decode(nested(CBOR.maximumDepth + 1)) }
    #expect(throws: WireError.self) { try CBOR.decode(nested(1_000_000)) }
    #expect(throws: WireError.self) { try CBOR.decode([UInt8](repeating: 0xA1, count: 1_000_000)) }
  }

  @Test("a prefix is read and the rest handed back")
  func prefix() throws {
    let (value, rest) = try CBOR.decodePrefix([0x82, 0x01, 0x20, 0xAA, 0xBB])
    #expect(value == .array([1, -1]))
    #expect(Array(rest) == [0xAA, 0xBB])
  }

  @Test("70 §2.26: the attestation object and its COSE key are read, and written back byte for byte")
  func attestationObject() throws {
    let bytes = try Hex.decode(
      """
      a363666d74646e6f6e656761747453746d74a0686175746844617461587149960de5880e8c687434170f6476605b8fe4aeb9a28632c7995c\
      f3ba831d97634500000000000000000000000000000000000000000010c0c1c2c3c4c5c6c7c8c9cacbcccdcecfa40101032720062158200\
      3a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8
      """)
    #expect(bytes.count == 143)
    let object = try CBOR.decode(bytes)
    #expect(object["fmt"]?.textValue == "none")
    #expect(object["attStmt"]?.mapValue?.isEmpty == true)
    let authData = try #require(object["authData"]?.bytesValue)
    let (key, rest) = try CBOR.decodePrefix(authData.dropFirst(55 + 16))
    #expect(rest.isEmpty)
    #expect(key[1]?.int64 == 1)
    #expect(key[3]?.int64 == -8)
    #expect(key[-1]?.int64 == 6)
    #expect(key[-2]?.bytesValue?.count == 32)
    #expect(key[2] == nil)
    #expect(CBOR.encode(object) == bytes)
  }

  @Test("integers are given only in range")
  func integers() {
    #expect(CBORValue.unsigned(1 << 63).int64 == nil)
    #expect(CBORValue.negative(1 << 63).int64 == nil)
    #expect(CBORValue(Int64.min).int64 == .min)
    #expect(CBORValue(Int64.min) == .negative(UInt64(Int64.max)))
    #expect(CBORValue.text("1").int64 == nil)
  }

  @Test("mutated inputs never crash the reader, and what it accepts is what the writer writes")
  func fuzz() throws {
    var generator = SeededGenerator(seed: 5)
    let seeds = try Self.examples.map { try Hex.decode($0.0) }
    let interesting: [UInt8] = [
      0x00, 0x17, 0x18, 0x1B, 0x20, 0x3B, 0x40, 0x5F, 0x60, 0x7B, 0x81, 0x9B, 0xA1, 0xBB, 0xF6, 0xFF,
    ]
    var accepted = 0
    for round in 0..<20_000 {
      let seed =
        seeds[round % seeds.count] + (round.isMultiple(of: 3) ? seeds.randomElement(using: &generator)! : [])
      let bytes = generator.mutated(seed, interesting: interesting)
      if let value = try? CBOR.decode(bytes) {
        accepted += 1
        #expect(CBOR.encode(value) == bytes)
      }
      if let (value, rest) = try? CBOR.decodePrefix(bytes) { #expect(CBOR.encode(value) + rest == bytes) }
    }
    #expect(accepted > 1_000)
  }
}

extension CBORValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self.init(value) }
  package init(stringLiteral value: String) { self = .text(value) }
}
