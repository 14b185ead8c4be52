import MeroWire

/// Reads schemas: named ones, and the types of fields, parameters and items.
enum SchemaReader {
  /// What may stand on a schema beside its type; the node checks it, and the documentation says it.
  private static let bounds: Set<String> = [
    "description", "default", "example", "examples", "minimum", "maximum", "minLength", "maxLength",
    "minItems",
    "maxItems", "pattern",
  ]

  /// A schema of `components.schemas`.
  static func schema(_ name: String, _ node: DocumentNode) throws(GeneratorError) -> Schema {
    guard SwiftName.isIdentifier(name), name.first?.isUppercase == true else {
      throw node.refuse("a schema's name has to begin with a capital and hold letters and digits only.")
    }
    guard !reserved.contains(name) else { throw node.refuse("the name hides a type of Swift.") }
    let object = try node.object(
      bounds.union(["type", "format", "properties", "required", "enum", "x-calimero-enum-descriptions"]))
    let documentation = try object.text("description")
    guard let type = object["type"] else {
      guard name == "AnyValue" else { throw node.refuse("only AnyValue may have no type.") }
      return Schema(name: name, documentation: documentation, kind: .anyValue)
    }
    switch try type.string() {
    case "object":
      return Schema(name: name, documentation: documentation, kind: .structure(try fields(node)))
    case "string":
      if object["format"] != nil { throw node.refuse("a named string has no format.") }
      guard let values = object["enum"] else {
        return Schema(name: name, documentation: documentation, kind: .text)
      }
      return Schema(
        name: name, documentation: documentation,
        kind: .words(try words(values, object["x-calimero-enum-descriptions"])))
    case let other:
      throw type.refuse("a named schema is an object or a string, not \"\(other)\".")
    }
  }

  /// The properties of an object schema.
  static func fields(_ node: DocumentNode) throws(GeneratorError) -> [Field] {
    let object = try node.object(["type", "description", "properties", "required", "example", "examples"])
    guard try object.required("type").string() == "object" else {
      throw node.refuse("an object is expected.")
    }
    let required = try object["required"]?.strings() ?? []
    var fields: [Field] = []
    for (name, property) in try object.required("properties").map().entries {
      let (type, documentation) = try self.type(property)
      guard SwiftName.isIdentifier(SwiftName.lowerCamel(name)) else {
        throw property.refuse("\"\(name)\" cannot be a Swift name.")
      }
      fields.append(
        Field(name: name, documentation: documentation, type: type, isRequired: required.contains(name)))
    }
    for name in required where !fields.contains(where: { $0.name == name }) {
      throw node.refuse("\"\(name)\" is required and no property.")
    }
    guard Set(fields.map(\.swiftName)).count == fields.count else {
      throw node.refuse("two properties have the same Swift name.")
    }
    return fields
  }

  /// The type of a field, a parameter or an item, and what is known about it.
  static func type(_ node: DocumentNode) throws(GeneratorError) -> (TypeReference, [String]) {
    let object = try node.object(bounds.union(["type", "format", "items", "enum", "$ref"]))
    let documentation = try [object.text("description"), notes(object)]
    if let reference = object["$ref"] {
      for (name, other) in object.entries where name != "$ref" && name != "description" {
        throw other.refuse("\"\(name)\" cannot stand beside a reference.")
      }
      return (.named(try reference.reference(into: "schemas")), documentation)
    }
    let type = try object.required("type")
    let format = try object["format"]?.string()
    if object["items"] != nil, try type.string() != "array" { throw node.refuse("only an array has items.") }
    switch (try type.string(), format) {
    case ("string", nil): return (.string, documentation)
    case ("boolean", nil): return (.bool, documentation)
    case ("integer", "int32"): return (.int32, documentation)
    case ("integer", "int64"): return (.int64, documentation)
    case ("integer", "uint64"): return (.uint64, documentation)
    case ("number", "double"): return (.double, documentation)
    case ("array", nil):
      return (.array(try self.type(try object.required("items")).0), documentation)
    case ("object", _):
      throw node.refuse("an object below the top has to be a named schema.")
    case (let name, let format):
      throw node.refuse(
        "the type \"\(name)\"\(format.map { " with the format \"\($0)\"" } ?? " without a format") is not understood."
      )
    }
  }

  /// The words of a named set.
  private static func words(
    _ node: DocumentNode, _ descriptions: DocumentNode?
  ) throws(GeneratorError) -> [Word] {
    let descriptions = try descriptions?.map()
    var words: [Word] = []
    for item in try node.array() {
      let value = try item.string()
      let name = SwiftName.lowerCamel(value)
      guard SwiftName.isIdentifier(name), name != "rawValue", name != "known",
        !words.contains(where: { SwiftName.lowerCamel($0.value) == name })
      else { throw item.refuse("\"\(value)\" cannot be a Swift name of its own.") }
      words.append(Word(value: value, documentation: try descriptions?[value]?.string() ?? ""))
    }
    for (name, entry) in descriptions?.entries ?? [] where !words.contains(where: { $0.value == name }) {
      throw entry.refuse("\"\(name)\" is described and no value.")
    }
    return words
  }

  /// What a schema's bounds say, as sentences.
  private static func notes(_ object: DocumentObject) throws(GeneratorError) -> String {
    var notes: [String] = []
    if let values = object["enum"] {
      notes.append("One of \(try values.strings().map { "`\($0)`" }.joined(separator: ", ")).")
    }
    if let least = object["minimum"], let most = object["maximum"] {
      notes.append("From \(least.value.text) to \(most.value.text).")
    }
    // Many descriptions say it themselves.
    if let most = object["maxLength"], try !object.text("description").contains(most.value.text) {
      notes.append("At most \(most.value.text) characters.")
    }
    if let standard = object["default"] { notes.append("Left out it is `\(standard.value.text)`.") }
    return notes.joined(separator: " ")
  }

  private static let reserved: Set<String> = [
    "Array", "Bool", "Codable", "CodingKey", "Data", "Decodable", "Dictionary", "Double", "Encodable",
    "Error",
    "HTTPHeaders", "Hashable", "Int", "Int32", "Int64", "JSONValue", "Optional", "RawRepresentable", "Self",
    "Sendable", "String", "Type", "Protocol", "UInt64",
  ]
}
