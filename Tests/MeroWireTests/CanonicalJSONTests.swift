import MeroWire
import Testing

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  // The group `canonicalJson` of the account vectors.
  @Test(
    "30 §3: the canonical text of the vectors",
    arguments: [
      (#"{ "key" : "k" , "value" : "v" }"#, #"{"key":"k","value":"v"}"#),
      (#"{ "value" : "v" , "key" : "k" }"#, #"{"key":"k","value":"v"}"#), ("{  }", "{}"), ("null", "null"),
      ("true", "true"),
      (
        #"{ "b" : [ 1 , { "z" : null , "a" : false } ] , "a" : { "y" : 2 , "x" : 3 } }"#,
        #"{"a":{"x":3,"y":2},"b":[1,{"a":false,"z":null}]}"#
      ),
      (
        "[ 0 , -1 , 9007199254740993 , 18446744073709551615 , -9223372036854775808 ]",
        "[0,-1,9007199254740993,18446744073709551615,-9223372036854775808]"
      ),
      ("[ 1.5 , 0.1 , 0.00001 , 1e-6 , 1e-7 , 123456.789 ]", "[1.5,0.1,0.00001,1e-6,1e-7,123456.789]"),
      ("[ 5 , 1000 ]", "[5,1000]"),
      (
        #""line\nbreak\ttab \"quote\" back\\slash / slash""#,
        #""line\nbreak\ttab \"quote\" back\\slash / slash""#
      ),
      (#""\u0000\u0001\b\f\u001f\#u{7f}""#, #""\u0000\u0001\b\f\u001f\#u{7f}""#),
      ("\"é 東京 🎨 \u{2028} \u{2029}\"", "\"é 東京 🎨 \u{2028} \u{2029}\""),
      (
        #"{ "9" : 5 , "10" : 4 , "\#u{e9}" : 1 , "z" : 2 , "Z" : 3 , "" : 6 }"#,
        "{\"\":6,\"10\":4,\"9\":5,\"Z\":3,\"z\":2,\"\u{e9}\":1}"
      ),
    ])
  func vectors(_ input: String, _ canonical: String) throws {
    #expect(try CanonicalJSON.string(JSONValue(parsing: input)) == canonical)
    #expect(try CanonicalJSON.data(JSONValue(parsing: input)) == Array(canonical.utf8))
  }

  @Test(
    "30 §3: numbers are spelled as a relay would spell them",
    arguments: [
      ("5.0", "5"), ("1e2", "100"), ("-0", "0"), ("-0.0", "0"), ("1e18", "1000000000000000000"),
      ("0.000001", "1e-6"),
      ("1e21", "1e21"), ("1E+21", "1e21"), ("-2.5e-10", "-2.5e-10"),
      ("1.7976931348623157e308", "1.7976931348623157e308"),
      ("5e-324", "5e-324"), ("0.00012", "0.00012"), ("1234567890123.5", "1234567890123.5"),
      ("1.8446744073709552e19", "1.8446744073709552e19"), ("-1e19", "-1e19"), ("12.50", "12.5"),
    ])
  func numbers(_ input: String, _ canonical: String) throws {
    #expect(try CanonicalJSON.string(JSONValue(parsing: input)) == canonical)
  }

  @Test(
    "30 §3: a number that a relay would change is refused with its path",
    arguments: [
      "18446744073709551616", "-9223372036854775809", "340282366920938463463374607431768211455", "1e400",
      "1e-400",
      "0.1000000000000000000001", "123456789012345678901234567890.123456789",
    ])
  func refusals(_ number: String) throws {
    let value = try JSONValue(parsing: #"{"args":[1,{"amount":\#(number)}]}"#)
    #expect(
      throws: WireError(
        format: "json", reason: "a relay would change this number; send it as a string",
        path: "args[1].amount")
    ) { try CanonicalJSON.string(value) }
  }

  @Test("a quoted string is a JSON string literal")
  func quote() throws {
    #expect(CanonicalJSON.quote("a\"\\\u{1}/é") == #""a\"\\\u0001/é""#)
  }
}
