import Foundation
import MeroWire

/// The API document, read for serving it: operations, their parameters and shapes, and the table of error codes.
struct APIDocument: Sendable {
  let operations: [ServedOperation]
  let schemas: SchemaSet
  let statuses: [String: Int]
  /// What credentials can be limited to, `all` included.
  let scopes: Set<String>
  /// The body of every refusal.
  let errorBody: Schema?
  /// What a refusal of a status says in its details, where the document names a schema for it.
  let details: [Int: Schema]
  /// What the node's own events hold, by kind.
  let eventData: [String: Schema]
  private let routes: RouteTree

  /// The document this package carries. Reading it takes a while, so all clusters of a process share it.
  static let shared = APIDocument(json: OpenAPIDocument.json)

  init(json: String) {
    // The text is part of this module and its tests read it; an unreadable one serves no operation at all.
    let root = (try? JSONValue(parsing: json)) ?? .null
    let schemas = SchemaSet(root["components"]?["schemas"]?.objectValue ?? [:])
    var operations: [ServedOperation] = []
    var routes = RouteTree()
    for (path, methods) in root["paths"]?.objectValue ?? [:] {
      for (method, value) in methods.objectValue ?? [:] where value["operationId"] != nil {
        routes.insert(method.uppercased(), path, operations.count)
        operations.append(
          ServedOperation(method: method.uppercased(), path: path, value, root: root, schemas: schemas))
      }
    }
    var statuses: [String: Int] = [:]
    for entry in root["x-calimero-error-codes"]?.arrayValue ?? [] {
      guard let code = entry["code"]?.stringValue, let status = entry["status"]?.int else { continue }
      statuses[code] = status
    }
    var details: [Int: Schema] = [:]
    for operation in operations {
      for (status, name) in operation.detailSchemas { details[status] = schemas[name] }
    }
    self.operations = operations
    self.details = details
    errorBody = schemas["ErrorBody"]
    eventData = EventShapes.compile(root, schemas)
    self.schemas = schemas
    self.statuses = statuses
    scopes = Set((root["x-calimero-scopes"]?.arrayValue ?? []).compactMap { $0["scope"]?.stringValue })
    self.routes = routes
  }

  /// The operation behind a method and a path without query, with its path parameters decoded.
  func route(_ method: String, _ path: String) -> (ServedOperation, [String: String])? {
    guard let (index, values) = routes.find(method, path) else { return nil }
    let operation = operations[index]
    var parameters: [String: String] = [:]
    for (name, value) in zip(operation.pathParameters, values) {
      guard let decoded = value.removingPercentEncoding, !decoded.isEmpty else { return nil }
      parameters[name] = decoded
    }
    return (operation, parameters)
  }
}

/// One operation as a node serves it.
struct ServedOperation: Sendable {
  struct Parameter: Sendable {
    let name: String
    let schema: Schema
    let isRequired: Bool
  }

  enum Shape: Sendable {
    case empty
    case json(Schema)
    case bytes
    case stream
  }

  let id: String
  let method: String
  let pathParameters: [String]
  let query: [String: Parameter]
  let headers: [Parameter]
  let body: Shape
  let isBodyRequired: Bool
  let responses: [Int: Shape]
  /// The names of the schemas that refusals have their details from.
  let detailSchemas: [Int: String]
  let acceptsSession: Bool
  let acceptsApiKey: Bool
  let scopes: [String]
  let isUnsealed: Bool
  /// Whether a person's passkey has to confirm it, always or in some cases.
  let takesConfirmation: Bool

  init(method: String, path: String, _ value: JSONValue, root: JSONValue, schemas: SchemaSet) {
    id = value["operationId"]?.stringValue ?? ""
    self.method = method
    pathParameters = path.split(separator: "/").filter { $0.hasPrefix("{") }
      .map { String($0.dropFirst().dropLast()) }
    let all = (value["parameters"]?.arrayValue ?? []).map { Self.resolve($0, root) }
    func parameters(in place: String) -> [Parameter] {
      all.filter { $0["in"]?.stringValue == place }.map {
        Parameter(
          name: $0["name"]?.stringValue ?? "", schema: $0["schema"].map(schemas.compile) ?? .any,
          isRequired: $0["required"]?.boolValue ?? false)
      }
    }
    query = Dictionary(parameters(in: "query").map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    headers = parameters(in: "header")
    body = Self.shape(value["requestBody"], schemas)
    isBodyRequired = value["requestBody"]?["required"]?.boolValue ?? false
    var responses: [Int: Shape] = [:]
    var detailSchemas: [Int: String] = [:]
    for (status, response) in value["responses"]?.objectValue ?? [:] {
      guard let status = Int(status) else { continue }
      let response = Self.resolve(response, root)
      responses[status] = Self.shape(response, schemas)
      detailSchemas[status] = response["x-calimero-details"]?.stringValue
    }
    self.responses = responses
    self.detailSchemas = detailSchemas
    let security = (value["security"] ?? root["security"])?.arrayValue ?? []
    acceptsSession = security.contains { $0["session"] != nil }
    acceptsApiKey = security.contains { $0["apiKey"] != nil }
    scopes = (value["x-calimero-scopes"]?.arrayValue ?? []).compactMap(\.stringValue)
    isUnsealed = value["x-calimero-unsealed"]?.boolValue ?? false
    takesConfirmation = value["x-calimero-step-up"] != nil
  }

  private static func shape(_ value: JSONValue?, _ schemas: SchemaSet) -> Shape {
    guard let content = value?["content"]?.objectValue else { return .empty }
    if let json = content["application/json"] { return .json(json["schema"].map(schemas.compile) ?? .any) }
    return content["text/event-stream"] != nil ? .stream : .bytes
  }

  private static func resolve(_ value: JSONValue, _ root: JSONValue) -> JSONValue {
    guard let reference = value["$ref"]?.stringValue, reference.hasPrefix("#/") else { return value }
    return reference.dropFirst(2).split(separator: "/").reduce(root) { $0[String($1)] ?? .null }
  }
}
