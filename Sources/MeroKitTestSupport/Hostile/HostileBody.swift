import Foundation
import MeroWire

/// Bodies with something wrong with them: cut, flipped, with values of other kinds, nested too deep, or no JSON at all.
package enum HostileBody {
  /// How many kinds of change there are.
  package static let kinds: UInt64 = 8

  /// The body with something about it changed, the same for the same seed. Every kind of change comes up, in turn; one that
  /// finds nothing to change gives way to the next.
  package static func variant(of body: Data, seed: UInt64) -> Data {
    let random = SeededRandom(seed: seed)
    for kind in seed..<seed + kinds {
      let changed = changed(body, kind % kinds, random)
      if !isSame(changed, body) { return changed }
    }
    return body
  }

  /// Whether two bodies say the same, however their JSON is written.
  package static func isSame(_ one: Data, _ other: Data) -> Bool {
    if one == other { return true }
    guard let json = try? JSONValue(parsing: one) else { return false }
    return json == (try? JSONValue(parsing: other))
  }

  private static func changed(_ body: Data, _ kind: UInt64, _ random: SeededRandom) -> Data {
    var changed = body
    switch kind {
    case 0: changed = body.prefix(random.below(body.count + 1))
    case 1:
      for _ in 0..<3 where !changed.isEmpty {
        changed[changed.startIndex + random.below(changed.count)] = UInt8(random.below(256))
      }
    case 2: changed = edited(body, random) { _ in strange[random.below(strange.count)] }
    case 3: changed = edited(body, random) { shortened($0, random) }
    case 4: changed = edited(body, random) { _ in number(random) }
    case 5:
      let depth = [400, 600, 20_000][random.below(3)]
      changed = Data(
        (String(repeating: #"{"data":["#, count: depth) + String(repeating: "]}", count: depth)).utf8)
    case 6:
      let texts = ["", "null", "[]", "{}", #""\ud800""#, "\u{FEFF}{}", #"{"data":{"data":{}}}"#, "<html>"]
      changed = Data(texts[random.below(texts.count)].utf8)
    default: changed = Data(random.bytes(64))
    }
    return changed
  }

  /// The body with one value in it replaced.
  private static func edited(
    _ body: Data, _ random: SeededRandom, _ edit: (JSONValue) -> JSONValue
  ) -> Data {
    guard let json = try? JSONValue(parsing: body) else { return body }
    return edited(json, random, edit).data()
  }

  private static func edited(
    _ value: JSONValue, _ random: SeededRandom, _ edit: (JSONValue) -> JSONValue
  ) -> JSONValue {
    // Walks down until it decides to stop, or can go no further.
    switch value {
    case .array(var elements) where !elements.isEmpty && random.below(4) > 0:
      let at = random.below(elements.count)
      elements[at] = edited(elements[at], random, edit)
      return .array(elements)
    case .object(var object) where !object.isEmpty && random.below(4) > 0:
      let name = object.keys[random.below(object.count)]
      object[name] = edited(object[name] ?? .null, random, edit)
      return .object(object)
    default: return edit(value)
    }
  }

  private static let strange: [JSONValue] = [
    .null, true, 0, -1, "", "x", [], [:], [[]], ["data": nil], ["data": [:]],
    .string(String(repeating: "é", count: 9999)),
  ]

  private static func shortened(_ value: JSONValue, _ random: SeededRandom) -> JSONValue {
    switch value {
    case .object(var object):
      guard !object.isEmpty else { return .null }
      object.removeValue(forKey: object.keys[random.below(object.count)])
      return .object(object)
    case .array(let elements): return .array(Array(elements.dropLast()))
    case .string(let text): return .string(String(text.dropLast()))
    default: return .null
    }
  }

  private static func number(_ random: SeededRandom) -> JSONValue {
    let texts = [
      "1e400", "-1", "1.5", "340282366920938463463374607431768211456", "1E+2", "-0", "18446744073709551616",
      "9223372036854775807", "18446744073709551615",
    ]
    return JSONNumber(texts[random.below(texts.count)]).map(JSONValue.number) ?? .null
  }
}

extension SeededRandom {
  /// A whole number from 0 to `limit` − 1.
  package func below(_ limit: Int) -> Int { Int(word() % UInt64(limit)) }
}
