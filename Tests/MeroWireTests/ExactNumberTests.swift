import Foundation
import MeroWire
import Testing

@Suite("Exact numbers")
struct ExactNumberTests {
  static let kept = [
    "9007199254740993", "18446744073709551615", "-9223372036854775808",
    "340282366920938463463374607431768211455", "0.1", "1.0", "1E+2", "-0",
    "123456789012345678901234567890.123456789", "1e400",
  ]
  static let refused = ["01", "1.", ".5", "+1", "1e", "0x1", "NaN", "Infinity", "--1"]
  static let alsoRefused = [
    "", "-", "-01", "1e+", "1.e5", "1 ", " 1", "1_000", "-Infinity", "1,5", "١", "1e1.5", "00", "-.5", "1\0",
  ]

  @Test("70 §2.26: a number is written back as it was read", arguments: kept)
  func keepsText(_ text: String) throws {
    #expect(JSONNumber(text)?.text == text)
    #expect(try JSONValue(parsing: text).text == text)
    #expect(try JSONValue(parsing: #"{"a":[\#(text)]}"#).text == #"{"a":[\#(text)]}"#)
    #expect(try ExactJSON.encode(ExactJSON.decode(JSONNumber.self, from: Data(text.utf8))) == Data(text.utf8))
  }

  @Test("70 §2.26: what JSON's grammar does not allow is refused", arguments: refused + alsoRefused)
  func refuses(_ text: String) {
    #expect(JSONNumber(text) == nil)
    #expect(throws: WireError.self) { try JSONValue(parsing: "[\(text),]") }
    if text.trimmingCharacters(in: .whitespaces) != "1" {
      #expect(throws: WireError.self) { try JSONValue(parsing: text) }
    }
  }

  @Test(
    "equal values are equal and hash alike in any spelling",
    arguments: [
      ["1", "1.0", "10e-1", "0.1E+1", "1e0", "1e-0", "100e-2", "0.000001e6"],
      ["0", "-0", "0.0", "-0.00", "0e999999999", "-0e-99999999999999999999999999"],
      ["-12.5", "-125e-1", "-0.0125E3", "-12.50"],
      ["1e400", "10e399", "0.1e401", "1" + String(repeating: "0", count: 400)],
      ["1e999999999", "1000e999999996"],
      ["1e9223372036854775807", "10e9223372036854775806", "0.1e9223372036854775808"],
      ["1e99999999999999999999", "10e99999999999999999998", "0.01e100000000000000000001"],
      ["1e-99999999999999999999", "10e-100000000000000000000", "0.001e-99999999999999999996"],
      ["1e-9223372036854775809", "0.1e-9223372036854775808", "10e-9223372036854775810"],
      ["1e18446744073709551616", "1e+00018446744073709551616"],
    ])
  func equalSpellings(_ spellings: [String]) throws {
    let numbers = try spellings.map { try #require(JSONNumber($0)) }
    for number in numbers {
      #expect(number == numbers[0])
      #expect(number.hashValue == numbers[0].hashValue)
    }
    #expect(Set(numbers).count == 1)
    #expect(Set(numbers.map(JSONValue.number)).count == 1)
  }

  @Test(
    "different values differ, however close",
    arguments: [
      ("9007199254740993", "9007199254740992"), ("1", "-1"), ("1", "10"), ("0.1", "0.10000000000000000001"),
      ("1e400", "1e401"), ("1e999999999", "1e999999998"),
      ("1e99999999999999999999", "1e-99999999999999999999"),
      ("1e99999999999999999999", "1e99999999999999999998"), ("101", "11"), ("1e9223372036854775808", "1e0"),
    ])
  func differentValues(_ left: String, _ right: String) throws {
    #expect(try #require(JSONNumber(left)) != #require(JSONNumber(right)))
  }

  @Test("a huge exponent costs no more than its text")
  func hugeExponentIsCheap() throws {
    let number = try #require(JSONNumber("1e999999999"))
    #expect(number.isExactInteger)
    #expect(number.int64 == nil)
    #expect(number.decimal == nil)
    #expect(number.double == .infinity)
    let tiny = try #require(JSONNumber("-3e-999999999999999999999999"))
    #expect(!tiny.isExactInteger)
    #expect(tiny.uint64 == nil)
    #expect(tiny.double == 0)
    #expect([number: 1, tiny: 2][try #require(JSONNumber("10e999999998"))] == 1)
  }

  @Test("an integer is read in any spelling, and only in range")
  func integers() throws {
    func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text)) }
    for text in ["100", "1.0e2", "1e2", "1E+2", "100.000", "10000e-2"] {
      #expect(try number(text).int64 == 100)
      #expect(try number(text).uint64 == 100)
      #expect(try number(text).int == 100)
      #expect(try number(text).isExactInteger)
    }
    for text in ["1.5", "1e-1", "0.99999999999999999999", "100.0000000000000000000000001"] {
      #expect(try number(text).int64 == nil)
      #expect(try number(text).uint64 == nil)
      #expect(try !number(text).isExactInteger)
    }
    #expect(try number("-9223372036854775808").int64 == .min)
    #expect(try number("-9.223372036854775808e18").int64 == .min)
    #expect(try number("-9223372036854775809").int64 == nil)
    #expect(try number("9223372036854775807").int64 == .max)
    #expect(try number("9223372036854775808").int64 == nil)
    #expect(try number("9223372036854775808").uint64 == 1 << 63)
    #expect(try number("18446744073709551615").uint64 == .max)
    #expect(try number("1844674407370955161.5e1").uint64 == .max)
    #expect(try number("18446744073709551616").uint64 == nil)
    #expect(try number("-1").uint64 == nil)
    #expect(try number("-0").uint64 == 0)
    #expect(try number("-0.0").int64 == 0)
    #expect(try number("0e400").int == 0)
    #expect(try number("1e18").int64 == 1_000_000_000_000_000_000)
    #expect(try number("1e19").int64 == nil)
    #expect(try number("255").integer(UInt8.self) == 255)
    #expect(try number("256").integer(UInt8.self) == nil)
  }

  @Test("128-bit integers are read and written where the toolchain has them")
  func wideIntegers() throws {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
    let text = "340282366920938463463374607431768211455"
    let number = try #require(JSONNumber(text))
    #expect(number.integer(UInt128.self) == .max)
    #expect(JSONNumber(UInt128.max).text == text)
    #expect(JSONNumber(Int128.min).text == "-170141183460469231731687303715884105728")
    #expect(JSONNumber("-170141183460469231731687303715884105729")?.integer(Int128.self) == nil)
    #expect(try JSONValue.number(number).decode(UInt128.self) == .max)
    #expect(try JSONValue(encoding: [Int128.min]).decode([Int128].self) == [.min])
  }

  @Test("a decimal is given only when it holds every digit")
  func decimals() throws {
    let nines = String(repeating: "9", count: 38)
    let exact = [
      "0.1", "-12.34", "9007199254740993", "1e10", nines, "-\(nines)e-20", "0.\(nines)", "1e127", "1e-127",
      "1e-128",
      "0", "-0", "12345678901234567890123456789012345678e-50", "1.0", "\(nines)e127",
    ]
    for text in exact {
      let number = try #require(JSONNumber(text))
      let decimal = try #require(number.decimal, "\(text)")
      #expect(try JSONNumber(decimal) == number)
    }
    for text in [
      "1" + String(repeating: "0", count: 37) + "1", "123456789012345678901234567890.123456789", "1e-129",
      "\(nines)e128", "1e400", "1e-400", "1e99999999999999999999",
    ] {
      let number = try #require(JSONNumber(text))
      #expect(number.decimal == nil, "\(text)")
    }
    #expect(JSONNumber("0.1")?.decimal == Decimal(string: "0.1"))
    #expect(JSONNumber("-1.5")?.decimal == Decimal(string: "-1.5"))
  }

  @Test("a double is written with the shortest text that reads back equal, and must be finite")
  func doubles() throws {
    for value in [
      0.1, 1.0, -0.0, 1e21, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 123456.789,
      9007199254740992,
    ] {
      let number = try JSONNumber(value)
      #expect(JSONNumber(number.text) != nil)
      #expect(number.double.bitPattern == value.bitPattern)
      #expect(number.text.count <= "\(value)".count)
    }
    #expect(try JSONNumber(0.1 as Double).text == "0.1")
    #expect(try JSONNumber(Float(0.1)).text == "0.1")
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(throws: WireError.self) { try JSONNumber(value) }
      #expect(throws: WireError.self) { try JSONNumber(Float(value)) }
    }
    #expect(throws: WireError.self) { try JSONNumber(Decimal.nan) }
    #expect(JSONNumber("9007199254740993")?.double == 9007199254740992)
    #expect(JSONNumber("1e400")?.double == .infinity)
    #expect(JSONNumber("1e-400")?.double == 0)
  }

  @Test("literals and initialisers make the number they say")
  func literals() throws {
    let integer: JSONNumber = 42
    let fraction: JSONNumber = 0.25
    #expect(integer.text == "42")
    #expect(fraction.text == "0.25")
    #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
    #expect(JSONNumber(Int64.min).text == "-9223372036854775808")
    #expect(JSONNumber(Int8(-5)).text == "-5")
    #expect(try JSONNumber(Decimal(string: "12.50")!) == JSONNumber("12.5"))
    #expect("\(integer)" == "42")
  }
}
