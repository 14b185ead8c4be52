/// What has to hold between the parts of a document, so that the Swift made of it compiles and does what it says.
struct DocumentCheck {
  let document: Document
  let components: DocumentObject
  let paths: DocumentNode

  func run() throws(GeneratorError) {
    for schema in document.schemas {
      guard case .structure(let fields) = schema.kind else { continue }
      for field in fields { try exists(field.type, at: "components.schemas.\(schema.name).\(field.name)") }
      try isFinite(schema, within: [])
    }
    for refusal in document.refusals {
      try exists(.named(refusal.schema), at: "components.responses.\(refusal.name)")
      guard refusal.schema == document.refusals.first?.schema else {
        throw GeneratorError(
          place: "components.responses.\(refusal.name)", reason: "all refusals have to have the same body.")
      }
      if let details = refusal.details {
        try exists(.named(details), at: "components.responses.\(refusal.name).x-calimero-details")
      }
    }
    var ids: Set<String> = []
    var methods: Set<String> = []
    for operation in document.operations {
      let place = "paths.\(operation.path).\(operation.httpMethod)"
      guard ids.insert(operation.typeName).inserted else {
        throw GeneratorError(place: place, reason: "another operation is called \(operation.id).")
      }
      guard methods.insert("\(operation.group).\(operation.method)").inserted else {
        throw GeneratorError(
          place: place, reason: "another operation is \(operation.group).\(operation.method).")
      }
      try check(operation, at: place)
    }
  }

  private func check(_ operation: Operation, at place: String) throws(GeneratorError) {
    func require(_ condition: Bool, _ reason: String) throws(GeneratorError) {
      if !condition { throw GeneratorError(place: place, reason: reason) }
    }
    try require(
      document.groups.contains { $0.name == operation.group },
      "x-calimero-groups has no group \"\(operation.group)\".")

    let named = operation.path.split(separator: "/").filter { $0.contains("{") || $0.contains("}") }
    try require(
      named.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") },
      "a path parameter has to be a whole segment.")
    try require(
      Set(named.map { String($0.dropFirst().dropLast()) })
        == Set(operation.parameters(in: .path).map(\.name)),
      "the path's parameters and those declared are not the same.")

    let fields = operation.jsonFields ?? []
    for field in fields { try exists(field.type, at: "\(place).requestBody.\(field.name)") }
    var labels = operation.parameters.map(\.swiftName) + fields.map(\.swiftName)
    if case .binary? = operation.body { labels += ["body", "contentType"] }
    try require(Set(labels).count == labels.count, "two arguments have the same name.")

    if case .field(let name) = operation.retrySafety {
      let field = fields.first { $0.name == name }
      try require(
        field.map { !$0.isRequired } ?? false, "the body has no optional field \"\(name)\" (retry-safe).")
    }
    try require(
      operation.stepUp.map { ["always", "conditional"].contains($0) } ?? true,
      "x-calimero-step-up is always or conditional.")
    try require(
      operation.isStream == (operation.content == .stream),
      "a stream is text/event-stream, and nothing else is.")
    if case .json(let name) = operation.content { try exists(.named(name), at: "\(place).responses") }
    for code in operation.errorCodes {
      try require(
        document.errorCodes.contains { $0.code == code }, "x-calimero-error-codes has no \(code).")
    }
    for scope in operation.scopes {
      try require(document.scopes.contains { $0.value == scope }, "x-calimero-scopes has no \(scope).")
    }
  }

  private func exists(_ type: TypeReference, at place: String) throws(GeneratorError) {
    guard let name = type.name, document.schema(name) == nil else { return }
    throw GeneratorError(place: place, reason: "there is no schema \"\(name)\".")
  }

  /// A structure that holds itself other than through an array has no size.
  private func isFinite(_ schema: Schema, within outer: [String]) throws(GeneratorError) {
    guard !outer.contains(schema.name) else {
      throw GeneratorError(place: "components.schemas.\(schema.name)", reason: "it holds itself.")
    }
    guard case .structure(let fields) = schema.kind else { return }
    for field in fields {
      guard case .named(let name) = field.type, let inner = document.schema(name) else { continue }
      try isFinite(inner, within: outer + [schema.name])
    }
  }
}
