import Foundation
import Testing

/// A row of `openapi/node-admin-endpoints.tsv`.
struct EndpointRow: Sendable, CustomTestStringConvertible {
  let method: String
  /// With `{name}` where a value goes.
  let path: String
  let request: String
  let response: String
  let status: Int
  let access: String
  /// The query parameters the route takes.
  let query: [String]

  var name: String { "\(method) \(path)" }
  var testDescription: String { name }

  /// No released node serves the two about warrants' numbers (20 §5.4).
  var isServed: Bool { !path.contains("/warrant-nonce") }

  static let all: [EndpointRow] = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../openapi/node-admin-endpoints.tsv")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { EndpointRow($0) }
  }()

  private init?(_ line: Substring) {
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard columns.count == 9, let status = Int(columns[5]) else { return nil }
    method = columns[1]
    path = columns[2]
    request = columns[3]
    response = columns[4]
    self.status = status
    access = columns[6]
    let note = columns[8].prefix { $0 != ";" }
    query = note.hasPrefix("query=") ? note.dropFirst(6).split(separator: ",").map(String.init) : []
  }
}
