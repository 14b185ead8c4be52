import Foundation
import MeroWire
import Testing

@Suite("JSON values")
struct JSONValueTests {
  @Test("literals of every kind make a value")
  func literals() throws {
    let value: JSONValue = [
      "title": "Hello", "stars": 5, "ratio": 0.5, "draft": false, "none": nil, "tags": ["a", 1, nil],
      "inner": [:],
    ]
    #expect(
      value.text
        == #"{"title":"Hello","stars":5,"ratio":0.5,"draft":false,"none":null,"tags":["a",1,null],"inner":{}}"#
    )
    let name = "ann"
    #expect("hello \(name)" as JSONValue == .string("hello ann"))
    #expect(JSONValue(UInt64.max).text == "18446744073709551615")
    #expect(["a": 1, "a": 2] as JSONValue == ["a": 2])
  }

  @Test("accessors answer only for their own kind")
  func accessors() throws {
    let value = try JSONValue(parsing: #"{"n":null,"b":true,"i":12,"f":1.5,"s":"x","a":[1],"o":{"k":1}}"#)
    #expect(value["n"]?.isNull == true)
    #expect(value["b"]?.boolValue == true)
    #expect(value["i"]?.int64 == 12)
    #expect(value["i"]?.uint64 == 12)
    #expect(value["f"]?.int == nil)
    #expect(value["f"]?.double == 1.5)
    #expect(value["f"]?.decimal == Decimal(string: "1.5"))
    #expect(value["i"]?.numberValue?.text == "12")
    #expect(value["s"]?.stringValue == "x")
    #expect(value["a"]?[0]?.int == 1)
    #expect(value["a"]?[1] == nil)
    #expect(value["a"]?[-1] == nil)
    #expect(value["a"]?.arrayValue?.count == 1)
    #expect(value["o"]?["k"]?.int == 1)
    #expect(value["o"]?.objectValue?.count == 1)
    #expect(value["missing"] == nil)
    #expect(value["s"]?["k"] == nil)
    #expect(value["s"]?[0] == nil)
    for (name, member) in try #require(value.objectValue) {
      #expect((member.boolValue != nil) == (name == "b"))
      #expect((member.stringValue != nil) == (name == "s"))
      #expect((member.numberValue != nil) == ["i", "f"].contains(name))
      #expect((member.double != nil) == ["i", "f"].contains(name))
      #expect((member.arrayValue != nil) == (name == "a"))
      #expect((member.objectValue != nil) == (name == "o"))
      #expect(member.isNull == (name == "n"))
    }
  }

  @Test("objects are equal in any order, arrays only in the same")
  func equality() throws {
    let one = try JSONValue(parsing: #"{"a":1.0,"b":[1,2],"c":{"x":null,"y":"z"}}"#)
    let other = try JSONValue(parsing: #"{"c":{"y":"z","x":null},"b":[1e0,2],"a":1}"#)
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(try one != JSONValue(parsing: #"{"c":{"y":"z","x":null},"b":[2,1],"a":1}"#))
    #expect(try one != JSONValue(parsing: #"{"a":1.0,"b":[1,2]}"#))
    #expect(JSONValue.null != false)
    #expect(JSONValue.string("1") != 1)
    #expect(([] as JSONValue) != [:])
  }

  @Test("an object keeps order through changes, small and large", arguments: [5, 16, 17, 100])
  func objectChanges(_ size: Int) {
    var object = JSONObject()
    for index in 0..<size { object["k\(index)"] = JSONValue(index) }
    #expect(object.keys == (0..<size).map { "k\($0)" })
    object["k2"] = "new"
    #expect(object.keys == (0..<size).map { "k\($0)" })
    #expect(object.removeValue(forKey: "k1") == 1)
    #expect(object.removeValue(forKey: "k1") == nil)
    object["k0"] = nil
    #expect(object.count == size - 2)
    #expect(object.keys.first == "k2")
    for index in 3..<size { #expect(object["k\(index)"] == JSONValue(index)) }
    object["k1"] = "again"
    #expect(object.keys.last == "k1")
    #expect(object.values.first == "new")
    #expect(object.map(\.key) == object.keys)
    #expect(JSONObject(object.map { ($0.key, $0.value) }) == object)
    #expect(!object.isEmpty && JSONObject().isEmpty)
  }

  @Test("a value survives other coders, as far as their numbers reach")
  func foreignCoders() throws {
    let value = try JSONValue(
      parsing: #"{"a":[1,-2,18446744073709551615,1.5,null,true,"x"],"o":{"k":{}},"max":-9223372036854775808}"#
    )
    let data = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    #expect(try JSONDecoder().decode(JSONObject.self, from: data) == value.objectValue)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONObject.self, from: Data("[1]".utf8)) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([JSONNumber("1e400")]) }
  }
}
