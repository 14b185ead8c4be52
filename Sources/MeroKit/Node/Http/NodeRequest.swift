import Foundation
import MeroHTTP
import MeroWire

/// A request to a node, before it has an address and a credential.
package struct NodeRequest: Sendable {
  /// What is sent after the head.
  package enum Body: Sendable {
    /// JSON text, sent as `application/json`.
    case json(Data)
    /// Bytes, sent as `application/octet-stream`.
    case bytes(Data)
    /// A file, sent as `application/octet-stream`.
    case file(URL)

    /// The two bytes `{}`, for routes that want a body with nothing in it.
    package static let emptyObject = Body.json(Data("{}".utf8))

    /// A value as JSON.
    ///
    /// - Throws: `WireError` for a value that JSON cannot hold.
    package static func json(encoding value: some Encodable) throws -> Body {
      .json(try ExactJSON.encode(value))
    }
  }

  package var method: HTTPMethod
  /// The path below the base URL, made of literals and ``NodePath/segment(_:)``; it may have a query.
  package var path: String
  /// Added to the path, percent-encoded.
  package var query: [(String, String)]
  package var body: Body?
  /// Sent as they are. An `Authorization` here replaces the session's, and is neither refreshed nor sent twice.
  package var headers: HTTPHeaders
  /// Seconds for one try with its answer; infinite for no limit. nil is the client's own limit, or none when there is an
  /// ``idleTimeout``.
  package var timeout: TimeInterval?
  /// Seconds without a byte received.
  package var idleTimeout: TimeInterval?
  /// Whether sending it twice changes nothing, though it is neither GET nor HEAD.
  package var isIdempotent: Bool
  /// Whether an old access token is renewed and the request sent again.
  package var canRefresh: Bool
  /// How often it is sent at most while the node is away or busy. nil is three times for what may be repeated, and once
  /// for everything else and for what is opened as a stream.
  package var attempts: Int?
  /// Told how much of the body has been sent, when the transport knows.
  package var onSent: (@Sendable (_ sent: Int64, _ total: Int64) -> Void)?

  package init(
    _ method: HTTPMethod = .get, _ path: String, query: [(String, String)] = [], body: Body? = nil,
    headers: HTTPHeaders = [:], timeout: TimeInterval? = nil, idleTimeout: TimeInterval? = nil,
    isIdempotent: Bool = false, canRefresh: Bool = true, attempts: Int? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.headers = headers
    self.timeout = timeout
    self.idleTimeout = idleTimeout
    self.isIdempotent = isIdempotent
    self.canRefresh = canRefresh
    self.attempts = attempts
  }

  var bringsOwnCredential: Bool { headers["authorization"] != nil }

  var mayBeRepeated: Bool { method == .get || method == .head || isIdempotent }

  /// The request as it is sent to `url` with `bearer`.
  func httpRequest(to url: URL, bearer: String?, timeout: TimeInterval) -> HTTPRequest {
    var headers = headers
    if let bearer { headers["authorization"] = "Bearer \(bearer)" }
    if let body, headers["content-type"] == nil { headers["content-type"] = body.contentType }
    var request = HTTPRequest(
      method, url, headers: headers, body: body?.content, timeout: timeout.isFinite ? timeout : nil,
      idleTimeout: idleTimeout)
    request.onSent = onSent
    return request
  }
}

extension NodeRequest.Body {
  fileprivate var contentType: String {
    if case .json = self { "application/json" } else { "application/octet-stream" }
  }

  fileprivate var content: HTTPRequestBody {
    switch self {
    case .json(let data), .bytes(let data): .data(data)
    case .file(let url): .file(url)
    }
  }
}

/// An answer within 2xx, whole.
public struct NodeResponse: Sendable, Hashable {
  /// The status code.
  public let status: Int
  /// The header fields.
  public let headers: HTTPHeaders
  /// The body.
  public let body: Data

  /// An answer of these parts.
  public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
