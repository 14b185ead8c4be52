import MeroWire

/// One step from a value of a file to one inside of it.
enum Step: Sendable {
  case key(String)
  case index(Int)

  var text: String {
    switch self {
    case .key(let key): key
    case .index(let index): "\(index)"
    }
  }
}

/// A value of a file that is no object and no array, and where it is.
struct Place: Sendable {
  let path: [Step]
  let value: JSONValue
}

/// What people wrote for people; everything else in the file is data.
func isProse(_ key: String) -> Bool {
  ["note", "description", "madeWith", "about"].contains(key)
}

func leaves(of value: JSONValue, _ path: [Step] = []) -> [Place] {
  switch value {
  case .object(let object):
    object.flatMap { key, value in isProse(key) ? [] : leaves(of: value, path + [.key(key)]) }
  case .array(let array):
    array.enumerated().flatMap { index, value in leaves(of: value, path + [.index(index)]) }
  default:
    [Place(path: path, value: value)]
  }
}

func objects(of value: JSONValue, _ path: [Step] = []) -> [[Step]] {
  switch value {
  case .object(let object):
    [path] + object.flatMap { key, value in objects(of: value, path + [.key(key)]) }
  case .array(let array):
    array.enumerated().flatMap { index, value in objects(of: value, path + [.index(index)]) }
  default: []
  }
}

/// The value with one character or digit changed: anywhere, in long texts in some places more; and in secrets also where
/// X25519 ignores bits.
func variations(of place: Place, _ number: Int) -> [JSONValue] {
  switch place.value {
  case .string(let text):
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return ["00"] }
    var places = (0...min(2, bytes.count / 40)).map { (number * 7919 + $0 * 104_729) % bytes.count }
    if place.path.last?.text.hasSuffix("Secret") == true { places += [1, bytes.count - 2] }
    return places.map { index in
      var changed = bytes
      changed[index] = other(than: bytes[index])
      return .string(String(decoding: changed, as: UTF8.self))
    }
  case .number(let number):
    var text = Array(number.text.utf8)
    text[text.count - 1] = text.last == UInt8(ascii: "9") ? UInt8(ascii: "8") : UInt8(ascii: "9")
    return [JSONNumber(String(decoding: text, as: UTF8.self)).map { .number($0) } ?? .null]
  case .bool(let flag): return [.bool(!flag)]
  case .null: return ["surprise"]
  default: return []
  }
}

/// Another hex digit for a hex digit, differing in one bit; another letter for a letter.
func other(than byte: UInt8) -> UInt8 {
  let digits = Array("0123456789abcdef".utf8)
  guard let value = digits.firstIndex(of: byte) else { return byte == UInt8(ascii: "x") ? 0x79 : 0x78 }
  return digits[value ^ 4]
}

/// A path leads nowhere.
struct NoSuchPlace: Error {}

func value(at path: ArraySlice<Step>, in whole: JSONValue) throws -> JSONValue {
  try path.reduce(whole) { part, step in
    switch step {
    case .key(let key): try part[key] ?? { throw NoSuchPlace() }()
    case .index(let index): try part[index] ?? { throw NoSuchPlace() }()
    }
  }
}

func replacing(_ value: JSONValue, _ path: ArraySlice<Step>, with new: JSONValue) throws -> JSONValue {
  guard let step = path.first else { return new }
  switch (step, value) {
  case (.key(let key), .object(var object)):
    guard let old = object[key] else { throw NoSuchPlace() }
    object[key] = try replacing(old, path.dropFirst(), with: new)
    return .object(object)
  case (.index(let index), .array(var array)):
    array[index] = try replacing(array[index], path.dropFirst(), with: new)
    return .array(array)
  default:
    throw NoSuchPlace()
  }
}
