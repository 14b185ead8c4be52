import Foundation
import Testing

@testable import MeroHTTP

@Suite("The event stream parser")
struct SSEParserTests {
  static func parse(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [ServerSentEvent] {
    var parser = SSEParser(maxEventBytes: limit)
    return try parser.feed(Data(bytes))
  }

  static func parse(_ text: String, limit: Int = 1 << 20) throws -> [ServerSentEvent] {
    try parse(Array(text.utf8), limit: limit)
  }

  struct Rule: Sendable, CustomTestStringConvertible {
    let says: String
    let stream: String
    let events: [ServerSentEvent]
    var testDescription: String { says }
    init(_ says: String, _ stream: String, _ events: [ServerSentEvent]) {
      (self.says, self.stream, self.events) = (says, stream, events)
    }
  }

  static let rules: [Rule] = [
    Rule("one data line", "data: hi\n\n", [.init(data: "hi")]),
    Rule("data lines are joined by a line feed", "data: a\ndata: b\ndata\n\n", [.init(data: "a\nb\n")]),
    Rule(
      "one space after the colon is dropped, no more", "data:a\n\ndata:  b\n\ndata:\tc\n\n",
      [.init(data: "a"), .init(data: " b"), .init(data: "\tc")]),
    Rule(
      "lines end with LF, CR or CRLF", "data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\ndata: e\n\r\n",
      [.init(data: "a"), .init(data: "b"), .init(data: "c"), .init(data: "d"), .init(data: "e")]),
    Rule(
      "LF and CR in this order are two line ends", "data: a\n\rdata: b\n\n",
      [.init(data: "a"), .init(data: "b")]),
    Rule(
      "a leading byte-order mark is dropped, a later one is not",
      "\u{FEFF}data: a\n\n\u{FEFF}data: b\n\ndata: c\n\n",
      [.init(data: "a"), .init(data: "c")]),
    Rule("only one byte-order mark is dropped", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", [.init(data: "b")]),
    Rule("comments are ignored", ": hello\n:\ndata: a\n: data: x\n\n:\n\n", [.init(data: "a")]),
    Rule(
      "unknown fields are ignored, names are exact",
      "Data: x\ndata : x\n data: x\nfoo: x\ndataa: x\nda: x\ndata: a\n\n",
      [.init(data: "a")]),
    Rule(
      "an event without data is dropped with its type", "event: a\n\nevent: b\nid: 7\n\ndata: c\n\n",
      [.init(id: "7", data: "c")]),
    Rule(
      "empty data is data", "data\n\ndata:\n\ndata: \n\n",
      [.init(data: ""), .init(data: ""), .init(data: "")]),
    Rule(
      "the type is the last one named, and an empty one is none",
      "event: a\nevent: b\ndata: 1\n\ndata: 2\n\nevent: a\nevent:\ndata: 3\n\n",
      [.init(event: "b", data: "1"), .init(data: "2"), .init(data: "3")]),
    Rule(
      "an id stays until another is named, and may be emptied",
      "data: 1\n\nid: a\ndata: 2\n\ndata: 3\n\nid\ndata: 4\n\n",
      [.init(data: "1"), .init(id: "a", data: "2"), .init(id: "a", data: "3"), .init(id: "", data: "4")]),
    Rule(
      "an id with a zero byte is ignored", "id: a\ndata: 1\n\nid: b\u{0}c\ndata: 2\n\n",
      [.init(id: "a", data: "1"), .init(id: "a", data: "2")]),
    Rule(
      "retry takes digits only",
      "retry: 3000\ndata: 1\n\nretry: 3s\nretry: -1\nretry: +1\nretry:\nretry: 1.5\ndata: 2\n\n",
      [.init(data: "1", retry: 3000), .init(data: "2")]),
    Rule(
      "retry too large for a number, or in other digits, is ignored",
      "retry: 99999999999999999999\nretry: ٣\ndata: 1\n\n", [.init(data: "1")]),
    Rule(
      "a colon in the value stays", "data: a: b:c\n\ndata::\n\n", [.init(data: "a: b:c"), .init(data: ":")]),
    Rule("an event that no blank line ends is not given", "data: a\n\ndata: b\n", [.init(data: "a")]),
    Rule("text of any script", "event: ключ\ndata: 日本🎌\n\n", [.init(event: "ключ", data: "日本🎌")]),
    Rule("nothing but line ends", "\n\r\r\n\n", []),
  ]

  @Test("the rules, one by one", arguments: rules)
  func rule(rule: Rule) throws {
    #expect(try Self.parse(rule.stream) == rule.events)
  }

  @Test("each rule holds wherever two cuts fall", arguments: rules)
  func cuts(rule: Rule) throws {
    let bytes = Array(rule.stream.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = SSEParser(maxEventBytes: 1 << 20)
        var events = try parser.feed(Data(bytes[..<first]))
        events += try parser.feed(Data(bytes[first..<second]))
        events += try parser.feed(Data(bytes[second...]))
        try #require(events == rule.events, "cut at \(first) and \(second)")
      }
    }
  }

  @Test("each rule holds when bytes come one at a time", arguments: rules)
  func oneByOne(rule: Rule) throws {
    var parser = SSEParser(maxEventBytes: 1 << 20)
    let events = try rule.stream.utf8.flatMap { try parser.feed(Data([$0])) }
    #expect(events == rule.events)
  }

  @Test("invalid UTF-8 becomes U+FFFD, wherever it is cut")
  func invalidUTF8() throws {
    // A lone continuation, an overlong form, a surrogate, a character cut by the line's end, and one cut by a field's.
    let bytes =
      Array("data: a".utf8) + [0x80] + Array("b".utf8) + [0xC0, 0xAF, 0xED, 0xA0, 0x80] + Array("c".utf8)
      + [0xE2, 0x82] + Array("\ndata: ".utf8) + [0xAC, 0xF0, 0x9F] + Array("\n\nid: ".utf8) + [0xFF]
      + Array("\nevent: ".utf8) + [0xFE] + Array("\ndata: x\n\n".utf8)
    let expected = [
      ServerSentEvent(
        data: "a\u{FFFD}b" + String(repeating: "\u{FFFD}", count: 5) + "c\u{FFFD}\n\u{FFFD}\u{FFFD}"),
      ServerSentEvent(id: "\u{FFFD}", event: "\u{FFFD}", data: "x"),
    ]
    #expect(try Self.parse(bytes) == expected)
    for cut in 0...bytes.count {
      var parser = SSEParser(maxEventBytes: 1 << 20)
      let events = try parser.feed(Data(bytes[..<cut])) + parser.feed(Data(bytes[cut...]))
      #expect(events == expected)
    }
  }

  @Test("random streams cut at random give what they give whole", arguments: 0..<20)
  func random(seed: UInt64) throws {
    var generator = SplitMix(state: seed)
    let pieces =
      [
        "data", "data:", "data: ", "event: e", "id: 1", "id: \u{0}", "retry: 5", ":", ": c", "x", " ", "\n",
        "\r", "\r\n",
        "\n\n", "\r\r", "\r\n\r\n", "\u{FEFF}", "é", "🎌", "0",
      ].map { Array($0.utf8) } + [[0xE2], [0x82, 0xAC], [0xFF], [0x00]]
    for _ in 0..<50 {
      let stream = (0..<200).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
      let whole = try Self.parse(stream)
      var parser = SSEParser(maxEventBytes: 1 << 20)
      var events: [ServerSentEvent] = []
      var start = 0
      while start < stream.count {
        let end = min(stream.count, start + Int.random(in: 0...7, using: &generator))
        events += try parser.feed(Data(stream[start..<end]))
        start = end
      }
      try #require(events == whole)
    }
  }

  @Test("a Data that is a slice of another is read from its own beginning")
  func slice() throws {
    var parser = SSEParser(maxEventBytes: 100)
    let data = Data("xxxxdata: a\n\nyyyy".utf8)
    let events = try parser.feed(data[4..<13])
    #expect(events == [ServerSentEvent(data: "a")])
  }

  @Test(
    "an event of exactly the limit passes and one of a byte more does not, however it is cut",
    arguments: [1, 7, 1000])
  func limit(chunk: Int) throws {
    func feed(_ text: String) throws -> [ServerSentEvent] {
      var parser = SSEParser(maxEventBytes: 20)
      let bytes = Array(text.utf8)
      return try stride(from: 0, to: bytes.count, by: chunk).flatMap { start in
        try parser.feed(Data(bytes[start..<min(start + chunk, bytes.count)]))
      }
    }
    let ten = String(repeating: "a", count: 10)
    #expect(try feed("\u{FEFF}data: \(ten)\(ten)\n\n").count == 1)
    #expect(try feed("data: \(ten)\ndata: \(ten.dropLast())\n\n").count == 1)
    #expect(try feed("event: \(ten)\ndata: \(ten)\n\n").count == 1)
    for _ in 0..<3 { #expect(try feed("data: \(ten)\n\ndata: \(ten)\n\ndata: \(ten)\n\n").count == 3) }
    let refused = [
      "data: \(ten)\(ten)a\n\n", "data: \(ten)\ndata: \(ten)\n\n", "event: \(ten)a\ndata: \(ten)\n\n",
      "id: \(ten)a\ndata: \(ten)\n\n", ": \(ten)\(ten)\(ten)\n", "data: \(ten)\(ten)\(ten)\(ten)",
    ]
    for text in refused {
      #expect { try feed(text) } throws: { ($0 as? TransportError)?.kind == .tooLarge }
    }
  }

  @Test("a line or an event without end is refused after little more than the limit, and from then on always")
  func endless() throws {
    for piece in [": comment without end ", "data: x\n", "event: y\n", "zzz"] {
      var parser = SSEParser(maxEventBytes: 10_000)
      let chunk = Data(String(repeating: piece, count: 10).utf8)
      var fed = 0
      // `event` replaces its value each time, but what was sent is counted.
      #expect(throws: TransportError.self) {
        while fed < 1_000_000 {
          _ = try parser.feed(chunk)
          fed += chunk.count
        }
      }
      #expect(fed < 100_000)
      #expect(throws: TransportError.self) { try parser.feed(Data("data: fine\n\n".utf8)) }
    }
  }

  @Test("events before a refused one are handed over")
  func beforeRefused() throws {
    var parser = SSEParser(maxEventBytes: 10)
    var seen: [String] = []
    #expect(throws: TransportError.self) {
      try parser.feed(Data("data: one\n\ndata: two\n\ndata: much too long\n\n".utf8)) { seen.append($0.data) }
    }
    #expect(seen == ["one", "two"])
  }

  @Test("finishing tells whether an event was left unfinished, and begins a new stream")
  func finish() throws {
    var parser = SSEParser(maxEventBytes: 100)
    let isEmpty = !parser.finish()
    #expect(isEmpty)
    _ = try parser.feed(Data("id: 1\ndata: a\n\ndata: b".utf8))
    let wasUnfinished = parser.finish()
    #expect(wasUnfinished)
    let events = try parser.feed(Data("\u{FEFF}data: c\n\n".utf8))
    #expect(events == [ServerSentEvent(data: "c")])
    let isUnfinished = parser.finish()
    #expect(!isUnfinished)
  }

  #if !DEBUG
    @Test("reads at least 100 MB/s of 200-byte events", arguments: ["\n", "\r\n", "\r"])
    func speed(lineEnd: String) throws {
      let event =
        "id: c1.13.0\(lineEnd)event: MessageSent\(lineEnd)data: " + String(repeating: "x", count: 160)
        + lineEnd + lineEnd
      let chunk = Data(String(repeating: event, count: 80).utf8)
      var parser = SSEParser(maxEventBytes: 1 << 20)
      var count = 0
      let start = MeroClock.system.uptime()
      for _ in 0..<2_000 { try parser.feed(chunk) { _ in count += 1 } }
      let rate = Double(chunk.count * 2_000) / (MeroClock.system.uptime() - start) / 1_000_000
      #expect(count == 160_000)
      #expect(rate > 100, "\(rate) MB/s")
      print("event stream: \(Int(rate)) MB/s")
    }
  #endif
}

/// A small seeded generator (SplitMix64).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
