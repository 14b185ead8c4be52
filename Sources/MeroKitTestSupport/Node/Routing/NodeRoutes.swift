import Foundation
import MeroHTTP

/// The table of everything the node answers. A file of routes contributes its rows here.
struct NodeRoutes: Sendable {
  enum Match {
    case found(NodeRoute, parameters: [String: String])
    /// The path is known, the method is not; these are.
    case otherMethod(template: String, [String])
    case unknown

    /// The path as the table has it.
    var template: String? {
      switch self {
      case .found(let route, _): route.template
      case .otherMethod(let template, _): template
      case .unknown: nil
      }
    }
  }

  static let all = NodeRoutes(
    SystemRoutes.rows + AuthRoutes.rows + LoginRoutes.rows + AccountLogin.rows + KeyRoutes.rows
      + RpcRoutes.rows
      + StreamRoutes.rows
      + ApplicationRoutes.rows + ContextRoutes.rows + ContextListRoutes.rows + BlobRoutes.rows
      + Governance.rows)

  let rows: [NodeRoute]
  private let byLength: [Int: [NodeRoute]]

  init(_ rows: [NodeRoute]) {
    self.rows = rows
    byLength = Dictionary(grouping: rows) { $0.segments.count }
    precondition(Set(rows.map(\.name)).count == rows.count, "a route is in the table twice")
  }

  /// The route of a path. Text in a template wins over a parameter, the earlier segment deciding first.
  func match(_ method: HTTPMethod, path: String) -> Match {
    guard path.hasPrefix("/") else { return .unknown }
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(Self.decode)
    let candidates = (byLength[parts.count] ?? []).compactMap { row in
      Self.parameters(of: row, in: parts).map { (row, $0) }
    }
    guard let best = candidates.map({ Self.rank($0.0) }).min() else { return .unknown }
    let rows = candidates.filter { Self.rank($0.0) == best }
    // As web frameworks do, HEAD is answered by GET where it has no row of its own.
    let found = rows.first { $0.0.method == method } ?? rows.first { method == .head && $0.0.method == .get }
    guard let found else { return .otherMethod(template: rows[0].0.template, rows.map(\.0.method.rawValue)) }
    return .found(found.0, parameters: found.1)
  }

  private static func parameters(of row: NodeRoute, in parts: [String?]) -> [String: String]? {
    var found: [String: String] = [:]
    for (segment, part) in zip(row.segments, parts) {
      guard let part else { return nil }
      switch segment {
      case .text(let text): if text != part { return nil }
      case .parameter(let name):
        if part.isEmpty { return nil }
        found[name] = part
      }
    }
    return found
  }

  /// One digit for each segment, smaller for text: texts of one length compare as the segments do.
  private static func rank(_ row: NodeRoute) -> String {
    row.segments.map { if case .text = $0 { "0" } else { "1" } }.joined()
  }

  private static func decode(_ part: Substring) -> String? { part.removingPercentEncoding }
}
