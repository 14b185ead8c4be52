import Foundation
import MeroHTTP
import MeroWire

/// A request to a node: what goes through the sealed channel, before the engine adds credentials and ids.
public struct APIRequest: Sendable {
  /// The operation it asks, or nil for a route the document does not have.
  public var operation: APIOperation?
  /// The HTTP method.
  public var method: HTTPMethod
  /// Everything after the node's base URL, the query included, percent-encoded.
  public var path: String
  /// `accept`, `content-type` and the operation's own headers.
  public var headers: HTTPHeaders
  /// The body's exact bytes.
  public var body: Data?
  /// Whether the body carries the field that makes a repeat safe (70 §2.6, class K).
  public var isKeyed: Bool

  /// A request from its parts.
  public init(
    operation: APIOperation? = nil, method: HTTPMethod, path: String, headers: HTTPHeaders = .init(),
    body: Data? = nil, isKeyed: Bool = false
  ) {
    self.operation = operation
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.isKeyed = isKeyed
  }

  init(
    _ operation: APIOperation, path: [(String, String)], query: [(String, String?)] = [], accept: String
  ) throws(APIFailure) {
    let target: String = try InnerPath.fill(operation.pathTemplate, with: path)
    self.init(
      operation: operation, method: operation.httpMethod, path: target + InnerPath.query(query),
      headers: ["accept": accept])
  }

  init(_ operation: APIOperation, query: [(String, String?)] = [], accept: String) {
    self.init(
      operation: operation, method: operation.httpMethod,
      path: operation.pathTemplate + InnerPath.query(query), headers: ["accept": accept])
  }

  /// Makes a value the request's JSON body.
  mutating func setBody(json value: some Encodable) throws(APIFailure) {
    do {
      body = try ExactJSON.encode(value)
    } catch {
      throw .invalidInput("\(operation?.id ?? path): the body cannot be written as JSON: \(error)")
    }
    headers["content-type"] = "application/json"
  }

  /// Makes bytes the request's body.
  mutating func setBody(bytes: Data, contentType: String) throws(APIFailure) {
    body = bytes
    try setHeader("content-type", contentType)
  }

  /// Sets a header; an unset value leaves it out. A control character would let a value write headers of its own.
  mutating func setHeader(_ name: String, _ value: String?) throws(APIFailure) {
    guard let value else { return }
    guard !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      throw .invalidInput("\(operation?.id ?? path): the header \(name) holds a control character")
    }
    headers[name] = value
  }
}
