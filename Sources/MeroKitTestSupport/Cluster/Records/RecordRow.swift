import Foundation
import MeroWire

/// A record as it was read from the disk. Every getter throws ``Damage`` for what is not there or is of another kind.
struct RecordRow {
  /// What is wrong with a kept record.
  struct Damage: Error, CustomStringConvertible {
    let table: String
    let id: String
    let field: String

    var description: String { "\(field) of \(id) in \(table) cannot be read" }
  }

  let table: String
  let id: String
  let fields: JSONObject
  /// The record's lists: their elements by place.
  var lists: [String: [Int: Data]] = [:]

  func optional(_ name: String) -> JSONValue? { fields[name] }

  func json(_ name: String) throws -> JSONValue {
    guard let value = fields[name] else { throw damage(name) }
    return value
  }

  func string(_ name: String) throws -> String { try take(name) { $0.stringValue } }
  func integer(_ name: String) throws -> Int64 { try take(name) { $0.int64 } }
  func limit(_ name: String) throws -> UInt64 { try take(name) { $0.uint64 } }

  /// A moment in milliseconds. Spans are added to it, so one that only a damaged file has is refused.
  func time(_ name: String) throws -> Int64 {
    try take(name) { $0.int64.flatMap { $0.magnitude < Self.tooFar ? $0 : nil } }
  }

  /// A number that is counted on from, with the same limit.
  func count(_ name: String) throws -> UInt64 {
    try take(name) { $0.uint64.flatMap { $0 < Self.tooFar ? $0 : nil } }
  }

  private static let tooFar: UInt64 = 1 << 53

  func bool(_ name: String) throws -> Bool { try take(name) { $0.boolValue } }

  func bytes(_ name: String) throws -> [UInt8] {
    try take(name) { $0.stringValue.flatMap { try? Base64URL.decode($0) } }
  }

  func strings(_ name: String) throws -> [String] {
    try take(name) { value in
      guard let items = value.arrayValue else { return nil }
      let texts = items.compactMap(\.stringValue)
      return texts.count == items.count ? texts : nil
    }
  }

  func word<Word: RawRepresentable>(_ name: String) throws -> Word where Word.RawValue == String {
    try take(name) { $0.stringValue.flatMap(Word.init(rawValue:)) }
  }

  /// The members of an object, each an object itself.
  func rows(_ name: String) throws -> [RecordRow] {
    guard let object = try json(name).objectValue else { throw damage(name) }
    return try object.map { key, value in
      guard let fields = value.objectValue else { throw damage("\(name).\(key)") }
      return RecordRow(table: table, id: key, fields: fields)
    }
  }

  /// The record that a field names.
  func record<Kept>(_ name: String, in records: Table<Kept>) throws -> Kept {
    guard let found = records[try string(name)] else { throw damage(name) }
    return found
  }

  func damage(_ field: String) -> Damage { Damage(table: table, id: id, field: field) }

  private func take<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws -> Value {
    guard let value = fields[name], let found = read(value) else { throw damage(name) }
    return found
  }
}
