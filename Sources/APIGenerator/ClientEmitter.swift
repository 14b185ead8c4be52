/// Writes the methods of `Client`, a file for each group.
struct ClientEmitter {
  let document: Document

  func files() -> [GeneratedFile] {
    document.groups.compactMap { group in
      let operations = document.operations.filter { $0.group == group.name && !$0.isStream }
      guard !operations.isEmpty else { return nil }
      var writer = SourceWriter()
      writer.gap()
      writer.block("extension Client") { writer in
        for operation in operations {
          writer.gap()
          emit(operation, to: &writer)
        }
      }
      return GeneratedFile(
        path: "Sources/MeroAPI/Generated/Clients/\(SwiftName.upperCamel(group.name))Client.swift",
        text: writer.text)
    }
  }

  private func emit(_ operation: Operation, to writer: inout SourceWriter) {
    let type = "Operations.\(operation.typeName)"
    writer.doc(
      operation.documentationParagraphs
        + ["`\(operation.httpMethod.uppercased()) \(operation.path)`"] + operation.ruleParagraphs)
    if operation.isDeprecated { writer.line("@available(*, deprecated)") }
    let standard: String = InputEmitter(operation: operation).isEmptyAllowed ? " = .init()" : ""
    writer.list(
      "public func \(SwiftName.quoted(operation.memberName))(", ["_ input: \(type).Input\(standard)"],
      ") async throws -> \(type).Output {")
    writer.indented { $0.line("try await perform(input)") }
    writer.line("}")
  }
}
