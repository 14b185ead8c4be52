import Foundation
import MeroHTTP

/// A path below `/admin-api`, written as text with values in it. Each value becomes one segment, percent-encoded.
struct AdminPath: ExpressibleByStringInterpolation {
  private let text: String
  /// Whether a value was empty or dots: on the way it would be folded into another path than the one that was meant.
  private let isFolded: Bool

  init(stringLiteral text: String) {
    self.text = text
    isFolded = false
  }

  init(stringInterpolation path: Interpolation) {
    text = path.text
    isFolded = path.isFolded
  }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    fileprivate var isFolded = false

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity + 64) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: String) {
      isFolded = isFolded || ["", ".", ".."].contains(value)
      text += NodePath.segment(value)
    }
  }

  /// A request to this path.
  ///
  /// - Throws: ``MeroError/network(_:)`` when a value cannot stand in a path.
  func request(
    _ method: HTTPMethod, _ body: NodeRequest.Body? = nil, query: [(String, String?)] = [],
    timeout: TimeInterval? = nil, idleTimeout: TimeInterval? = nil
  ) throws(MeroError) -> NodeRequest {
    guard !isFolded else { throw .network("an id or name in the request's path is empty or only dots") }
    return NodeRequest(
      method, "/admin-api/" + text, query: query.compactMap { name, value in value.map { (name, $0) } },
      body: body, timeout: timeout, idleTimeout: idleTimeout)
  }
}
