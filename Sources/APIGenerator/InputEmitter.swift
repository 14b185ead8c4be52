/// Writes the input of one operation and the request made of it.
struct InputEmitter {
  let operation: Operation

  private var sections: [(name: String, parameters: [Parameter])] {
    [
      ("path", operation.parameters(in: .path)), ("query", operation.parameters(in: .query)),
      ("headers", operation.parameters(in: .header)),
    ].filter { !$0.1.isEmpty }
  }

  func emitType(to writer: inout SourceWriter) {
    writer.doc("What it takes.")
    writer.block("public struct Input: Sendable") { writer in
      var parts: [Member] = []
      for (name, parameters) in sections {
        let type = SwiftName.capitalized(name)
        writer.gap()
        writer.doc(name == "headers" ? "The headers it knows." : "The parameters in the \(name).")
        writer.block("public struct \(type): Sendable") { writer in
          writer.members(parameters.map(\.member), initialiser: "Creates them; what is left out is not sent.")
        }
        parts.append(
          Member(
            name: name, type: type,
            documentation: [name == "headers" ? "The headers." : "The parameters in the \(name)."],
            standard: parameters.contains { $0.isRequired } ? nil : ".init()"))
      }
      if let body = operation.body {
        writer.gap()
        emit(body, to: &writer)
        let isOptional: Bool = operation.jsonFields.map { !$0.contains { $0.isRequired } } ?? false
        parts.append(
          Member(
            name: "body", type: "Body", documentation: ["The body."],
            standard: isOptional ? ".json(.init())" : nil))
      }
      writer.gap()
      writer.members(parts, initialiser: "Creates an input.")
    }
  }

  /// Whether an input can be made of nothing.
  var isEmptyAllowed: Bool {
    !operation.parameters.contains { $0.isRequired } && operation.body.map { _ in hasOptionalBody } ?? true
  }

  private var hasOptionalBody: Bool {
    operation.jsonFields.map { !$0.contains { $0.isRequired } } ?? false
  }

  private func emit(_ body: RequestBody, to writer: inout SourceWriter) {
    writer.doc("The body.")
    writer.block("public enum Body: Sendable") { writer in
      switch body {
      case .json(let documentation, let fields):
        writer.doc(documentation)
        writer.structure(
          "JsonPayload", fields, in: operation.id, scope: "Components.Schemas.",
          initialiser: "Creates it from its fields; what is left out is not sent.")
        writer.gap()
        writer.doc("JSON.")
        writer.line("case json(JsonPayload)")
      case .binary(let documentation):
        writer.doc(documentation.isEmpty ? "Bytes." : documentation)
        writer.line("case binary(Data, contentType: String = \"application/octet-stream\")")
      }
    }
  }

  func emitRequest(to writer: inout SourceWriter) {
    writer.block("extension Operations.\(operation.typeName).Input: OperationInput") { writer in
      writer.line(
        "package static var operation: APIOperation { .\(SwiftName.member(operation.memberName)) }")
      writer.gap()
      writer.block("package func request() throws(APIFailure) -> APIRequest") { emitSteps(to: &$0) }
    }
  }

  private func emitSteps(to writer: inout SourceWriter) {
    var items = [".\(SwiftName.member(operation.memberName))"]
    let segments = operation.parameters(in: .path)
    if !segments.isEmpty {
      writer.rows(
        "let segments: [(String, String)] = [", segments.map { pair($0.name, $0, in: "path") }, "]")
      items.append("path: segments")
    }
    let queries = operation.parameters(in: .query)
    if !queries.isEmpty {
      writer.rows(
        "let items: [(String, String?)] = [", queries.map { pair($0.name, $0, in: "query") }, "]")
      items.append("query: items")
    }
    items.append("accept: \"\(accept)\"")
    let create = "\(segments.isEmpty ? "" : "try ")APIRequest(\(items.joined(separator: ", ")))"
    let headers = operation.parameters(in: .header)
    guard !headers.isEmpty || operation.body != nil else { return writer.line("return \(create)") }
    writer.line("var request = \(create)")
    for header in headers {
      let name = header.name.lowercased()
      writer.line("try request.setHeader(\"\(name)\", \(text(of: header, in: "headers")))")
    }
    emitBody(to: &writer)
    writer.line("return request")
  }

  private func pair(_ name: String, _ parameter: Parameter, in section: String) -> String {
    "(\"\(name)\", \(text(of: parameter, in: section)))"
  }

  private func text(of parameter: Parameter, in section: String) -> String {
    parameter.type.text(
      of: "\(section).\(SwiftName.member(parameter.swiftName))", isRequired: parameter.isRequired)
  }

  private func emitBody(to writer: inout SourceWriter) {
    guard let body = operation.body else { return }
    writer.line("switch body {")
    switch body {
    case .json:
      writer.line("case .json(let payload):")
      writer.indented { writer in
        writer.line("try request.setBody(json: payload)")
        if case .field(let name) = operation.retrySafety {
          writer.line("request.isKeyed = payload.\(SwiftName.member(SwiftName.lowerCamel(name))) != nil")
        }
      }
    case .binary:
      writer.line("case .binary(let bytes, let contentType):")
      writer.indented { $0.line("try request.setBody(bytes: bytes, contentType: contentType)") }
    }
    writer.line("}")
  }

  private var accept: String {
    switch operation.content {
    case .none, .json: return "application/json"
    case .binary: return "application/octet-stream"
    case .stream: return "text/event-stream"
    }
  }
}
