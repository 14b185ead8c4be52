import MeroWire

/// Writes the document itself as a string, without what only a reader needs.
enum DocumentEmitter {
  static func file(for source: JSONValue) -> GeneratedFile {
    let text = bare(source).text
    // As many number signs as no quotation mark inside the text is followed by.
    var fence = "#"
    while text.contains("\"" + fence) { fence += "#" }
    let swift = """
      // swift-format-ignore-file
      \(SourceWriter.header)

      /// The API document without descriptions and examples, for checking requests and answers against it.
      package enum OpenAPIDocument {
        /// The document as JSON.
        package static let json: String =
          \(fence)"\(text)"\(fence)
      }

      """
    return GeneratedFile(path: "Sources/MeroKitTestSupport/Generated/OpenAPIDocument.swift", text: swift)
  }

  private static let prose: Set<String> = [
    "description", "summary", "example", "examples", "x-calimero-enum-descriptions",
  ]
  /// Members whose own members are named by the document's author: a property may well be called "summary".
  private static let maps: Set<String> = [
    "paths", "schemas", "responses", "parameters", "properties", "securitySchemes", "content", "headers",
  ]
  /// Members that are data and not document.
  private static let data: Set<String> = ["default", "enum", "required"]

  private static func bare(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let items): return .array(items.map(bare))
    case .object(let object):
      var kept = JSONObject()
      for (name, member) in object where !prose.contains(name) {
        if data.contains(name) {
          kept[name] = member
        } else if maps.contains(name), let inner = member.objectValue {
          var entries = JSONObject()
          for (key, entry) in inner { entries[key] = bare(entry) }
          kept[name] = .object(entries)
        } else {
          kept[name] = bare(member)
        }
      }
      return .object(kept)
    default: return value
    }
  }
}
