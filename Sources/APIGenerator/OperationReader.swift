import MeroWire

/// Reads operations.
struct OperationReader {
  /// What was read before: schemas, refusals and tables.
  let document: Document
  let sharedParameters: DocumentObject?
  /// The credentials that operations take unless they say otherwise.
  let security: Set<String>

  func operation(
    path: String, httpMethod: String, _ node: DocumentNode
  ) throws(GeneratorError) -> Operation {
    let object = try node.object([
      "operationId", "tags", "summary", "description", "parameters", "requestBody", "responses", "security",
      "deprecated", "x-calimero-group", "x-calimero-method", "x-calimero-retry-safe", "x-calimero-step-up",
      "x-calimero-step-up-when", "x-calimero-operator", "x-calimero-scopes", "x-calimero-stream",
      "x-calimero-unsealed", "x-calimero-errors", "x-calimero-tier",
    ])
    let id = try object.required("operationId")
    guard SwiftName.isIdentifier(SwiftName.upperCamel(try id.string())) else {
      throw id.refuse("the name cannot be a Swift name.")
    }
    let method = try object.required("x-calimero-method")
    guard SwiftName.isIdentifier(try method.string()) else {
      throw method.refuse("the name cannot be a Swift name.")
    }
    let credentials = try object["security"].map(OperationReader.credentials) ?? security
    let (successes, refusals) = try responses(object.required("responses"))
    var operation = Operation(
      id: try id.string(), group: try object.required("x-calimero-group").string(),
      method: try method.string(), httpMethod: httpMethod, path: path, summary: try object.text("summary"),
      documentation: try object.text("description"), parameters: try parameters(object["parameters"]),
      body: try object["requestBody"].map(body), successes: successes, refusals: refusals,
      retrySafety: try retrySafety(object.required("x-calimero-retry-safe")),
      stepUp: try object["x-calimero-step-up"]?.string(),
      stepUpWhen: try object["x-calimero-step-up-when"]?.string(),
      needsOperatorSignature: try object.flag("x-calimero-operator"),
      acceptsSession: credentials.contains("session"), acceptsApiKey: credentials.contains("apiKey"),
      scopes: try object["x-calimero-scopes"]?.strings() ?? [], isStream: false,
      isUnsealed: try object.flag("x-calimero-unsealed"), isDeprecated: try object.flag("deprecated"),
      tier: try object.required("x-calimero-tier").int(),
      errorCodes: try object["x-calimero-errors"]?.strings() ?? [])
    if let stream = object["x-calimero-stream"] {
      guard try stream.string() == "sse" else { throw stream.refuse("only sse is understood.") }
      operation.isStream = true
    }
    return operation
  }

  /// The names of the security schemes, any one of which will do.
  static func credentials(_ node: DocumentNode) throws(GeneratorError) -> Set<String> {
    var names: Set<String> = []
    for entry in try node.array() {
      let scheme = try entry.object(["session", "apiKey"])
      guard scheme.entries.count == 1, let name = scheme.entries.first?.0 else {
        throw entry.refuse("one security scheme is expected.")
      }
      names.insert(name)
    }
    return names
  }

  private func retrySafety(_ node: DocumentNode) throws(GeneratorError) -> Operation.RetrySafety {
    if let flag = node.value.boolValue { return flag ? .always : .never }
    return .field(try node.string())
  }

  private func parameters(_ node: DocumentNode?) throws(GeneratorError) -> [Parameter] {
    var parameters: [Parameter] = []
    for entry in try node?.array() ?? [] {
      var entry = entry
      if let reference = entry.value["$ref"] {
        let name = try DocumentNode(value: reference, place: entry.place).reference(into: "parameters")
        guard let shared = sharedParameters?[name] else {
          throw entry.refuse("there is no parameter \"\(name)\".")
        }
        entry = shared
      }
      parameters.append(try parameter(entry))
    }
    return parameters
  }

  private func parameter(_ node: DocumentNode) throws(GeneratorError) -> Parameter {
    let object = try node.object(["name", "in", "required", "description", "schema", "example", "examples"])
    let place = try object.required("in")
    guard let location = Parameter.Location(rawValue: try place.string()) else {
      throw place.refuse("a parameter is in the path, the query or a header.")
    }
    let (type, notes) = try SchemaReader.type(object.required("schema"))
    switch type {
    case .array, .double: throw node.refuse("a parameter cannot be an array or a fraction.")
    case .named(let name):
      guard case .words? = document.schema(name)?.kind else {
        throw node.refuse("a parameter can only name a set of words, and \(name) is none.")
      }
    default: break
    }
    let isRequired = try object.flag("required")
    if location == .path, !isRequired { throw node.refuse("a path parameter is always required.") }
    let parameter = Parameter(
      name: try object.required("name").string(), location: location,
      documentation: [try object.text("description")] + notes, type: type, isRequired: isRequired)
    guard SwiftName.isIdentifier(parameter.swiftName) else {
      throw node.refuse("\"\(parameter.name)\" cannot be a Swift name.")
    }
    return parameter
  }

  private func body(_ node: DocumentNode) throws(GeneratorError) -> RequestBody {
    let object = try node.object(["required", "content", "description"])
    guard try object.flag("required") else { throw node.refuse("a body has to be required.") }
    let content = try object.required("content").object(["application/json", "application/octet-stream"])
    guard content.entries.count == 1, let (type, media) = content.entries.first else {
      throw node.refuse("one content type is expected.")
    }
    let schema = try media.object(["schema", "example", "examples"]).required("schema")
    if type == "application/json" {
      let documentation = try schema.map().text("description")
      return .json(documentation: documentation, fields: try SchemaReader.fields(schema))
    }
    return .binary(documentation: try binary(schema))
  }

  private func binary(_ node: DocumentNode) throws(GeneratorError) -> String {
    let object = try node.object(["type", "format", "description"])
    guard try object.text("type") == "string", try object.text("format") == "binary" else {
      throw node.refuse("a string with the format \"binary\" is expected.")
    }
    return try object.text("description")
  }

  private func responses(
    _ node: DocumentNode
  ) throws(GeneratorError) -> ([Success], [(status: Int, name: String)]) {
    var successes: [Success] = []
    var refusals: [(status: Int, name: String)] = []
    for (name, entry) in try node.map().entries {
      guard let status = Int(name), (200...599).contains(status) else {
        throw entry.refuse("a status of three digits is expected.")
      }
      if status < 300 {
        guard Success.names[status] != nil else { throw entry.refuse("the status has no name here.") }
        successes.append(try success(status, entry))
      } else {
        let reference = try entry.object(["$ref"]).required("$ref").reference(into: "responses")
        guard document.refusals.contains(where: { $0.name == reference }) else {
          throw entry.refuse("there is no response \"\(reference)\".")
        }
        refusals.append((status, reference))
      }
    }
    guard let first = successes.first else { throw node.refuse("a success is missing.") }
    guard successes.allSatisfy({ $0.content == first.content }) else {
      throw node.refuse("all successes have to have the same content.")
    }
    guard Set(refusals.map(\.name)).count == refusals.count else {
      throw node.refuse("two statuses share a response.")
    }
    return (successes, refusals)
  }

  private func success(_ status: Int, _ node: DocumentNode) throws(GeneratorError) -> Success {
    let object = try node.object(["description", "content"])
    var success = Success(status: status, documentation: try object.text("description"), content: .none)
    guard let content = object["content"] else { return success }
    let types = try content.object(["application/json", "application/octet-stream", "text/event-stream"])
    guard types.entries.count == 1, let (type, media) = types.entries.first else {
      throw content.refuse("one content type is expected.")
    }
    let schema = try media.object(["schema", "example", "examples"]).required("schema")
    switch type {
    case "application/json":
      let reference = try schema.object(["$ref", "description"]).required("$ref")
      success.content = .json(try reference.reference(into: "schemas"))
    case "application/octet-stream":
      _ = try binary(schema)
      success.content = .binary
    default:
      success.content = .stream
    }
    return success
  }
}
