import Foundation
import MeroHTTP
import MeroWire

/// One request at the node, read and checked as far as that needs nothing of the node's state.
struct NodeExchange: Sendable {
  let method: HTTPMethod
  /// The path below the base URL, as it was sent.
  let path: String
  /// The route's row, as a test names it.
  let route: String
  /// Path parameters, decoded; ids in lower case.
  let parameters: [String: String]
  /// Query items, decoded.
  let query: [String: String]
  let headers: HTTPHeaders
  let body: Data
  /// The fields of a JSON body that the route declares.
  let fields: NodeFields
  let caller: NodeCaller
  /// The host the request went to, for tokens that are bound to one.
  let host: String
  /// The node's base URL under the name the client reached it by.
  let nodeURL: String
  /// What the client said about silence; event streams keep to it when they freeze.
  let idleTimeout: TimeInterval?
  var now: Date

  /// A path parameter of the route.
  subscript(parameter: String) -> String {
    guard let value = parameters[parameter] else {
      preconditionFailure("\(route) has no parameter \(parameter)")
    }
    return value
  }

  /// The node's time in Unix seconds.
  var seconds: Int64 { Int64(now.timeIntervalSince1970.rounded(.down)) }
  /// The node's time in Unix milliseconds.
  var milliseconds: Int64 { Int64((now.timeIntervalSince1970 * 1000).rounded()) }

  /// What `offset` and `limit` ask for, clamped as the node does (20 §1.6).
  func page<Element>(of all: [Element]) throws(NodeRefusal) -> [Element] {
    let offset = min(try count("offset") ?? 0, 100_000)
    let limit = min(try count("limit") ?? 100, 1_000)
    return Array(all.dropFirst(offset).prefix(limit))
  }

  private func count(_ name: String) throws(NodeRefusal) -> Int? {
    guard let text = query[name] else { return nil }
    guard let number = UInt64(text) else {
      throw NodeRefusal(
        400, "Failed to deserialize query string: \(name): invalid digit found in string", .text)
    }
    return Int(clamping: number)
  }

  /// Reads a query string: `+` is a space, and the last of a repeated name counts.
  static func readQuery(_ text: Substring?) -> [String: String] {
    var items: [String: String] = [:]
    for item in text?.split(separator: "&") ?? [] {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
        let spaced = part.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
      }
      items[parts[0]] = parts.count == 2 ? parts[1] : ""
    }
    return items
  }
}
