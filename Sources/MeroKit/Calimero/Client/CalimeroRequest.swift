import Foundation
import MeroAPI
import MeroHTTP

/// A request to a route the API document lacks, for ``CalimeroClient/request(_:)``.
public struct CalimeroRequest: Sendable {
  /// The HTTP method.
  public var method: HTTPMethod
  /// Everything after the node's base URL, percent-encoded, its query included; begins with `/`.
  public var path: String
  /// `accept`, `content-type` and the route's own headers. Those the client sets itself are refused.
  public var headers: HTTPHeaders
  /// The exact bytes of the body.
  public var body: Data?
  /// Whether sending it twice changes nothing, so that it may be repeated after an unknown outcome; true for GET and
  /// HEAD when nil.
  public var retrySafe: Bool?
  /// Whether the session's token or the API key is sent.
  public var isAuthenticated: Bool
  /// Time limit, tries and id.
  public var options: RequestOptions

  /// A request from its parts.
  ///
  /// - Parameters:
  ///   - path: everything after the node's base URL, percent-encoded.
  ///   - query: what is appended to the path, in the order of its names; the client encodes it.
  public init(
    method: HTTPMethod = .get, path: String, query: [String: String] = [:],
    headers: HTTPHeaders = HTTPHeaders(), body: Data? = nil, retrySafe: Bool? = nil,
    isAuthenticated: Bool = true, options: RequestOptions = RequestOptions()
  ) {
    self.method = method
    self.path = RawRequest.path(path, query)
    self.headers = headers
    self.body = body
    self.retrySafe = retrySafe
    self.isAuthenticated = isAuthenticated
    self.options = options
  }

  /// A request to a path given as segments, which the client encodes.
  public init(
    method: HTTPMethod = .get, segments: [String], query: [String: String] = [:],
    headers: HTTPHeaders = HTTPHeaders(), body: Data? = nil, retrySafe: Bool? = nil,
    isAuthenticated: Bool = true, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      method: method, path: RawRequest.path(segments), query: query, headers: headers, body: body,
      retrySafe: retrySafe, isAuthenticated: isAuthenticated, options: options)
  }
}

/// What a node answered to a ``CalimeroRequest``, a refusal included.
public struct CalimeroResponse: Sendable {
  /// The status inside the sealed channel.
  public let status: Int
  /// The answer's headers.
  public let headers: HTTPHeaders
  /// The body's bytes.
  public let body: Data
  /// The node that answered.
  public let node: URL?
}

/// Paths and headers that callers write themselves.
enum RawRequest {
  /// Headers that are the client's to set; a second one of its kind could be believed in its place.
  private static let reserved: Set<String> = [
    "authorization", "connection", "content-length", "cookie", "host", "transfer-encoding", "upgrade",
  ]

  /// A path of segments, percent-encoded.
  static func path(_ segments: [String]) -> String {
    "/" + segments.map { InnerPath.segment($0) }.joined(separator: "/")
  }

  /// A path with a query after it, in the order of its names, so that it reads the same every time.
  static func path(_ path: String, _ query: [String: String]) -> String {
    let text = InnerPath.query(query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    return path + (path.contains("?") ? text.replacingOccurrences(of: "?", with: "&") : text)
  }

  /// Checks an inner path that came from the caller: it stays below the node's base URL.
  static func check(path: String) throws(CalimeroError) {
    guard path.hasPrefix("/"), !path.hasPrefix("//") else {
      throw .invalidInput("a path begins with one slash; \"\(path.prefix(80))\" does not.")
    }
    guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") && $0 != 0x5C }) else {
      throw .invalidInput("the path holds characters that have to be percent-encoded.")
    }
    let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    guard !segments.contains(where: { $0.removingPercentEncoding.map(isUpward) ?? true }) else {
      throw .invalidInput("the path goes up, or is not percent-encoded properly.")
    }
  }

  private static func isUpward(_ segment: String) -> Bool {
    segment.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." || $0 == "." }
  }

  static func check(headers: HTTPHeaders) throws(CalimeroError) {
    for (name, value) in headers {
      guard !reserved.contains(name), !name.hasPrefix("x-calimero-") else {
        throw .invalidInput("the header \(name) is set by the client itself.")
      }
      guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x3A }),
        !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
      else { throw .invalidInput("the header \(name) cannot be sent.") }
    }
  }
}
