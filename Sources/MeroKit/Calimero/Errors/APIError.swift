import Foundation
import MeroWire

/// A node's refusal: it read the request and answered with a status outside 2xx.
public struct APIError: Sendable, Hashable {
  /// Whether the operation had an effect before it was refused.
  public enum Ran: String, Sendable, Hashable {
    /// Nothing ran; sending it again repeats nothing.
    case no
    /// It ran, and this refusal is its outcome.
    case yes
    /// It may have run.
    case unknown
  }

  /// The HTTP status.
  public let status: Int
  /// The code; `HTTP_` and the status when the answer was not an error body of this API.
  public let code: ErrorCode
  /// A sentence for a developer; not stable and not for end users.
  public let message: String
  /// The request's id, by which an operator finds it in a log.
  public let requestId: String?
  /// Seconds the node asks to wait before another try.
  public let retryAfter: TimeInterval?
  /// Facts about this error; their shape depends on ``code``.
  public let details: JSONValue?
  /// The base URL of the node that refused.
  public let node: URL?
  /// The operation's id, such as `org_get`, or method and path outside the API document.
  public let operation: String?
  /// Whether the operation had an effect.
  public let ran: Ran

  /// Describes a refusal.
  public init(
    status: Int, code: ErrorCode, message: String, requestId: String? = nil,
    retryAfter: TimeInterval? = nil, details: JSONValue? = nil, node: URL? = nil,
    operation: String? = nil, ran: Ran? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.requestId = requestId
    self.retryAfter = retryAfter
    self.details = details
    self.node = node
    self.operation = operation
    self.ran = ran ?? code.ran(status: status)
  }

  /// The value the app's own method failed with, when ``code`` is `METHOD_FAILED` (70 §2.15).
  public var appError: JSONValue? {
    code == .methodFailed ? details?["error"] : nil
  }

  /// The value the app's own method failed with, as a type of the app.
  ///
  /// - Returns: nil when the refusal is not the app's.
  /// - Throws: ``CalimeroError/decoding(_:)`` when the value does not fit `type`.
  public func appError<T: Decodable>(as type: T.Type = T.self) throws -> T? {
    guard let appError else { return nil }
    do {
      return try appError.decode(type)
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error, operation: operation))
    }
  }
}

extension APIError {
  /// Reads a refusal out of an answer: the API's error body, or whatever a proxy wrote in its place.
  package init(
    status: Int, retryAfterSeconds: TimeInterval? = nil, requestId: String? = nil, body: Data,
    node: URL? = nil, operation: String? = nil
  ) {
    let info = (try? JSONValue(parsing: body))?["error"]
    if let code = info?["code"]?.stringValue, let message = info?["message"]?.stringValue {
      let named = info?["retryAfterMs"]?.int64.map { Double(max(0, $0)) / 1000 }
      self.init(
        status: status, code: ErrorCode(code), message: Redaction.withoutTokens(message),
        requestId: info?["requestId"]?.stringValue ?? requestId,
        retryAfter: named ?? retryAfterSeconds, details: info?["details"], node: node,
        operation: operation)
    } else {
      // Not ours: a page of a proxy, or a node of another kind. Enough of it to recognise the sender.
      let text = String(String(decoding: body.prefix(800), as: UTF8.self).prefix(200))
      self.init(
        status: status, code: ErrorCode("HTTP_\(status)"), message: Redaction.withoutTokens(text),
        requestId: requestId, retryAfter: retryAfterSeconds, node: node, operation: operation)
    }
  }
}

extension ErrorCode {
  /// Whether an operation refused with this code had an effect, from the API document's table.
  package func ran(status: Int) -> APIError.Ran {
    if let known = Self.table[rawValue], let ran = APIError.Ran(rawValue: known.ran) { return ran }
    return (400..<500).contains(status) ? .no : .unknown
  }
}
