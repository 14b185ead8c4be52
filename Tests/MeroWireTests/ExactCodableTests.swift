import Foundation
import MeroWire
import Testing

@Suite("Exact Codable")
struct ExactCodableTests {
  struct Everything: Codable, Hashable {
    enum Role: String, Codable { case admin, member }
    struct Inner: Codable, Hashable {
      var id: UInt64
      var next: [Inner]?
    }
    var small: Int8
    var big: Int64
    var huge: UInt64
    var money: Decimal
    var ratio: Double
    var single: Float
    var number: JSONNumber
    var free: JSONValue
    var object: JSONObject
    var flag: Bool
    var text: String
    var blob: Data
    var link: URL
    var when: Date
    var id: UUID
    var missing: String?
    var role: Role
    var list: [Inner]
    var byName: [String: UInt64]
    var byNumber: [Int: String]
    var pairs: [[Int64]]
  }

  static let everything = Everything(
    small: -128, big: .min, huge: .max, money: Decimal(string: "12345678901234567890.123456789012345678")!,
    ratio: 0.1, single: 0.1, number: JSONNumber("1.000")!, free: ["a": [1, nil, "x"]],
    object: ["z": 1, "a": 2], flag: true, text: "é\n\u{1}", blob: Data([0, 1, 255]),
    link: URL(string: "https://example.org/a?b=c")!,
    when: Date(timeIntervalSinceReferenceDate: 700_000_000.25),
    id: UUID(uuidString: "01234567-89AB-CDEF-0123-456789ABCDEF")!, missing: nil, role: .member,
    list: [.init(id: 9_007_199_254_740_993, next: [.init(id: 1, next: nil)])], byName: ["b": 2, "a": .max],
    byNumber: [7: "seven"], pairs: [[1, 2], [], [.max]])

  @Test("a value of many kinds comes back as it was")
  func roundTrip() throws {
    let value = try JSONValue(encoding: Self.everything)
    #expect(try value.decode(Everything.self) == Self.everything)
    let data = try ExactJSON.encode(Self.everything)
    #expect(try ExactJSON.decode(Everything.self, from: data) == Self.everything)
    #expect(value["huge"]?.numberValue?.text == "18446744073709551615")
    #expect(value["money"]?.numberValue?.text == "12345678901234567890.123456789012345678")
    #expect(value["number"]?.numberValue?.text == "1.000")
    #expect(value["single"]?.numberValue?.text == "0.1")
    #expect(value["blob"] == "AAH/")
    #expect(value["link"] == "https://example.org/a?b=c")
    #expect(value["missing"] == nil)
    #expect(value["object"]?.text == #"{"z":1,"a":2}"#)
  }

  @Test("Foundation's own decoder reads what ours wrote")
  func agreesWithFoundation() throws {
    struct Plain: Codable, Hashable {
      var a: Int
      var b: [String: Double]
      var c: [Bool?]
    }
    let plain = Plain(a: -3, b: ["x": 1.5, "y": -2e30], c: [true, nil, false])
    #expect(try JSONDecoder().decode(Plain.self, from: ExactJSON.encode(plain)) == plain)
    #expect(try ExactJSON.decode(Plain.self, from: JSONEncoder().encode(plain)) == plain)
  }

  private func refusal<T: Decodable>(_ type: T.Type, _ json: String) -> WireError? {
    do {
      _ = try JSONValue(parsing: json).decode(type)
      return nil
    } catch {
      return error as? WireError
    }
  }

  @Test("70 §2.3: a fraction or an overflow in an integer property is refused with its path")
  func integerRefusals() throws {
    struct Page: Decodable {
      struct Item: Decodable { var at: Int64 }
      var items: [Item]
    }
    #expect(refusal(Page.self, #"{"items":[{"at":1},{"at":1.5}]}"#)?.path == "items[1].at")
    #expect(refusal(Page.self, #"{"items":[{"at":9223372036854775808}]}"#)?.path == "items[0].at")
    #expect(refusal(Page.self, #"{"items":[{"at":"1"}]}"#)?.reason == "expected an integer, found a string")
    #expect(refusal(UInt8.self, "256")?.path == nil)
    #expect(refusal(UInt8.self, "-1") != nil)
    #expect(refusal(Int.self, "1e400") != nil)
    #expect(try JSONValue(parsing: "[1.0,1e2,-0]").decode([Int].self) == [1, 100, 0])
  }

  @Test("70 §2.3: a double property refuses an integer that would change, unless losses are allowed")
  func lossyDoubles() throws {
    for text in [
      "9007199254740993", "18446744073709551615", "9007199254740993.0", "-9007199254740993",
      "123456789012345678901",
    ] {
      let value = try JSONValue(parsing: "[\(text)]")
      #expect(refusal([Double].self, "[\(text)]")?.path == "[0]")
      #expect(try value.decode([Double].self, lossyDoubles: true) == [Double(text)])
      #expect(try ExactJSON.decode([Double].self, from: value.data(), lossyDoubles: true) == [Double(text)])
    }
    for text in [
      "9007199254740991", "9007199254740992", "1e300", "1e22", "18446744073709551616", "0.1", "1e-400", "-0",
    ] {
      #expect(try JSONValue(parsing: text).decode(Double.self) == Double(text))
    }
    #expect(refusal(Float.self, "16777217") != nil)
    #expect(try JSONValue(parsing: "16777216").decode(Float.self) == 16_777_216)
    #expect(refusal(Double.self, "1e400")?.reason == "the number is too large for Double")
    #expect(throws: WireError.self) {
      try JSONValue(parsing: "1e400").decode(Double.self, lossyDoubles: true)
    }
  }

  @Test("every finite double comes back through its own encoding")
  func doublesRoundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      #expect(try JSONValue(encoding: value).decode(Double.self).bitPattern == value.bitPattern)
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      guard single.isFinite else { continue }
      #expect(try JSONValue(encoding: single).decode(Float.self).bitPattern == single.bitPattern)
    }
  }

  @Test("missing, null and mistaken values are refused with their path")
  func refusals() throws {
    struct Member: Decodable {
      var name: String
      var tags: [String: [Bool]]
    }
    #expect(
      refusal(Member.self, #"{"tags":{}}"#)
        == WireError(format: "json", reason: "a value is missing", path: "name"))
    #expect(refusal(Member.self, #"{"name":null,"tags":{}}"#)?.path == "name")
    #expect(refusal(Member.self, #"{"name":"a","tags":[]}"#)?.path == "tags")
    #expect(refusal(Member.self, #"{"name":"a","tags":{"x":[true,0]}}"#)?.path == "tags.x[1]")
    #expect(refusal(Member.self, "[]")?.path == nil)
    #expect(refusal([String: Decimal].self, #"{"a":1e400}"#)?.path == "a")
    #expect(refusal([Data].self, #"["AA"]"#)?.path == "[0]")
    #expect(refusal([Data].self, "[1]") != nil)
    #expect(refusal([URL].self, #"[""]"#)?.path == "[0]")
    #expect(refusal([JSONNumber].self, #"["1"]"#)?.path == "[0]")
    #expect(refusal([JSONObject].self, "[[]]")?.path == "[0]")
    #expect(refusal((String).self, "5")?.description == "json: expected a string, found a number")
  }

  @Test("an enumeration that lacks a word is refused without repeating the word")
  func unknownWordIsNotRepeated() throws {
    enum Role: String, Decodable { case admin }
    let error = try #require(refusal([String: Role].self, #"{"role":"s3cret"}"#))
    #expect(error.path == "role")
    #expect(!error.description.contains("s3cret"))
  }

  @Test("a WireError from inside an initialiser is given the path it happened at")
  func innerWireError() throws {
    struct Key: Decodable {
      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        _ = try Hex.decode(text, count: 2, field: "key")
      }
    }
    #expect(
      refusal([String: [Key]].self, #"{"keys":["0102","01"]}"#)
        == WireError(format: "hex", reason: "key must be 4 hex characters, got 2", path: "keys[1]"))
  }

  @Test("a number that is not finite cannot be encoded, and is refused with its path")
  func encodingRefusals() throws {
    for value in [Double.nan, .infinity] {
      do {
        _ = try JSONValue(encoding: ["a": [1, value]])
        Issue.record("encoded")
      } catch {
        #expect((error as? WireError)?.path == "a[1]")
      }
    }
    #expect(throws: WireError.self) { try JSONValue(encoding: [Decimal.nan]) }
  }

  final class Chain: Codable {
    var next: Chain?
    init(next: Chain?) { self.next = next }
  }

  @Test("encoding stops at 512 levels, even of a value that contains itself")
  func encodingDepth() throws {
    func chain(_ length: Int) -> Chain {
      (1..<length).reduce(Chain(next: nil)) { chain, _ in Chain(next: chain) }
    }
    let deepest = try JSONValue(encoding: chain(512))
    #expect(try JSONValue(parsing: deepest.data()) == deepest)
    #expect(throws: WireError.self) { try JSONValue(encoding: chain(513)) }
    let endless = Chain(next: nil)
    endless.next = endless
    #expect(throws: WireError.self) { try JSONValue(encoding: endless) }
    endless.next = nil
  }

  class Base: Codable {
    var id: Int
    init(id: Int) { self.id = id }
  }
  final class Derived: Base {
    enum CodingKeys: String, CodingKey { case name, list, nested, one }
    enum Inner: String, CodingKey { case x }
    var name = "n"
    var values: [Int] = []
    override init(id: Int) { super.init(id: id) }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      while !list.isAtEnd {
        if try list.decodeNil() { continue }
        var inner = try list.nestedUnkeyedContainer()
        values.append(try inner.decode(Int.self))
        let keyed = try list.nestedContainer(keyedBy: Inner.self)
        values.append(try keyed.decode(Int.self, forKey: .x))
        values.append(try Int(from: list.superDecoder()))
      }
      values.append(
        try container.nestedContainer(keyedBy: Inner.self, forKey: .nested).decode(Int.self, forKey: .x))
      values.append(try Int(from: container.superDecoder(forKey: .one)))
      #expect(container.contains(.one) && container.allKeys.count == 4)
      #expect(throws: DecodingError.self) { try list.decode(Int.self) }
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      var late = container.nestedContainer(keyedBy: Inner.self, forKey: .nested)
      try container.encode(name, forKey: .name)
      try list.encodeNil()
      var first = list.nestedUnkeyedContainer()
      var second = list.nestedContainer(keyedBy: Inner.self)
      try 3.encode(to: list.superEncoder())
      try second.encode(2, forKey: .x)
      try first.encode(1)
      try late.encode(4, forKey: .x)
      try 5.encode(to: container.superEncoder(forKey: .one))
      try super.encode(to: container.superEncoder())
    }
  }

  @Test("nested containers may be filled in any order, and superclasses keep their own")
  func nestedContainers() throws {
    let value = try JSONValue(encoding: Derived(id: 6))
    #expect(
      value.text == #"{"list":[null,[1],{"x":2},3],"nested":{"x":4},"name":"n","one":5,"super":{"id":6}}"#)
    let back = try value.decode(Derived.self)
    #expect(back.values == [1, 2, 3, 4, 5])
    #expect(back.id == 6)
  }

  @Test("optionals at the top, and JSON values, pass through unchanged")
  func passThrough() throws {
    #expect(try JSONValue(encoding: Int?.none) == nil)
    #expect(try JSONValue.null.decode(Int?.self) == nil)
    #expect(try JSONValue(5).decode(Int?.self) == 5)
    let value = try JSONValue(parsing: #"{"a":[1.0,{"b":null}]}"#)
    #expect(try JSONValue(encoding: value).text == value.text)
    #expect(try value.decode(JSONValue.self).text == value.text)
    #expect(try value.decode([String: JSONValue].self)["a"] == value["a"])
    #expect(try JSONValue.null.decode(JSONValue.self) == .null)
    struct Empty: Codable {}
    #expect(try JSONValue(encoding: Empty()).text == "{}")
    #expect(try JSONValue(encoding: [Empty()]).text == "[{}]")
  }

  @Test("the work of decoding and encoding grows with the size alone")
  func isLinear() throws {
    // A quadratic coder would need 10¹⁰ steps for these, and not end within the time limit of any test run.
    let count = 100_000
    let wide = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", $0) })
    #expect(try ExactJSON.decode([String: Int].self, from: ExactJSON.encode(wide)) == wide)
    let long = Array(0..<count)
    #expect(try ExactJSON.decode([Int].self, from: ExactJSON.encode(long)) == long)
  }
}
