import Foundation
import MeroWire

/// The API document, read without the generator.
struct APIDocument {
  let json: JSONValue

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    json = try JSONValue(parsing: Data(contentsOf: root.appendingPathComponent("openapi/openapi.json")))
  }

  /// Path, method and description of each operation.
  var operations: [(path: String, method: String, body: JSONValue)] {
    var all: [(path: String, method: String, body: JSONValue)] = []
    for (path, item) in json["paths"]?.objectValue ?? [:] {
      for (method, body) in item.objectValue ?? [:] { all.append((path, method, body)) }
    }
    return all
  }

  func operation(_ id: String) -> (path: String, method: String, body: JSONValue)? {
    operations.first { $0.body["operationId"]?.stringValue == id }
  }

  /// The parameters of an operation in one place, references followed.
  func parameters(_ operation: JSONValue, in place: String) -> [JSONValue] {
    (operation["parameters"]?.arrayValue ?? []).map(resolved).filter { $0["in"]?.stringValue == place }
  }

  func resolved(_ value: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.stringValue else { return value }
    var target: JSONValue = json
    for part in reference.split(separator: "/").dropFirst() { target = target[String(part)] ?? .null }
    return target
  }

  /// A value with every field a schema has, at the edges of its numbers.
  func sample(_ schema: JSONValue) -> JSONValue {
    let schema = resolved(schema)
    switch (schema["type"]?.stringValue, schema["format"]?.stringValue) {
    case ("object", _):
      var object = JSONObject()
      for (name, property) in schema["properties"]?.objectValue ?? [:] { object[name] = sample(property) }
      return .object(object)
    case ("array", _): return [sample(schema["items"] ?? .null)]
    case ("string", _): return schema["enum"]?[0] ?? "text"
    case ("boolean", _): return true
    case ("integer", "int32"): return .number(JSONNumber(Int64(Int32.max)))
    case ("integer", "int64"): return .number(JSONNumber(Int64.max))
    case ("integer", "uint64"): return .number(JSONNumber(UInt64.max))
    case ("number", _): return 0.5
    default: return ["n": .number(JSONNumber("123456789012345678901234567890.123456789")!), "e": nil]
    }
  }

  /// The JSON body of an operation's request, with every field it has.
  func bodySample(_ operation: JSONValue) -> JSONValue? {
    (operation["requestBody"]?["content"]?["application/json"]?["schema"]).map(sample)
  }

  /// The same, as the operation's type.
  func payload<Payload: Decodable>(_ id: String) throws -> Payload {
    try (operation(id).flatMap { bodySample($0.body) } ?? .null).decode()
  }
}
