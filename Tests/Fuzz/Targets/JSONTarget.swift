import Foundation
import MeroKitTestSupport
import MeroWire

extension FuzzTarget {
  static let json = FuzzTarget(name: "json", dictionary: "json") {
    let platform = TestPlatform()
    let texts = [
      #"{"a":[1,-0.5e+10,1E400,12345678901234567890,true,false,null],"é":"\u00e9\ud83d\ude00\n","a":{}}"#,
      platform.tcbInfo.text, "[" + (0..<8_000).map { "\($0)" }.joined(separator: ",") + "]",
      "{" + (0..<4_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}",
      "{\"a\":[" + (0..<8_000).map { "\($0).5" }.joined(separator: ",") + "],\"version\":1}",
      namesThatLookAlike(2_000), String(repeating: "9", count: 60_000),
      "1e" + String(repeating: "9", count: 60_000), "0." + String(repeating: "3", count: 60_000),
      "\"" + String(repeating: #"\u00e9"#, count: 10_000) + "\"",
      String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
    ]
    return texts.map { Array($0.utf8) } + [
      filled(with: Array("[{\"\":".utf8)), filled(with: Array("[".utf8)),
    ]
  } check: { bytes in
    guard let value = unlessRefused(WireError.self, { try JSONValue(parsing: bytes) }) else { return }
    let text = value.text
    let again = try JSONValue(parsing: text)
    hold(again == value, "what is written is what was read")
    hold(again.hashValue == value.hashValue, "equal values hash alike")
    hold(again.text == text, "writing again gives the same text")
    hold(text.utf8.count <= bytes.count * 6, "a text does not grow beyond its escapes")
    requireExact(value)
    if let canonical = unlessRefused(WireError.self, { try CanonicalJSON.string(value) }) {
      let read = try JSONValue(parsing: canonical)
      hold(read == value, "the canonical text is the same value")
      hold(try CanonicalJSON.string(read) == canonical, "the canonical text is its own canonical text")
    }
    let decoded = unlessRefused(WireError.self) { try value.decode(Sample.self) }
    if let decoded { _ = try JSONValue(encoding: decoded) }
  }

  /// Something with a property of each kind, to decode.
  private struct Sample: Codable {
    var a: [Double]?
    var b: Int64?
    var c: Decimal?
    var d: [String: JSONValue]?
    var e: Data?
    var f: URL?
    var id: String?
    var version: UInt16?
  }

  /// Numbers keep their value in whatever type takes them.
  private static func requireExact(_ value: JSONValue) {
    var pending = [value]
    while let next = pending.popLast() {
      switch next {
      case .array(let elements): pending += elements
      case .object(let object):
        pending += object.values
        hold(object.count == Set(object.keys.map { Array($0.utf8) }).count, "a name is there once")
      case .number(let number):
        if let integer = number.int64 { hold(JSONNumber(integer) == number, "\(integer) is the number") }
        if let integer = number.uint64 { hold(JSONNumber(integer) == number, "\(integer) is the number") }
        if let decimal = number.decimal {
          hold((try? JSONNumber(decimal)) == number, "\(decimal) is the number")
        }
        if number.int64 != nil { hold(number.isExactInteger, "an integer is one") }
      default: break
      }
    }
  }

  /// An object whose names are all different texts and all look alike: accents in another order each.
  private static func namesThatLookAlike(_ count: Int) -> String {
    let accents: [Unicode.Scalar] = [
      "\u{301}", "\u{323}", "\u{327}", "\u{345}", "\u{315}", "\u{31B}", "\u{35C}",
    ]
    var members: [String] = []
    func permute(_ chosen: [Unicode.Scalar], _ rest: [Unicode.Scalar]) {
      if members.count == count { return }
      if rest.isEmpty { members.append("\"a\(String(String.UnicodeScalarView(chosen)))\":0") }
      for index in rest.indices {
        var rest = rest
        permute(chosen + [rest.remove(at: index)], rest)
      }
    }
    permute([], accents)
    return "{" + members.joined(separator: ",") + "}"
  }
}
