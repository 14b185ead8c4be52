import Foundation
import MeroHTTP

/// An answer outside 2xx.
public struct HTTPError: Error, Sendable, Hashable {
  /// The status code.
  public let status: Int
  /// The standard phrase of the status, such as `Not Found`.
  public let statusText: String
  /// The address that answered.
  public let url: String
  /// The header fields, their names in lower case.
  public let headers: HTTPHeaders
  /// The body, at most its first 65,536 characters.
  public let bodyText: String

  /// An answer of these parts.
  public init(
    status: Int, statusText: String? = nil, url: String = "", headers: HTTPHeaders = [:],
    bodyText: String = ""
  ) {
    self.status = status
    self.statusText = statusText ?? HTTPStatus.phrase(status)
    self.url = url
    self.headers = headers
    self.bodyText = String(bodyText.prefix(Self.bodyLimit))
  }

  static let bodyLimit = 65_536

  /// What the node's guard says about the credential: `token_expired`, `token_revoked`, `permission_denied`, and others.
  public var authError: String? { headers["x-auth-error"] }

  /// What the error body says; nil when it is not one.
  public var refusal: ErrorRefusal? { ErrorRefusal(body: bodyText) }

  /// Seconds the node asks to wait: a number, or a date counted from `now`; nil when it does not ask.
  package func retryAfter(now: Date) -> TimeInterval? {
    headers["retry-after"].flatMap { HTTPDate.span($0, now: now) }
  }

  /// Why a session has ended for good; nil when this answer does not say so.
  var revocation: String? {
    guard status == 401 || status == 403, let authError else { return nil }
    return ["token_reuse", "token_revoked"].contains(authError) ? authError : nil
  }

  /// Whether the access token is merely old.
  var isExpiredToken: Bool { status == 401 && authError == "token_expired" }
}

extension HTTPError: CustomStringConvertible, LocalizedError {
  /// Status, phrase and the node's explanation; never a token.
  public var description: String {
    let head = statusText.isEmpty ? "HTTP \(status)" : "HTTP \(status) \(statusText)"
    guard let explanation = refusal?.message else { return head }
    return "\(head): \(Excerpt.of(explanation, upTo: 1000))"
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// A short piece of an answer for an error's text.
enum Excerpt {
  /// The beginning of `text`, without anything that looks like a token of a node.
  static func of(_ text: String, upTo limit: Int = 200) -> String {
    var result = ""
    var rest = text.prefix(limit)
    // A JSON object in base64url begins like this, and so does each of the tokens a node gives out.
    while let start = rest.range(of: "eyJ") {
      result += rest[..<start.upperBound]
      let after = rest[start.upperBound...]
      let token = after.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      result += token.count < 8 ? token : "…"
      rest = after[token.endIndex...]
    }
    return result + rest
  }
}
