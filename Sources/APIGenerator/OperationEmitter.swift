/// Writes `Operations`: one file per operation, with what it takes, what it answers, and how both are written.
struct OperationEmitter {
  let document: Document
  private let folder = "Sources/MeroAPI/Generated/Operations/"

  func files() -> [GeneratedFile] {
    var files = [index()]
    for operation in document.operations {
      let group = SwiftName.upperCamel(operation.group)
      files.append(
        GeneratedFile(path: "\(folder)\(group)/\(operation.typeName).swift", text: text(of: operation)))
    }
    return files
  }

  private func index() -> GeneratedFile {
    var writer = SourceWriter()
    writer.gap()
    writer.doc("What each operation takes and answers.")
    writer.line("public enum Operations {}")
    writer.gap()
    writer.block("extension APIOperation") { writer in
      writer.doc("Every operation, in the document's order.")
      writer.line("public static let all: [APIOperation] = [")
      writer.indented { writer in
        for operation in document.operations {
          writer.line("." + SwiftName.member(operation.memberName) + ",")
        }
      }
      writer.line("]")
    }
    return GeneratedFile(path: folder + "Operations.swift", text: writer.text)
  }

  private func text(of operation: Operation) -> String {
    var imports: [String] = []
    if !operation.isStream { imports.append("MeroHTTP") }
    if operation.usesData { imports.append("Foundation") }
    if (operation.jsonFields ?? []).contains(where: { $0.type.name == "AnyValue" }) {
      imports.append("MeroWire")
    }
    var writer = SourceWriter(imports: imports)
    writer.gap()
    writer.block("extension Operations") { writer in
      writer.doc(operation.documentationParagraphs + facts(of: operation))
      writer.block("public enum \(operation.typeName)") { writer in
        InputEmitter(operation: operation).emitType(to: &writer)
        if !operation.isStream {
          writer.gap()
          OutputEmitter(operation: operation, document: document).emitType(to: &writer)
        }
      }
    }
    writer.gap()
    description(of: operation, to: &writer)
    writer.gap()
    InputEmitter(operation: operation).emitRequest(to: &writer)
    if !operation.isStream {
      writer.gap()
      OutputEmitter(operation: operation, document: document).emitReader(to: &writer)
    }
    return writer.text
  }

  private func facts(of operation: Operation) -> [String] {
    ["`\(operation.httpMethod.uppercased()) \(operation.path)`"] + operation.ruleParagraphs
      + (operation.isStream
        ? ["Its answer is a stream, so it has no output here and no method of `Client`."] : [])
  }

  private func description(of operation: Operation, to writer: inout SourceWriter) {
    var items = [
      "id: \"\(operation.id)\"", "group: \"\(operation.group)\"", "name: \"\(operation.method)\"",
      "httpMethod: .\(operation.httpMethod)", "pathTemplate: \"\(operation.path)\"",
    ]
    switch operation.retrySafety {
    case .always: items.append("retrySafety: .always")
    case .never: items.append("retrySafety: .never")
    case .field(let name): items.append("retrySafety: .field(\"\(name)\")")
    }
    if let stepUp = operation.stepUp { items.append("stepUp: .\(stepUp)") }
    if operation.needsOperatorSignature { items.append("needsOperatorSignature: true") }
    if operation.acceptsSession { items.append("acceptsSession: true") }
    if operation.acceptsApiKey { items.append("acceptsApiKey: true") }
    if !operation.scopes.isEmpty { items.append("scopes: \(literal(operation.scopes))") }
    if operation.isStream { items.append("isStream: true") }
    if operation.isUnsealed { items.append("isUnsealed: true") }
    items.append("tier: \(operation.tier)")
    writer.block("extension APIOperation") { writer in
      writer.doc(operation.summary + ".")
      writer.line("public static let \(SwiftName.quoted(operation.memberName)) = APIOperation(")
      writer.indented { writer in
        for item in items { writer.line(item + ",") }
        writer.array("errorCodes: [", operation.errorCodes.map { "\"\($0)\"" }, "]")
      }
      writer.line(")")
    }
  }

  private func literal(_ words: [String]) -> String {
    "[" + words.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }
}

extension Operation {
  var usesData: Bool {
    if case .binary? = body { return true }
    return content == .binary
  }

  /// Summary and description.
  var documentationParagraphs: [String] {
    [summary.isEmpty ? "" : summary + ".", documentation]
  }

  /// What it asks of the caller beyond its arguments.
  var ruleParagraphs: [String] {
    var rules: [String] = []
    switch stepUp {
    case "always"?: rules.append("It needs a passkey for this very request.")
    case _?: rules.append("It may need a passkey for this very request. \(stepUpWhen ?? "")")
    case nil: break
    }
    if needsOperatorSignature { rules.append("It needs an operator's signature.") }
    if !scopes.isEmpty {
      rules.append("An API key needs \(scopes.map { "`\($0)`" }.joined(separator: ", ")).")
    } else if acceptsSession, !acceptsApiKey {
      rules.append("It takes no API key.")
    }
    if case .field(let name) = retrySafety { rules.append("With `\(name)` it is safe to repeat.") }
    return rules
  }
}
