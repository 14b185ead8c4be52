/// Writes the output of one operation and how it is read.
struct OutputEmitter {
  let operation: Operation
  let document: Document

  func emitType(to writer: inout SourceWriter) {
    writer.doc("What it answers.")
    writer.block("public enum Output: Sendable") { writer in
      for success in operation.successes {
        writer.gap()
        writer.doc(success.documentation)
        writer.block("public struct \(success.typeName): Sendable") { writer in
          switch success.content {
          case .json(let name): writer.jsonBody("Components.Schemas.\(name)")
          case .binary: writer.binaryBody()
          case .none, .stream: break
          }
          writer.gap()
          writer.answerMembers(hasBody: success.content != .none)
        }
      }
      writer.gap()
      for success in operation.successes {
        writer.doc("\(success.status): \(success.documentation)")
        writer.line("case \(success.caseName)(\(success.typeName))")
      }
      for (status, refusal) in refusals {
        writer.doc("\(status): \(refusal.documentation)")
        writer.line("case \(SwiftName.quoted(refusal.caseName))(Components.Responses.\(refusal.name))")
      }
      writer.doc("A status the document does not list, or a refusal whose body is none.")
      writer.line("case undocumented(statusCode: Int, UndocumentedPayload)")
    }
  }

  func emitReader(to writer: inout SourceWriter) {
    writer.block("extension Operations.\(operation.typeName).Output: OperationOutput") { writer in
      writer.block("package init(response: APIResponse) throws(APIFailure)") { writer in
        if let schema = refusals.first?.1.schema {
          writer.line("let refusal: Components.Schemas.\(schema)? = response.refusal()")
          writer.line("switch (response.status, refusal) {")
        } else {
          writer.line("switch (response.status, Void?.none) {")
        }
        for success in operation.successes {
          writer.line("case (\(success.status), _):")
          writer.indented { emit(success, to: &$0) }
        }
        for (status, refusal) in refusals {
          writer.line("case (\(status), let refusal?):")
          writer.indented {
            $0.line(
              "self = .\(SwiftName.member(refusal.caseName))(.init(headers: response.headers, body: .json(refusal)))"
            )
          }
        }
        writer.line("default:")
        writer.indented {
          $0.line("self = .undocumented(statusCode: response.status, response.undocumented)")
        }
        writer.line("}")
      }
    }
  }

  private func emit(_ success: Success, to writer: inout SourceWriter) {
    let member = SwiftName.member(operation.memberName)
    switch success.content {
    case .json(let name):
      writer.line("let payload: Components.Schemas.\(name) = try response.json(of: .\(member))")
      writer.line("self = .\(success.caseName)(.init(headers: response.headers, body: .json(payload)))")
    case .binary:
      writer.line(
        "self = .\(success.caseName)(.init(headers: response.headers, body: .binary(response.body)))")
    case .none, .stream:
      writer.line("self = .\(success.caseName)(.init(headers: response.headers))")
    }
  }

  private var refusals: [(Int, Refusal)] {
    operation.refusals.compactMap { status, name in
      document.refusals.first { $0.name == name }.map { (status, $0) }
    }
  }
}
