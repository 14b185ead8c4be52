import Foundation
import MeroWire

/// One schema of the API document, compiled: what a JSON value must look like.
///
/// Covers what the document uses (70 §2.23): objects of named properties, arrays, strings, integers with their
/// formats, numbers, booleans and free values. Objects are closed, since a node refuses fields it does not know and
/// the fake must not answer with fields the document lacks.
indirect enum Schema: Sendable {
  case any
  case boolean
  case number
  case integer(IntegerRule)
  case string(StringRule)
  case array(of: Schema, least: Int?, most: Int?)
  case object(ObjectRule)
  /// A named schema, by its place in ``SchemaSet``.
  case reference(Int)

  struct IntegerRule: Sendable {
    enum Width: Sendable { case int32, int64, uint64 }
    let width: Width
    let least: Int64?
    let most: Int64?
  }

  struct StringRule: Sendable {
    let least: Int?
    let most: Int?
    let pattern: TextPattern?
    let words: Set<String>?
  }

  struct ObjectRule: Sendable {
    struct Property: Sendable {
      let schema: Schema
      let isRequired: Bool
    }
    let properties: [String: Property]
    let requiredCount: Int
  }
}

/// How a value differs from its schema.
struct SchemaMismatch: Error, Sendable, Hashable {
  /// Where, as in `credential.response.signature`; empty for the value itself.
  var path: String
  let reason: String
  /// The value has the right shape but is outside its bounds.
  let isBounds: Bool

  fileprivate func under(_ name: String) -> SchemaMismatch {
    let joined = path.isEmpty ? name : path.hasPrefix("[") ? name + path : "\(name).\(path)"
    return SchemaMismatch(path: joined, reason: reason, isBounds: isBounds)
  }
}

/// The named schemas of a document.
struct SchemaSet: Sendable {
  private var names: [String: Int] = [:]
  private var schemas: [Schema] = []

  /// Compiles `components.schemas`.
  init(_ components: JSONObject) {
    for (index, entry) in components.enumerated() { names[entry.key] = index }
    schemas = components.map { compile($0.value) }
  }

  /// The schema of this name.
  subscript(name: String) -> Schema? {
    names[name].map { .reference($0) }
  }

  /// Compiles a schema that may refer to named ones.
  func compile(_ value: JSONValue) -> Schema {
    if let reference = value["$ref"]?.stringValue {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return self[name] ?? .any
    }
    switch value["type"]?.stringValue {
    case "boolean": return .boolean
    case "number": return .number
    case "integer": return .integer(integerRule(value))
    case "string": return .string(stringRule(value))
    case "array":
      return .array(
        of: value["items"].map(compile) ?? .any, least: value["minItems"]?.int, most: value["maxItems"]?.int)
    case "object": return .object(objectRule(value))
    default: return .any
    }
  }

  /// What is wrong with `value`, or `nil` when it fits. Costs no allocation when it fits.
  func mismatch(of value: JSONValue, with schema: Schema) -> SchemaMismatch? {
    switch schema {
    case .any: return nil
    case .reference(let index): return mismatch(of: value, with: schemas[index])
    case .boolean:
      if case .bool = value { return nil }
      return shape("is not a boolean")
    case .number:
      if case .number = value { return nil }
      return shape("is not a number")
    case .integer(let rule):
      guard case .number(let number) = value else { return shape("is not an integer") }
      return mismatch(of: number, with: rule)
    case .string(let rule):
      guard case .string(let text) = value else { return shape("is not a string") }
      return mismatch(of: text, with: rule)
    case .array(let element, let least, let most):
      guard case .array(let elements) = value else { return shape("is not an array") }
      if let least, elements.count < least { return bounds("has fewer than \(least) elements") }
      if let most, elements.count > most { return bounds("has more than \(most) elements") }
      for (index, item) in elements.enumerated() {
        if let found = mismatch(of: item, with: element) { return found.under("[\(index)]") }
      }
      return nil
    case .object(let rule):
      guard case .object(let object) = value else { return shape("is not an object") }
      return mismatch(of: object, with: rule)
    }
  }

  private func mismatch(of object: JSONObject, with rule: Schema.ObjectRule) -> SchemaMismatch? {
    var required = 0
    for (name, value) in object {
      guard let property = rule.properties[name] else { return shape("is not a field here").under(name) }
      if property.isRequired { required += 1 }
      if let found = mismatch(of: value, with: property.schema) { return found.under(name) }
    }
    guard required < rule.requiredCount else { return nil }
    let missing = rule.properties.filter { $0.value.isRequired && object[$0.key] == nil }.keys.min()
    return shape("is missing").under(missing ?? "?")
  }

  private func mismatch(of number: JSONNumber, with rule: Schema.IntegerRule) -> SchemaMismatch? {
    if rule.width == .uint64 {
      guard let unsigned = number.uint64 else { return shape("is not an unsigned 64-bit integer") }
      if let least = rule.least, least > 0, unsigned < UInt64(least) { return bounds("is below \(least)") }
      if let most = rule.most, unsigned > UInt64(max(0, most)) { return bounds("is above \(most)") }
      return nil
    }
    guard let signed = number.int64 else { return shape("is not a 64-bit integer") }
    if rule.width == .int32, Int32(exactly: signed) == nil { return bounds("is not a 32-bit integer") }
    if let least = rule.least, signed < least { return bounds("is below \(least)") }
    if let most = rule.most, signed > most { return bounds("is above \(most)") }
    return nil
  }

  private func mismatch(of text: String, with rule: Schema.StringRule) -> SchemaMismatch? {
    if rule.least != nil || rule.most != nil {
      let count = text.unicodeScalars.count
      if let least = rule.least, count < least { return bounds("has fewer than \(least) characters") }
      if let most = rule.most, count > most { return bounds("has more than \(most) characters") }
    }
    if let words = rule.words, !words.contains(text) { return bounds("is not one of the words allowed here") }
    if let pattern = rule.pattern, !pattern.matches(text) {
      return bounds("does not have the form required here")
    }
    return nil
  }

  private func integerRule(_ value: JSONValue) -> Schema.IntegerRule {
    let width: Schema.IntegerRule.Width
    switch value["format"]?.stringValue {
    case "int32": width = .int32
    case "uint64": width = .uint64
    default: width = .int64
    }
    return Schema.IntegerRule(width: width, least: value["minimum"]?.int64, most: value["maximum"]?.int64)
  }

  private func stringRule(_ value: JSONValue) -> Schema.StringRule {
    Schema.StringRule(
      least: value["minLength"]?.int, most: value["maxLength"]?.int,
      pattern: value["pattern"]?.stringValue.map { TextPattern($0) },
      words: value["enum"]?.arrayValue.map { Set($0.compactMap(\.stringValue)) })
  }

  private func objectRule(_ value: JSONValue) -> Schema.ObjectRule {
    let required = Set((value["required"]?.arrayValue ?? []).compactMap(\.stringValue))
    var properties: [String: Schema.ObjectRule.Property] = [:]
    for (name, schema) in value["properties"]?.objectValue ?? [:] {
      properties[name] = .init(schema: compile(schema), isRequired: required.contains(name))
    }
    return Schema.ObjectRule(properties: properties, requiredCount: required.count)
  }

  private func shape(_ reason: String) -> SchemaMismatch {
    SchemaMismatch(path: "", reason: reason, isBounds: false)
  }

  private func bounds(_ reason: String) -> SchemaMismatch {
    SchemaMismatch(path: "", reason: reason, isBounds: true)
  }
}
