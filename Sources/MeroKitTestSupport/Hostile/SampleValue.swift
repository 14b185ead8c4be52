import MeroWire

/// Values that fit a schema of an API document: its examples where it has any, else made up.
package struct SampleValue {
  private let schemas: JSONObject

  /// Samples for the document's schemas.
  package init(document: JSONValue) {
    schemas = document["components"]?["schemas"]?.objectValue ?? [:]
  }

  /// A value with every property the schema has.
  package func of(_ schema: JSONValue, depth: Int = 0) -> JSONValue {
    if let example = schema["example"] ?? schema["examples"]?[0] { return example }
    if let reference = schema["$ref"]?.stringValue {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      return depth > 8 ? .null : of(schemas[name] ?? .null, depth: depth + 1)
    }
    switch schema["type"]?.stringValue {
    case "object":
      let properties = schema["properties"]?.objectValue ?? [:]
      return .object(JSONObject(properties.map { ($0.key, of($0.value, depth: depth + 1)) }))
    case "array": return [of(schema["items"] ?? .null, depth: depth + 1)]
    case "string": return .string(text(schema))
    case "integer": return schema["minimum"] ?? schema["default"] ?? 1
    case "number": return 1.5
    case "boolean": return true
    // A free value.
    default: return ["any": [1, "two", nil]]
    }
  }

  private func text(_ schema: JSONValue) -> String {
    if let word = schema["enum"]?[0]?.stringValue { return word }
    let length = max(schema["minLength"]?.int ?? 1, 3)
    // What the patterns of ids, keys and hashes have in common.
    return String(repeating: "a", count: length)
  }
}
