import Foundation
import MeroWire
import Testing

/// What one run of a subcommand ended with, and what it wrote.
struct ToolResult: Sendable {
  let status: Int32
  let lines: [String]
  let remarks: [String]
  /// What was written as it is.
  var bytes = Data()

  var text: String { lines.joined(separator: "\n") }
  var told: String { remarks.joined(separator: "\n") }

  /// The line at `index` as JSON.
  func json(_ index: Int = 0) throws -> JSONValue {
    try JSONValue(parsing: try #require(lines.dropFirst(index).first))
  }
}
