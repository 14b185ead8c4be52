import Foundation
import MeroWire
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  @Test(
    "JSON is read and written back without its white space",
    arguments: [
      ("null", "null"), (" true ", "true"), ("\tfalse\r\n", "false"), ("\"\"", "\"\""), ("[]", "[]"),
      ("{}", "{}"),
      ("[ ]", "[]"), ("{ }", "{}"), ("[1 , 2,\n3]", "[1,2,3]"),
      (#"{ "b" : 1 , "a" : [ { } , null ] }"#, #"{"b":1,"a":[{},null]}"#),
      ("[[[[]]],[]]", "[[[[]]],[]]"), (#"{"":{"":{}}}"#, #"{"":{"":{}}}"#), ("-0", "-0"),
      (#""\/""#, #""/""#), (#""\u0041\u00e9\u6771""#, "\"Aé東\""), (#""\ud83c\udfa8""#, "\"🎨\""),
      (#""\uD83C\uDFA8x""#, "\"🎨x\""), (#""a\u0000b""#, #""a\u0000b""#),
      (#""\"\\\b\f\n\r\t""#, #""\"\\\b\f\n\r\t""#),
      (#""\u001f\u007f""#, "\"\\u001f\u{7f}\""), ("\"\u{2028}\u{2029}\"", "\"\u{2028}\u{2029}\""),
      ("\"\u{10ffff}\u{ffff}\u{d7ff}\u{e000}\"", "\"\u{10ffff}\u{ffff}\u{d7ff}\u{e000}\""),
    ])
  func readsAndWrites(_ input: String, _ output: String) throws {
    #expect(try JSONValue(parsing: input).text == output)
    #expect(try JSONValue(parsing: Data(input.utf8)).data() == Data(output.utf8))
  }

  @Test(
    "what is not JSON is refused",
    arguments: [
      "", " ", "nul", "nulll", "True", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1}",
      #"{"a"}"#,
      #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1]"#, #"{a:1}"#, #"{1:1}"#, #"{"a" 1}"#, #"{'a':1}"#,
      "1 2",
      "[] []", "\"", "\"a", #""\"#, #""\""#, #""\x""#, #""\u12""#, #""\u12G4""#, #""\U0041""#, "\"\n\"",
      "\"\t\"",
      "\"\0\"", "[1]\0", "\0", "// c\n1", "[1]//", "/**/1", "undefined", "\u{a0}1", "\u{b}1", "1\u{c}", "'a'",
      "tru\0",
      "\"a\\nb\nc\"",
    ])
  func refuses(_ input: String) {
    #expect(throws: WireError.self) { try JSONValue(parsing: input) }
    #expect(throws: WireError.self) { try JSONValue(parsing: Data(input.utf8)) }
  }

  @Test(
    "70 §2.3: lone surrogates in escapes are refused",
    arguments: [
      #"\ud800"#, #"\udc00"#, #"\udfff"#, #"\ud83cx"#, #"\ud83c\n"#, #"\ud83c\u0041"#, #"\ud83c\ud83c"#,
      #"\udfa8\ud83c"#,
      #"\ud83c\"#, #"\ud83c\u"#, #"\ud83c\udf"#,
    ])
  func refusesLoneSurrogates(_ escape: String) {
    #expect(throws: WireError.self) { try JSONValue(parsing: "\"\(escape)\"") }
    #expect(throws: WireError.self) { try JSONValue(parsing: "{\"\(escape)\":1}") }
  }

  @Test(
    "70 §2.3: invalid UTF-8 is refused wherever it stands",
    arguments: [
      [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x8E],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func refusesInvalidUTF8(_ bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: WireError.self) { try JSONValue(parsing: [quote] + bytes + [quote]) }
    #expect(throws: WireError.self) {
      try JSONValue(parsing: Array("\"0123456789abcdef".utf8) + bytes + [quote])
    }
    #expect(throws: WireError.self) { try JSONValue(parsing: Array("[1]".utf8) + bytes) }
    #expect(throws: WireError.self) { try JSONValue(parsing: bytes) }
  }

  @Test("70 §2.3: a leading byte-order mark is refused, and one inside a string is kept")
  func byteOrderMark() throws {
    #expect(throws: WireError.self) { try JSONValue(parsing: Data([0xEF, 0xBB, 0xBF] + Array("{}".utf8))) }
    #expect(throws: WireError.self) { try JSONValue(parsing: "\u{feff}{}") }
    #expect(throws: WireError.self) { try JSONValue(parsing: Data([0xFF, 0xFE, 0x31, 0x00])) }
    #expect(try JSONValue(parsing: "\"\u{feff}\"").stringValue == "\u{feff}")
  }

  @Test("70 §2.3: 512 levels are read and 513 are not", arguments: ["[", #"{"a":"#, #"[{"a":"#])
  func depth(_ opening: String) throws {
    func nested(_ levels: Int) -> String {
      let each = opening.filter { "[{".contains($0) }.count
      let open = String(repeating: opening, count: levels / each) + (levels % each == 1 ? "[" : "")
      let closing = open.reversed().compactMap { ["[": "]", "{": "}"][$0] }.joined()
      return open + "0" + closing
    }
    let deepest = nested(512)
    #expect(try JSONValue(parsing: deepest).text == deepest)
    #expect(
      throws: WireError(
        format: "json", reason: "more than 512 levels at byte \(nested(513).distance(of: 513))")
    ) {
      try JSONValue(parsing: nested(513))
    }
  }

  @Test("ten thousand levels, and a million openings, are refused at the limit")
  func refusesDeepInputEarly() {
    #expect(throws: WireError(format: "json", reason: "more than 512 levels at byte 512")) {
      try JSONValue(parsing: String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000))
    }
    #expect(throws: WireError(format: "json", reason: "more than 512 levels at byte 512")) {
      try JSONValue(parsing: String(repeating: "[", count: 1_000_000))
    }
  }

  @Test("the deepest value is read, written, hashed, compared and freed on a thread with a small stack")
  func smallStack() async throws {
    let text = String(repeating: #"{"a":["#, count: 256) + "1" + String(repeating: "]}", count: 256)
    // The stack of a secondary thread on Apple systems.
    let thread = { (body: @escaping @Sendable () -> Void) in
      let thread = Thread(block: body)
      thread.stackSize = 512 << 10
      return thread
    }
    let written = await withCheckedContinuation { continuation in
      thread {
        let value = try? JSONValue(parsing: text)
        let again = try? JSONValue(parsing: text + " ")
        let isSame = value == again && value?.hashValue == again?.hashValue
        let canonical = value.flatMap { try? CanonicalJSON.string($0) }
        continuation.resume(returning: isSame && canonical == text ? value?.text : nil)
      }.start()
    }
    #expect(written == text)
  }

  @Test("70 §2.3: objects keep their order, and of equal names the last wins")
  func duplicates() throws {
    let value = try JSONValue(parsing: #"{"z":1,"a":2,"z":3,"m":4,"a":5}"#)
    #expect(value.text == #"{"z":3,"a":5,"m":4}"#)
    #expect(value["z"]?.int == 3)
    // The same beyond the size at which an object gets a table.
    let members = (0..<400).map { #""name\#($0 % 200)":\#($0)"# }
    let twice = "{" + members.joined(separator: ",") + "}"
    let large = try #require(try JSONValue(parsing: twice).objectValue)
    #expect(large.keys == (0..<200).map { "name\($0)" })
    #expect(large["name7"]?.int == 207)
    #expect(large["name199"]?.int == 399)
  }

  @Test("names and strings that only look alike stay apart")
  func comparesCodePoints() throws {
    let value = try JSONValue(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
    #expect(value.objectValue?.count == 2)
    #expect(value["\u{e9}"]?.int == 1)
    #expect(value["e\u{301}"]?.int == 2)
    #expect(JSONValue.string("\u{e9}") != JSONValue.string("e\u{301}"))
    #expect(JSONValue.string("\u{e9}") == JSONValue.string("é".precomposedStringWithCanonicalMapping))
    let many = JSONObject(
      (0..<40).flatMap { [("\u{e9}\($0)", JSONValue($0)), ("e\u{301}\($0)", JSONValue(-$0))] })
    #expect(many.count == 80)
    #expect(many["\u{e9}39"]?.int == 39)
    #expect(many["e\u{301}39"]?.int == -39)
  }

  @Test("thousands of names that look alike and differ are read as fast as others")
  func namesThatLookAlike() throws {
    // The same accents over one letter, in every order: to the eye, and to String, all the same.
    var names = ["a"]
    for accent in ["\u{301}", "\u{323}", "\u{327}", "\u{345}", "\u{315}", "\u{31B}", "\u{35C}"]
      as [Unicode.Scalar]
    {
      names = names.flatMap { name in
        (1...name.unicodeScalars.count).map { place in
          var scalars = name.unicodeScalars
          scalars.insert(accent, at: scalars.index(scalars.startIndex, offsetBy: place))
          return String(scalars)
        }
      }
    }
    let text = "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
    let start = processorTime()
    let value = try JSONValue(parsing: text)
    #expect(processorTime() - start < 1)
    #expect(value.objectValue?.count == 5_040)
    #expect(value[names[4_321]]?.int == 4_321)
  }

  /// What this thread has used of a processor; what else runs on the machine does not count.
  private func processorTime() -> TimeInterval {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) * 1e-9
  }

  @Test("an error names the place and never the content")
  func errorsAreDiscreet() {
    for text in [#"{"token":"secret"#, #"["secret", secret]"#, "\"secret\\q\""] {
      do {
        _ = try JSONValue(parsing: text)
        Issue.record("accepted")
      } catch {
        #expect(error.format == "json")
        #expect(!error.description.contains("secret"))
      }
    }
  }

  @Test("a slice of data is read from its own first byte")
  func readsSlices() throws {
    let data = Data("xx[1,2]xx".utf8).dropFirst(2).dropLast(2)
    #expect(try JSONValue(parsing: data).text == "[1,2]")
  }
}

extension String {
  /// The byte offset of the n-th opening bracket.
  fileprivate func distance(of n: Int) -> Int {
    var seen = 0
    for (offset, byte) in utf8.enumerated() where "[{".utf8.contains(byte) {
      seen += 1
      if seen == n { return offset }
    }
    return utf8.count
  }
}

@Suite("Strings in JSON, at every distance from where they began")
struct JSONStringScanTests {
  @Test(
    "the end of a string, an escape and a control character are found wherever they stand", arguments: 0..<40)
  func offsets(_ count: Int) throws {
    for filler in ["a", "!", "#", "[", "]", "\u{7F}", "é", "€", "🙂"] {
      let plain = String(repeating: filler, count: count)
      #expect(try JSONValue(parsing: "\"\(plain)\"") == .string(plain))
      #expect(try JSONValue(parsing: "\"\(plain)\\n\(plain)\\\"\"") == .string("\(plain)\n\(plain)\""))
      for control in ["\u{0}", "\u{1F}", "\n"] {
        #expect(throws: WireError.self) { try JSONValue(parsing: "\"\(plain)\(control)\(plain)\"") }
        #expect(throws: WireError.self) { try JSONValue(parsing: "\"\\n\(plain)\(control)\(plain)\"") }
      }
      #expect(throws: WireError.self) { try JSONValue(parsing: "\"\(plain)") }
      #expect(throws: WireError.self) { try JSONValue(parsing: "\"\\n\(plain)") }
    }
  }
}
