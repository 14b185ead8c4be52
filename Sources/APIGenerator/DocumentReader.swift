import MeroWire

/// Reads a whole document, strictly: what the generator would have to ignore or guess is refused, with its place.
struct DocumentReader {
  private var document = Document(
    schemas: [], refusals: [], operations: [], groups: [], errorCodes: [], scopes: [], eventKinds: [])

  static func read(_ source: JSONValue) throws(GeneratorError) -> Document {
    var reader = DocumentReader()
    try reader.read(DocumentNode(value: source, place: ""))
    return reader.document
  }

  private mutating func read(_ node: DocumentNode) throws(GeneratorError) {
    let root = try node.object([
      "openapi", "info", "servers", "tags", "paths", "components", "security", "x-calimero-groups",
      "x-calimero-error-codes", "x-calimero-scopes", "x-calimero-event-kinds",
    ])
    let version = try root.required("openapi")
    guard try version.string().hasPrefix("3.1") else { throw version.refuse("OpenAPI 3.1 is expected.") }
    try readTables(root)

    let components = try root.required("components").object([
      "schemas", "responses", "parameters", "securitySchemes",
    ])
    for (name, entry) in try components.required("schemas").map().entries {
      document.schemas.append(try SchemaReader.schema(name, entry))
    }
    for (name, entry) in try components["responses"]?.map().entries ?? [] {
      document.refusals.append(try refusal(name, entry))
    }
    let reader = OperationReader(
      document: document, sharedParameters: try components["parameters"]?.map(),
      security: try root["security"].map(OperationReader.credentials) ?? [])
    for (path, item) in try root.required("paths").map().entries {
      for (method, entry) in try item.object(["get", "put", "post", "delete", "patch"]).entries {
        document.operations.append(try reader.operation(path: path, httpMethod: method, entry))
      }
    }
    describeFields()
    try DocumentCheck(document: document, components: components, paths: try root.required("paths")).run()
  }

  /// A field that says nothing about itself is what its type says.
  private mutating func describeFields() {
    func described(_ field: Field) -> Field {
      guard field.documentation.allSatisfy(\.isEmpty) else { return field }
      var field = field
      let text: String? = field.type.name.flatMap { document.schema($0)?.documentation }
      field.documentation = [text ?? "`\(field.name)`."]
      return field
    }
    for (index, schema) in document.schemas.enumerated() {
      guard case .structure(let fields) = schema.kind else { continue }
      document.schemas[index].kind = .structure(fields.map(described))
    }
    for (index, operation) in document.operations.enumerated() {
      guard case .json(let text, let fields)? = operation.body else { continue }
      document.operations[index].body = .json(documentation: text, fields: fields.map(described))
    }
  }

  private mutating func readTables(_ root: DocumentObject) throws(GeneratorError) {
    for entry in try root["x-calimero-groups"]?.array() ?? [] {
      let object = try entry.object(["group", "facade"])
      document.groups.append(
        Group(
          name: try object.required("group").string(), facade: try object.required("facade").string()))
    }
    for entry in try root["x-calimero-error-codes"]?.array() ?? [] {
      let object = try entry.object(["code", "status", "description", "ran"])
      let ran = try object.required("ran")
      guard try ["yes", "no", "unknown"].contains(ran.string()) else {
        throw ran.refuse("yes, no or unknown is expected.")
      }
      document.errorCodes.append(
        ErrorCode(
          code: try object.required("code").string(), status: try object.required("status").int(),
          documentation: try object.text("description"), ran: try ran.string()))
    }
    document.scopes = try words(root["x-calimero-scopes"], named: "scope")
    document.eventKinds = try words(root["x-calimero-event-kinds"], named: "kind")
  }

  private func words(_ table: DocumentNode?, named name: String) throws(GeneratorError) -> [Word] {
    var words: [Word] = []
    for entry in try table?.array() ?? [] {
      let object = try entry.object([name, "description"])
      words.append(
        Word(
          value: try object.required(name).string(), documentation: try object.text("description")))
    }
    return words
  }

  private func refusal(_ name: String, _ node: DocumentNode) throws(GeneratorError) -> Refusal {
    let object = try node.object(["description", "content", "headers", "x-calimero-details"])
    let content = try object.required("content").object(["application/json"])
    let media = try content.required("application/json").object(["schema", "example", "examples"])
    let schema = try media.required("schema").object(["$ref", "description"])
    return Refusal(
      name: name, documentation: try object.text("description"),
      schema: try schema.required("$ref").reference(into: "schemas"),
      details: try object["x-calimero-details"]?.string())
  }
}
