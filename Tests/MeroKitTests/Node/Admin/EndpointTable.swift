import Foundation

/// One row of `openapi/node-admin-endpoints.tsv`.
struct EndpointRow: Sendable, Hashable {
  let method: String
  /// With `{name}` where a value goes.
  let path: String
  let requestType: String
  let responseType: String
  let status: Int
  let name: String
  /// The query parameters the route takes.
  let query: [String]

  /// What tells the row from all others.
  var key: String { "\(method) \(path)" }

  init(line: Substring) throws {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 9, let status = Int(cells[5]) else { throw BadRow(line: String(line)) }
    method = cells[1]
    path = cells[2]
    requestType = cells[3]
    responseType = cells[4]
    self.status = status
    name = cells[7]
    let note = cells[8].split(separator: ";")[0]
    query = note.hasPrefix("query=") ? note.dropFirst(6).split(separator: ",").map(String.init) : []
  }

  struct BadRow: Error { let line: String }
}

enum EndpointTable {
  /// The package's folder.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// All rows, in the file's order.
  static func rows() throws -> [EndpointRow] {
    let file = package.appendingPathComponent("openapi/node-admin-endpoints.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
    return try lines.map(EndpointRow.init)
  }

  /// The names of `AdminApi`'s public calls, as its sources have them.
  static func declaredCalls() throws -> Set<String> {
    let folder = package.appendingPathComponent("Sources/MeroKit/Node/Admin")
    let files = ["Calls"].flatMap { name in
      (try? FileManager.default.contentsOfDirectory(
        at: folder.appendingPathComponent(name), includingPropertiesForKeys: nil)) ?? []
    }
    var names: Set<String> = []
    for file in files {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let start = line.range(of: "public func ") else { continue }
        names.insert(String(line[start.upperBound...].prefix { $0 != "(" }))
      }
    }
    return names
  }
}
