import Foundation
import MeroWire
import Testing

@Suite("Fuzzing JSON")
struct JSONFuzzTests {
  private static let seeds: [[UInt8]] = [
    #"{"a":[1,-2.5e+10,true,false,null,"x\n\u00e9\ud83c\udfa8"],"b":{"c":{},"d":[]},"a":9007199254740993}"#,
    #"[[[[["deep"]]]],0.1,1E400,-0,"é東京🎨",{"":""}]"#,
    " { \"k\" : [ 1 , 2 , 3 ] , \"l\" : \"\\\\\\\"\\/\\b\\f\\n\\r\\t\" }\n",
    "{" + (0..<20).map { "\"n\($0)\":\($0)" }.joined(separator: ",") + "}",
  ].map { Array($0.utf8) }

  private static let interesting =
    Array("{}[]\",:\\/u0123456789eE+-.tfnbr \n\0".utf8) + [
      0x80, 0xBF, 0xC0, 0xC3, 0xED, 0xEF, 0xF0, 0xF4, 0xFF,
    ]

  @Test("mutated texts never crash the reader, and what it accepts comes back")
  func readerFuzz() throws {
    var generator = SeededGenerator(seed: 7)
    var accepted = 0
    for round in 0..<30_000 {
      let bytes = generator.mutated(Self.seeds[round % Self.seeds.count], interesting: Self.interesting)
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      accepted += 1
      let written = value.data()
      let again = try JSONValue(parsing: written)
      #expect(again == value)
      #expect(again.hashValue == value.hashValue)
      #expect(again.data() == written)
      #expect(try JSONValue(encoding: value).data() == written)
    }
    #expect(accepted > 2_000)
  }

  @Test("whatever our reader accepts, Foundation's reads to the same shape")
  func agreesWithFoundation() throws {
    var generator = SeededGenerator(seed: 8)
    for round in 0..<4_000 {
      let bytes = generator.mutated(Self.seeds[round % Self.seeds.count], interesting: Self.interesting)
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      // Foundation refuses numbers that no double holds.
      guard !value.text.contains(where: { "eE".contains($0) }) else { continue }
      #expect(
        throws: Never.self, "\(String(decoding: bytes, as: UTF8.self))"
      ) { try JSONSerialization.jsonObject(with: value.data(), options: .fragmentsAllowed) }
    }
  }

  @Test("random values come back from their text, and hash as they compare")
  func generatedValues() throws {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<3_000 {
      let value = Self.value(&generator, levels: 4)
      let again = try JSONValue(parsing: value.text)
      #expect(again == value)
      #expect(again.hashValue == value.hashValue)
      #expect(again.text == value.text)
    }
  }

  private static func value(_ generator: inout SeededGenerator, levels: Int) -> JSONValue {
    switch Int.random(in: 0..<(levels > 0 ? 8 : 6), using: &generator) {
    case 0: return nil
    case 1: return .bool(Bool.random(using: &generator))
    case 2: return JSONValue(Int64(bitPattern: generator.next()))
    case 3, 4: return .number(JSONNumber(numberText(&generator))!)
    case 5: return .string(text(&generator))
    case 6:
      return .array(
        (0..<Int.random(in: 0..<6, using: &generator)).map { _ in value(&generator, levels: levels - 1) })
    default:
      let members = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
        (text(&generator), value(&generator, levels: levels - 3))
      }
      return .object(JSONObject(members))
    }
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let scalars = (0..<Int.random(in: 0..<12, using: &generator)).compactMap { _ in
      Unicode.Scalar(
        UInt32.random(in: 0..<(Bool.random(using: &generator) ? 0x80 : 0x110000), using: &generator))
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func numberText(_ generator: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      .joined()
    }
    var text = Bool.random(using: &generator) ? "-" : ""
    text +=
      Bool.random(using: &generator) ? "0" : "\(Int.random(in: 1...9, using: &generator))" + digits(0...30)
    if Bool.random(using: &generator) { text += "." + digits(1...20) }
    if Bool.random(using: &generator) {
      text += ["e", "E+", "e-"].randomElement(using: &generator)! + digits(1...25)
    }
    return text
  }

  @Test("moving the point and the exponent together never changes a number")
  func respelledNumbers() throws {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<3_000 {
      let digits = String(generator.next() % 1_000_000_007)
      let exponent = Int.random(in: -1_000...1_000, using: &generator)
      let shift = Int.random(in: 1...40, using: &generator)
      let base = try #require(JSONNumber("\(digits)e\(exponent)"))
      let zeros = try #require(
        JSONNumber(digits + String(repeating: "0", count: shift) + "e\(exponent - shift)"))
      let point = try #require(
        JSONNumber(
          "0." + String(repeating: "0", count: shift) + digits + "e\(exponent + shift + digits.count)"))
      #expect(base == zeros && base == point)
      #expect(base.hashValue == zeros.hashValue && base.hashValue == point.hashValue)
      #expect(base.int64 == zeros.int64 && base.int64 == point.int64)
      #expect(base.decimal == zeros.decimal && base.decimal == point.decimal)
      #expect(base.isExactInteger == point.isExactInteger)
    }
  }
}
