/// Writes `Components`: the schemas, the shared refusals, and the tables of words.
struct SchemaEmitter {
  let document: Document
  private let folder = "Sources/MeroAPI/Generated/"

  func files() -> [GeneratedFile] {
    var files = [components(), responses()]
    for (resource, schemas) in grouped() {
      var writer = SourceWriter(imports: schemas.contains(where: needsWire) ? ["MeroWire"] : [])
      writer.gap()
      writer.block("extension Components.Schemas") { writer in
        for schema in schemas {
          writer.gap()
          emit(schema, to: &writer)
        }
      }
      files.append(GeneratedFile(path: "\(folder)Schemas/\(resource)Schemas.swift", text: writer.text))
    }
    return files
  }

  private func components() -> GeneratedFile {
    var writer = SourceWriter()
    writer.gap()
    writer.doc("What the operations share.")
    writer.block("public enum Components") { writer in
      writer.doc("The values that go over the wire.")
      writer.line("public enum Schemas {}")
      writer.gap()
      writer.doc("The refusals that operations share.")
      writer.line("public enum Responses {}")
      writer.gap()
      emit(document.scopes, as: "Scopes", "The scopes of API keys and consented sessions.", to: &writer)
      writer.gap()
      emit(
        document.eventKinds, as: "EventKinds", "The kinds of events the cluster itself sends.", to: &writer)
    }
    return GeneratedFile(path: folder + "Components.swift", text: writer.text)
  }

  private func emit(
    _ words: [Word], as name: String, _ documentation: String, to writer: inout SourceWriter
  ) {
    writer.doc(documentation)
    writer.block("public enum \(name)") { writer in
      for word in words {
        writer.doc(word.documentation)
        // A kind is known by what follows the cluster's own prefix.
        let value: String = word.value
        let bare: String = value.hasPrefix("calimero.") ? String(value.dropFirst(9)) : value
        writer.line(
          "public static let \(SwiftName.quoted(SwiftName.lowerCamel(bare))): String = \"\(value)\"")
      }
    }
  }

  private func responses() -> GeneratedFile {
    var writer = SourceWriter(imports: ["MeroHTTP"])
    writer.gap()
    writer.block("extension Components.Responses") { writer in
      for refusal in document.refusals {
        writer.gap()
        let details: String =
          refusal.details.map { "`error.details` is a ``Components/Schemas/\($0)``." } ?? ""
        writer.doc([refusal.documentation, details])
        writer.block("public struct \(refusal.name): Sendable") { writer in
          writer.jsonBody("Components.Schemas.\(refusal.schema)")
          writer.gap()
          writer.answerMembers(hasBody: true)
        }
      }
    }
    return GeneratedFile(path: folder + "Responses.swift", text: writer.text)
  }

  private func emit(_ schema: Schema, to writer: inout SourceWriter) {
    switch schema.kind {
    case .anyValue:
      writer.doc(schema.documentation)
      writer.line("public typealias \(schema.name) = JSONValue")
    case .text:
      writer.doc(schema.documentation)
      writer.line("public typealias \(schema.name) = String")
    case .words(let words):
      emit(words, of: schema, to: &writer)
    case .structure(let fields):
      writer.doc(schema.documentation)
      writer.structure(
        schema.name, fields, in: schema.name, scope: "", initialiser: "Creates one from its fields.")
    }
  }

  private func emit(_ words: [Word], of schema: Schema, to writer: inout SourceWriter) {
    writer.doc([schema.documentation, "An open set: a word added later is kept and sent back as it came."])
    writer.block("public struct \(schema.name): RawRepresentable, Codable, Sendable, Hashable") { writer in
      writer.doc("The word as it is on the wire.")
      writer.line("public let rawValue: String")
      writer.gap()
      writer.doc("Takes any word.")
      writer.line("public init(rawValue: String) { self.rawValue = rawValue }")
      writer.gap()
      for word in words {
        let name = SwiftName.lowerCamel(word.value)
        // Swift reads a bare `.none` as a missing value wherever an optional is expected.
        let warning: String =
          name == "none" ? "Where an optional is expected, write `\(schema.name).none` in full." : ""
        writer.doc([word.documentation, warning])
        writer.line(
          "public static let \(SwiftName.quoted(name)) = \(schema.name)(rawValue: \"\(word.value)\")")
      }
      writer.gap()
      writer.doc("The words known when this was written, in the document's order.")
      writer.array(
        "public static let known: [\(schema.name)] = [",
        words.map { "." + SwiftName.member(SwiftName.lowerCamel($0.value)) }, "]")
    }
  }

  private func needsWire(_ schema: Schema) -> Bool {
    switch schema.kind {
    case .anyValue: return true
    case .structure(let fields): return fields.contains { $0.type.name == "AnyValue" }
    default: return false
    }
  }

  /// The schemas by the resource whose operation speaks of them first; what refusals speak of, and what nothing
  /// speaks of, is shared.
  private func grouped() -> [(String, [Schema])] {
    var resourceOf: [String: String] = [:]
    var resources: [String] = []
    func claim(_ name: String, for resource: String) {
      guard resourceOf[name] == nil, let schema = document.schema(name) else { return }
      resourceOf[name] = resource
      if !resources.contains(resource) { resources.append(resource) }
      guard case .structure(let fields) = schema.kind else { return }
      for field in fields { field.type.name.map { claim($0, for: resource) } }
    }
    claim("AnyValue", for: "Shared")
    for refusal in document.refusals {
      claim(refusal.schema, for: "Shared")
      refusal.details.map { claim($0, for: "Shared") }
    }
    for operation in document.operations {
      for name in operation.schemaNames { claim(name, for: operation.resource) }
    }
    for schema in document.schemas { claim(schema.name, for: "Shared") }
    return resources.map { resource in
      (resource, document.schemas.filter { resourceOf[$0.name] == resource })
    }
  }
}

extension Operation {
  /// What it deals with: its name without the verb.
  var resource: String {
    let parts = id.split(separator: "_")
    return SwiftName.upperCamel((parts.count > 1 ? parts.dropLast() : parts[...]).joined(separator: "_"))
  }

  /// The schemas it names itself.
  var schemaNames: [String] {
    var names = parameters.compactMap(\.type.name) + (jsonFields ?? []).compactMap(\.type.name)
    if case .json(let name) = content { names.append(name) }
    return names
  }
}

extension SourceWriter {
  /// The keys of a structure, if a Swift name is not the document's.
  mutating func codingKeys(_ fields: [Field]) {
    guard fields.contains(where: { $0.swiftName != $0.name }) else { return }
    gap()
    block("enum CodingKeys: String, CodingKey") { writer in
      for field in fields {
        let name = SwiftName.quoted(field.swiftName)
        writer.line(field.swiftName == field.name ? "case \(name)" : "case \(name) = \"\(field.name)\"")
      }
    }
  }

  /// The body of an answer in JSON.
  mutating func jsonBody(_ payload: String) {
    doc("The body.")
    block("public enum Body: Sendable") { writer in
      writer.doc("The type of the body.")
      writer.line("public typealias JsonPayload = \(payload)")
      writer.gap()
      writer.doc("JSON.")
      writer.line("case json(JsonPayload)")
      writer.gap()
      writer.doc("The body's value.")
      writer.block("public var json: JsonPayload") { $0.onlyCase("json") }
    }
  }

  /// The body of an answer in bytes.
  mutating func binaryBody() {
    doc("The body.")
    block("public enum Body: Sendable") { writer in
      writer.doc("Bytes.")
      writer.line("case binary(Data)")
      writer.gap()
      writer.doc("The body's bytes.")
      writer.block("public var binary: Data") { $0.onlyCase("binary") }
    }
  }

  /// Headers and body of an answer.
  mutating func answerMembers(hasBody: Bool) {
    var parts = [
      Member(
        name: "headers", type: "HTTPHeaders", documentation: ["The answer's headers."], standard: ".init()")
    ]
    if hasBody { parts.append(Member(name: "body", type: "Body", documentation: ["The body."])) }
    members(parts, initialiser: "Creates an answer.")
  }

  private mutating func onlyCase(_ name: String) {
    line("switch self {")
    line("case .\(name)(let value): return value")
    line("}")
  }
}
