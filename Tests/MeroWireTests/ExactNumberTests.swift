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

  @Test("70 §2.26: a number is written back as it was read", arguments: kept)
  func keepsText(_ text: String) throws {
    #expect(JSONNumber(text)?.text == text)
    #expect(try JSONValue(parsing: text).text == text)
    #expect(try JSONValue(parsing: #"{"a":[\#(text)]}"#).text == #"{"a":[\#(text)]}"#)
    #expect(try ExactJSON.encode(ExactJSON.decode(JSONNumber.self, from: Data(text.utf8))) == Data(text.utf8))
  }

  @Test("70 §2.26: what JSON's grammar does not allow is refused", arguments: refused)
  func refuses(_ text: String) {
    #expect(JSONNumber(text) == nil)
    #expect(throws: WireError.self) { try JSONValue(parsing: text) }
    #expect(throws: WireError.self) { try JSONValue(parsing: "[\(text)]") }
  }
}
