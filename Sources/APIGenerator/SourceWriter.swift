/// Swift source, line by line, laid out as `swift format` leaves it.
struct SourceWriter {
  static let width = 110
  static let header =
    "// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand."

  private(set) var text: String
  private var depth = 0

  init(imports: [String] = []) {
    text = SourceWriter.header + "\n"
    if !imports.isEmpty {
      text += "\n" + imports.sorted().map { "import \($0)\n" }.joined()
    }
  }

  private var room: Int { SourceWriter.width - 2 * depth }

  mutating func line(_ line: String) {
    text += line.isEmpty ? "\n" : String(repeating: "  ", count: depth) + line + "\n"
  }

  /// An empty line, but neither after another nor after an opening brace.
  mutating func gap() {
    guard !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") else { return }
    text += "\n"
  }

  mutating func block(_ head: String, _ body: (inout SourceWriter) -> Void) {
    line(head + " {")
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  mutating func indented(_ body: (inout SourceWriter) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// A documentation comment of paragraphs, wrapped at the width. Empty paragraphs are left out.
  mutating func doc(_ paragraphs: [String]) {
    var isFirst = true
    var wasItem = false
    for paragraph in paragraphs where !paragraph.isEmpty {
      let isItem = paragraph.hasPrefix("- ")
      let isNested = paragraph.hasPrefix("  - ")
      if !isFirst, !(wasItem && (isItem || isNested)) { line("///") }
      for text in wrapped(paragraph, width: room - 4, hanging: isNested ? "    " : isItem ? "  " : "") {
        line("/// " + text)
      }
      isFirst = false
      wasItem = isItem || isNested
    }
  }

  mutating func doc(_ paragraph: String) { doc([paragraph]) }

  /// A declaration or call with a list in the middle: on one line if it fits, else an item a line.
  mutating func list(_ open: String, _ items: [String], _ close: String) {
    let whole = open + items.joined(separator: ", ") + close
    guard whole.count > room, !items.isEmpty else { return line(whole) }
    line(open)
    indented { writer in
      for (index, item) in items.enumerated() {
        writer.line(item + (index == items.count - 1 ? "" : ","))
      }
    }
    line(close)
  }

  /// A value that is an array: on one line if it fits, else an item a line.
  mutating func rows(_ open: String, _ items: [String], _ close: String) {
    let whole = open + items.joined(separator: ", ") + close
    guard whole.count > room, !items.isEmpty else { return line(whole) }
    line(open)
    indented { writer in
      for item in items { writer.line(item + ",") }
    }
    line(close)
  }

  /// A value that is an array of short items: on one line if it fits, else filled into as few as will do.
  mutating func array(_ open: String, _ items: [String], _ close: String) {
    let whole = open + items.joined(separator: ", ") + close
    guard whole.count > room, !items.isEmpty else { return line(whole) }
    line(open)
    indented { writer in
      let text = items.map { $0 + "," }.joined(separator: " ")
      for part in writer.wrapped(text, width: writer.room, hanging: "") { writer.line(part) }
    }
    line(close)
  }

  private func wrapped(_ paragraph: String, width: Int, hanging: String) -> [String] {
    var lines: [String] = []
    let lead = String(paragraph.prefix { $0 == " " })
    var current = lead
    var isEmpty = true
    for word in paragraph.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }) {
      if !isEmpty, current.count + 1 + word.count > width {
        lines.append(current)
        current = hanging
        isEmpty = true
      }
      current += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    lines.append(current)
    return lines
  }
}
