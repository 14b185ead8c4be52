import Foundation
import MeroWire

/// The fields of a request's body, read with the refusals the node's checks give: 400, naming the field (20 §4.1).
struct NodeFields: Sendable {
  let object: JSONObject

  init(_ object: JSONObject = [:]) {
    self.object = object
  }

  /// A field that is there and not null.
  subscript(name: String) -> JSONValue? {
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  func required(_ name: String) throws(NodeRefusal) -> JSONValue {
    guard let value = object[name] else { throw .invalid(name, "is missing") }
    return value
  }

  /// A text of so many characters.
  func string(_ name: String, _ length: ClosedRange<Int> = 0...65_536) throws(NodeRefusal) -> String {
    guard let text = try optionalString(name, length) else { throw .invalid(name, "is missing") }
    return text
  }

  func optionalString(
    _ name: String, _ length: ClosedRange<Int> = 0...65_536
  ) throws(NodeRefusal) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.stringValue else { throw .invalid(name, "must be a string") }
    guard length.contains(text.count) else {
      throw .invalid(
        name,
        text.isEmpty
          ? "must not be empty" : "must have \(length.lowerBound) to \(length.upperBound) characters")
    }
    return text
  }

  /// 32 bytes in hex, answered in lower case.
  func id(_ name: String) throws(NodeRefusal) -> String {
    guard let id = try optionalId(name) else { throw .invalid(name, "is missing") }
    return id
  }

  func optionalId(_ name: String) throws(NodeRefusal) -> String? {
    guard let value = self[name] else { return nil }
    guard let id = value.stringValue.flatMap(NodeId.read) else {
      throw .invalid(name, "must be 64 hex characters")
    }
    return id
  }

  func optionalBool(_ name: String) throws(NodeRefusal) -> Bool? {
    guard let value = self[name] else { return nil }
    guard let bool = value.boolValue else { throw .invalid(name, "must be true or false") }
    return bool
  }

  func bool(_ name: String) throws(NodeRefusal) -> Bool {
    guard let bool = try optionalBool(name) else { throw .invalid(name, "is missing") }
    return bool
  }

  func optionalInteger<T: FixedWidthInteger>(_ name: String, _ type: T.Type = T.self) throws(NodeRefusal)
    -> T?
  {
    guard let value = self[name] else { return nil }
    guard let number = value.numberValue?.integer(T.self) else {
      throw .invalid(name, "must be an integer from \(T.min) to \(T.max)")
    }
    return number
  }

  func integer<T: FixedWidthInteger>(_ name: String, _ type: T.Type = T.self) throws(NodeRefusal) -> T {
    guard let number = try optionalInteger(name, type) else { throw .invalid(name, "is missing") }
    return number
  }

  /// A list of byte values.
  func bytes(_ name: String) throws(NodeRefusal) -> [UInt8] {
    guard let bytes = try required(name).byteArray else {
      throw .invalid(name, "must be an array of byte values")
    }
    return bytes
  }

  func strings(_ name: String) throws(NodeRefusal) -> [String]? {
    guard let value = self[name] else { return nil }
    guard let list = value.arrayValue?.map(\.stringValue), !list.contains(nil) else {
      throw .invalid(name, "must be an array of strings")
    }
    return list.compactMap { $0 }
  }
}

extension JSONValue {
  /// The bytes of an array of numbers from 0 to 255; nil for anything else.
  var byteArray: [UInt8]? {
    guard let list = arrayValue else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(list.count)
    for item in list {
      guard let byte = item.numberValue?.integer(UInt8.self) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Bytes as an array of numbers.
  static func byteArray(_ bytes: some Sequence<UInt8>) -> JSONValue {
    .array(bytes.map { JSONValue($0) })
  }
}

/// Ids as the node writes them: 32 bytes in 64 lower-case hex digits.
enum NodeId {
  /// An id as it is kept, or nil for any other text.
  static func read(_ text: String) -> String? {
    let isId = text.utf8.count == 64 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    return isId ? text.lowercased() : nil
  }
}
