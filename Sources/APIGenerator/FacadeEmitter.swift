/// Writes the facade: a structure per group, a method per operation, and a sequence per paged listing.
struct FacadeEmitter {
  let document: Document
  private let folder = "Sources/MeroKit/Api/Generated/"

  func files() -> [GeneratedFile] {
    let groups = document.groups.filter { group in operations(of: group).contains { !$0.isStream } }
    var writer = SourceWriter()
    writer.gap()
    writer.block("extension CalimeroClient") { writer in
      for group in groups {
        writer.gap()
        let type = typeName(of: group)
        writer.doc("The operations of the group `\(group.name)`.")
        writer.line(
          "public nonisolated var \(SwiftName.quoted(group.facade)): \(type) { \(type)(caller: core) }")
      }
    }
    return [GeneratedFile(path: folder + "FacadeGroups.swift", text: writer.text)]
      + groups.map { group in
        GeneratedFile(
          path: "\(folder)\(SwiftName.capitalized(group.facade))Facade.swift", text: text(of: group))
      }
  }

  private func operations(of group: Group) -> [Operation] {
    document.operations.filter { $0.group == group.name }
  }

  private func typeName(of group: Group) -> String {
    let name = SwiftName.capitalized(group.facade)
    return name.hasSuffix("Api") ? name : name + "Api"
  }

  private func text(of group: Group) -> String {
    let operations = operations(of: group).filter { !$0.isStream }
    var imports = ["MeroAPI"]
    if operations.contains(where: \.usesData) { imports.append("Foundation") }
    if operations.contains(where: { ($0.jsonFields ?? []).contains { $0.type.name == "AnyValue" } }) {
      imports.append("MeroWire")
    }
    var writer = SourceWriter(imports: imports)
    writer.gap()
    writer.block("extension CalimeroClient") { writer in
      writer.doc([
        "The operations of the group `\(group.name)`, as typed methods.",
        "Each answers the success value alone and throws ``CalimeroError`` otherwise.",
      ])
      writer.block("public struct \(typeName(of: group)): Sendable") { writer in
        writer.line("let caller: any FacadeCaller")
        for operation in operations {
          writer.gap()
          FacadeMethod(document: document, operation: operation).emit(to: &writer)
        }
      }
    }
    return writer.text
  }
}

/// Writes the facade's method for one operation.
struct FacadeMethod {
  let document: Document
  let operation: Operation

  /// An argument of the method; what has a default may be left out.
  private struct Argument {
    var name: String
    var type: String
    var documentation: String
    var standard: String?
    /// The label, where another argument has the name already.
    var label: String?

    var declaration: String {
      (label.map { $0 + " " } ?? "") + "\(SwiftName.label(name)): \(type)"
        + (standard.map { " = \($0)" } ?? "")
    }
  }

  func emit(to writer: inout SourceWriter) {
    let arguments = self.arguments
    writer.doc(
      operation.documentationParagraphs
        + ["`\(operation.httpMethod.uppercased()) \(operation.path)`"] + operation.ruleParagraphs
        + ["- Parameters:"] + arguments.map { "  - \($0.name): \($0.documentation)" }
        + [returns, throwing])
    if operation.isDeprecated { writer.line("@available(*, deprecated)") }
    let answer: String = result.isEmpty ? "" : " -> \(result)"
    writer.list(
      "public func \(SwiftName.quoted(operation.method))(", arguments.map(\.declaration),
      ") async throws\(answer) {")
    writer.indented { emitBody(to: &$0) }
    writer.line("}")
    if let listing { emitSequence(listing, to: &writer) }
  }

  private func emitBody(to writer: inout SourceWriter) {
    let input = "Operations.\(operation.typeName).Input"
    var parts: [String] = []
    for (name, parameters) in [
      ("path", operation.parameters(in: .path)), ("query", operation.parameters(in: .query)),
      ("headers", operation.parameters(in: .header).filter { !$0.isProof }),
    ] where !parameters.isEmpty {
      parts.append("\(name): .init(\(passing(parameters.map(\.swiftName))))")
    }
    switch operation.body {
    case .json(_, let fields)?:
      writer.list(
        "let payload = \(input).Body.JsonPayload(", fields.map { pass($0.swiftName) }, ")")
      parts.append("body: .json(payload)")
    case .binary?:
      parts.append("body: .binary(body, contentType: contentType)")
    case nil: break
    }
    writer.list("let input = \(input)(", parts, ")")
    let passkey: String = operation.stepUp == nil ? "" : ", passkey: \(inner("passkey", else: "provider"))"
    let signer: String =
      operation.needsOperatorSignature ? ", operatorSigner: \(inner("operatorSigner", else: "signer"))" : ""
    let keyword: String = result.isEmpty ? "" : "return "
    let method: String
    switch operation.content {
    case .json: method = "json"
    case .binary: method = "bytes"
    case .none, .stream: method = "nothing"
    }
    writer.line("\(keyword)try await caller.\(method)(input\(passkey)\(signer), options: \(options.name))")
  }

  /// The name inside the method of an argument whose label the document may have given to another one as well.
  private func inner(_ label: String, else other: String) -> String {
    let taken = operation.parameters.map(\.swiftName) + (operation.jsonFields ?? []).map(\.swiftName)
    return taken.contains(label) ? other : label
  }

  private func last(_ label: String, else other: String, _ type: String, _ documentation: String) -> Argument
  {
    let name = inner(label, else: other)
    return Argument(
      name: name, type: type, documentation: documentation, standard: type.hasSuffix("?") ? "nil" : ".init()",
      label: name == label ? nil : label)
  }

  private func passing(_ names: [String]) -> String {
    names.map(pass).joined(separator: ", ")
  }

  private func pass(_ name: String) -> String {
    "\(SwiftName.label(name)): \(SwiftName.quoted(name))"
  }

  /// The arguments in the order of 70 §2.23: what is always needed, then what may be left out; of each the
  /// document's order.
  private var arguments: [Argument] {
    var arguments = operation.parameters(in: .path).map(argument)
    let fields = operation.jsonFields ?? []
    let queries = operation.parameters(in: .query)
    arguments += fields.filter(\.isRequired).map(argument)
    if case .binary(let documentation)? = operation.body {
      arguments.append(Argument(name: "body", type: "Data", documentation: documentation))
    }
    arguments += queries.filter(\.isRequired).map(argument)
    arguments += fields.filter { !$0.isRequired }.map(argument)
    if case .binary? = operation.body {
      arguments.append(
        Argument(
          name: "contentType", type: "String", documentation: "What the bytes are.",
          standard: "\"application/octet-stream\""))
    }
    arguments += queries.filter { !$0.isRequired }.map(argument)
    arguments += operation.parameters(in: .header).filter { !$0.isProof }.map(argument)
    if operation.stepUp != nil {
      arguments.append(
        last(
          "passkey", else: "provider", "(any PasskeyProvider)?",
          "Who confirms, if asked; else the client's provider."))
    }
    if operation.needsOperatorSignature {
      arguments.append(
        last(
          "operatorSigner", else: "signer", "(any OperatorSigner)?",
          "Who signs, if asked; else the client's signer."))
    }
    return arguments + [options]
  }

  private var options: Argument {
    last("options", else: "requestOptions", "RequestOptions", "What this request does differently.")
  }

  private func argument(_ field: Field) -> Argument {
    argument(field.swiftName, field.type, field.documentation, isRequired: field.isRequired)
  }

  private func argument(_ parameter: Parameter) -> Argument {
    argument(
      parameter.swiftName, parameter.type, parameter.documentation, isRequired: parameter.isRequired)
  }

  private func argument(
    _ name: String, _ type: TypeReference, _ documentation: [String], isRequired: Bool
  ) -> Argument {
    Argument(
      name: name, type: type.spelled() + (isRequired ? "" : "?"),
      documentation: documentation.filter { !$0.isEmpty }.joined(separator: " "),
      standard: isRequired ? nil : "nil")
  }

  /// The type of the answer; empty when there is none.
  private var result: String {
    switch operation.content {
    case .json(let name): return "Components.Schemas.\(name)"
    case .binary: return "Data"
    case .none, .stream: return ""
    }
  }

  private var returns: String {
    switch operation.content {
    case .json(let name):
      return "- Returns: \(document.schema(name)?.documentation ?? "")"
    case .binary: return "- Returns: \(operation.successes.first?.documentation ?? "")"
    case .none, .stream: return ""
    }
  }

  private var throwing: String {
    guard !operation.errorCodes.isEmpty else { return "- Throws: ``CalimeroError``." }
    return "- Throws: ``CalimeroError``; of the codes of `api`, these are its own: "
      + operation.errorCodes.map { "`\($0)`" }.joined(separator: ", ") + "."
  }

  // MARK: - Listings

  /// A listing in pages: the field with the items, and their type.
  private var listing: (field: Field, item: TypeReference)? {
    let isNamedSo: Bool = operation.method == "list" || operation.method.hasSuffix("List")
    guard isNamedSo, operation.parameters(in: .query).contains(where: { $0.name == "cursor" }),
      case .json(let name) = operation.content, case .structure(let fields)? = document.schema(name)?.kind,
      fields.contains(where: { $0.name == "nextCursor" && $0.type == .string && !$0.isRequired })
    else { return nil }
    for field in fields {
      if case .array(let item) = field.type { return (field, item) }
    }
    return nil
  }

  private func emitSequence(_ listing: (field: Field, item: TypeReference), to writer: inout SourceWriter) {
    let paging = ["cursor", "limit"]
    let arguments = self.arguments.filter { !paging.contains($0.name) }
    let method = operation.method
    let name = method == "list" ? "all" : String(method.dropLast(4)) + "All"
    writer.gap()
    writer.doc(
      [
        "All that ``\(method)(\(self.arguments.map { $0.name + ":" }.joined()))`` lists, page after page.",
        "Nothing is asked before the sequence is read.", "- Parameters:",
      ] + arguments.map { "  - \($0.name): \($0.documentation)" })
    if operation.isDeprecated { writer.line("@available(*, deprecated)") }
    writer.list(
      "public func \(SwiftName.quoted(name))(", arguments.map(\.declaration),
      ") -> Pages<\(listing.item.spelled())> {")
    let passed: [String] = self.arguments.map { argument in
      switch argument.name {
      case "cursor": return "cursor: cursor"
      case "limit": return "limit: pageLimit"
      case let name: return argument.label.map { "\($0): \(name)" } ?? pass(name)
      }
    }
    writer.indented { writer in
      writer.line("Pages(of: \"\(operation.id)\") { cursor in")
      writer.indented { writer in
        writer.list("let page = try await \(SwiftName.quoted(method))(", passed, ")")
        writer.line("return (page.\(SwiftName.member(listing.field.swiftName)), page.nextCursor)")
      }
      writer.line("}")
    }
    writer.line("}")
  }
}
