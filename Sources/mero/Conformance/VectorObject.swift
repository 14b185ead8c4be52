import Foundation
import MeroWire

/// An object of a vector file that keeps count of what was read, so that a value nobody checks does not go unnoticed.
///
/// A missing key, a value of another type and hex in another spelling than lower case are thrown.
final class VectorObject {
  let path: String
  private let object: JSONObject
  private var unread: Set<String>

  init(_ value: JSONValue, path: String) throws(Mismatch) {
    guard let object = value.objectValue else { throw Mismatch("\(path) is not an object") }
    self.object = object
    self.path = path
    unread = Set(object.keys)
  }

  /// Throws when there is a key that nobody asked for.
  func finish() throws(Mismatch) {
    guard let stray = unread.sorted().first else { return }
    throw Mismatch("nobody knows the key \(stray) of \(path)")
  }

  var keys: [String] { object.keys }

  /// A remark for people; it may be anything, and be missing.
  func prose(_ keys: String...) {
    unread.subtract(keys)
  }

  func text(_ key: String) throws(Mismatch) -> String {
    try read(key, "a string") { $0.stringValue }
  }

  /// A string, or nil where the file says null.
  func textOrNull(_ key: String) throws(Mismatch) -> String? {
    try value(key).isNull ? nil : text(key)
  }

  func flag(_ key: String) throws(Mismatch) -> Bool {
    try read(key, "true or false") { $0.boolValue }
  }

  func number(_ key: String) throws(Mismatch) -> Int {
    try read(key, "a whole number") { $0.int }
  }

  /// A whole number, or nil where the file says null.
  func numberOrNull(_ key: String) throws(Mismatch) -> Int? {
    try value(key).isNull ? nil : number(key)
  }

  func numbers(_ key: String) throws(Mismatch) -> [Int] {
    try read(key, "an array of whole numbers") { $0.arrayValue.flatMap { all($0.map(\.int)) } }
  }

  func identifier(_ key: String) throws(Mismatch) -> UInt64 {
    try read(key, "a whole number") { $0.uint64 }
  }

  func bytes(_ key: String, count: Int? = nil) throws(Mismatch) -> [UInt8] {
    let bytes = try read(key, "lower-case hex") { $0.stringValue.flatMap(Self.bytes) }
    guard count == nil || bytes.count == count else {
      throw Mismatch("\(path).\(key) is not \(count ?? 0) bytes")
    }
    return bytes
  }

  func byteLists(_ key: String) throws(Mismatch) -> [[UInt8]] {
    try read(key, "an array of lower-case hex") { value in
      value.arrayValue.flatMap { all($0.map { $0.stringValue.flatMap(Self.bytes) }) }
    }
  }

  func base64(_ key: String) throws(Mismatch) -> [UInt8] {
    try read(key, "canonical base64") { value in
      guard let text = value.stringValue, let data = Data(base64Encoded: text),
        data.base64EncodedString() == text
      else { return nil }
      return [UInt8](data)
    }
  }

  func object(_ key: String) throws(Mismatch) -> VectorObject {
    try VectorObject(try read(key, "an object") { $0 }, path: "\(path).\(key)")
  }

  func objects(_ key: String) throws(Mismatch) -> [VectorObject] {
    let list = try read(key, "an array") { $0.arrayValue }
    var objects: [VectorObject] = []
    for (index, value) in list.enumerated() {
      objects.append(try VectorObject(value, path: "\(path).\(key)[\(index)]"))
    }
    return objects
  }

  /// A value of any kind, for whoever reads it to check.
  func value(_ key: String) throws(Mismatch) -> JSONValue {
    try read(key, "a value") { $0 }
  }

  /// A value of any kind; nil where the file says null or nothing.
  func valueIfThere(_ key: String) throws(Mismatch) -> JSONValue? {
    guard has(key) else { return .none }
    let value = try value(key)
    return value.isNull ? .none : value
  }

  func texts(_ key: String) throws(Mismatch) -> [String] {
    try read(key, "an array of strings") { $0.arrayValue.flatMap { all($0.map(\.stringValue)) } }
  }

  func has(_ key: String) -> Bool { object[key] != nil }

  private func read<Value>(
    _ key: String, _ kind: String, _ convert: (JSONValue) -> Value?
  ) throws(Mismatch) -> Value {
    guard let value = object[key] else { throw Mismatch("\(path).\(key) is missing") }
    unread.remove(key)
    guard let converted = convert(value) else { throw Mismatch("\(path).\(key) is not \(kind)") }
    return converted
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    guard let bytes = try? Hex.decode(text), Hex.encode(bytes) == text else { return nil }
    return bytes
  }
}

/// The elements, if none is missing.
private func all<Element>(_ elements: [Element?]) -> [Element]? {
  let present = elements.compactMap { $0 }
  return present.count == elements.count ? present : nil
}

func hexText(_ bytes: [UInt8]) -> String {
  Hex.encode(bytes)
}
