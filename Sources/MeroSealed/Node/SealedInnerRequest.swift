import Foundation
import MeroHTTP

/// A request as it came out of its envelope, for a node's router.
package struct SealedInnerRequest: Sendable {
  package let method: String
  /// Relative to the node's base URL, with the query.
  package let path: String
  package let headers: HTTPHeaders
  package let body: Data
  package let requestId: UInt64
  package let sessionId: [UInt8]

  package init(
    method: String, path: String, headers: HTTPHeaders, body: Data, requestId: UInt64, sessionId: [UInt8]
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.requestId = requestId
    self.sessionId = sessionId
  }
}

/// What a node makes of the head inside an envelope.
enum InnerRouting {
  /// The fields a router sees.
  ///
  /// An envelope cannot state how the node was reached, so those fields are the outer request's or none. And only the
  /// node's auth service may say who is asking.
  static func headers(_ inner: HTTPHeaders, bodyCount: Int, outer: HTTPRequest) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for (name, value) in inner where !isReplaced(name) { headers.add(name, value) }
    for name in ["x-forwarded-host", "origin"] {
      if let value = outer.headers[name] { headers.add(name, value) }
    }
    if let host = outer.headers["host"] ?? authority(outer.url) { headers.add("host", host) }
    headers.add("content-length", "\(bodyCount)")
    return headers
  }

  private static func isReplaced(_ name: String) -> Bool {
    FieldSyntax.belongsToConnection(name) || name == "upgrade" || name == "x-forwarded-host"
      || name == "origin"
      || name.hasPrefix("x-auth-")
  }

  private static func authority(_ url: URL) -> String? {
    url.host.map { host in url.port.map { "\(host):\($0)" } ?? host }
  }

  /// Whether a path leads back to the sealed endpoints: envelopes are not put into envelopes.
  static func namesEnvelope(_ path: String) -> Bool {
    let segments = self.path(path).split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    return segments.starts(with: ["sealed", "v2"])
  }

  /// Whether a node without authentication of its own serves a path inside an envelope.
  static func isServedUnguarded(_ path: String, _ mode: SealedFaults.Unguarded) -> Bool {
    let path = self.path(path)
    if open.contains(path) { return true }
    guard mode == .delegatedAccess else { return false }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.count == 5, segments[0].isEmpty, segments[1] == "admin-api", isIdentifier(segments[3])
    else {
      return false
    }
    switch segments[2] {
    case "contexts": return segments[4] == "intents"
    case "groups": return segments[4] == "context-intents" || segments[4] == "governance-intents"
    default: return false
    }
  }

  private static let open: Set<String> = Set(
    ["health", "ready", "is-authed", "tee/info", "tee/attest"].map { "/admin-api/\($0)" })

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static func path(_ pathAndQuery: String) -> String {
    String(pathAndQuery.prefix { $0 != "?" })
  }
}
