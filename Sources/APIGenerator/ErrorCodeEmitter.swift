/// Writes the codes of refusals and what each says about whether the operation ran.
struct ErrorCodeEmitter {
  let document: Document

  func file() -> GeneratedFile {
    var writer = SourceWriter()
    writer.gap()
    writer.block("extension ErrorCode") { writer in
      for code in document.errorCodes {
        writer.doc("\(code.status): \(code.documentation)")
        writer.line(
          "public static let \(SwiftName.quoted(SwiftName.code(code.code))) = ErrorCode(\"\(code.code)\")")
      }
      writer.gap()
      writer.doc(
        "The status each code comes with, and whether the operation had an effect: `yes`, `no` or `unknown`.")
      writer.line("package static let table: [String: (status: Int, ran: String)] = [")
      writer.indented { writer in
        for code in document.errorCodes {
          writer.line("\"\(code.code)\": (\(code.status), \"\(code.ran)\"),")
        }
      }
      writer.line("]")
    }
    return GeneratedFile(path: "Sources/MeroKit/Api/Generated/ErrorCodes.swift", text: writer.text)
  }
}
