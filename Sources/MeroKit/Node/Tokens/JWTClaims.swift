import Foundation
import MeroWire

/// What a client may read of a token: no signature is checked, so nothing here decides who somebody is (10 §2.3).
package struct JWTClaims: Sendable, Hashable {
  /// When it was issued, in Unix seconds.
  package let issuedAt: TimeInterval?
  /// When it ends, in Unix seconds.
  package let expiresAt: TimeInterval?
  /// Whom it was issued to, as a text that is only ever compared.
  package let subject: String?

  /// Reads the claims of a token of three parts; nil for any other text.
  package init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Self.bytes(parts[1]),
      let claims = try? JSONValue(parsing: bytes), claims.objectValue != nil
    else { return nil }
    issuedAt = Self.moment(claims["iat"])
    expiresAt = Self.moment(claims["exp"])
    subject = claims["sub"]?.stringValue
  }

  private static func bytes(_ part: Substring) -> [UInt8]? {
    let text = part.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    return try? Base64URL.decode(String(text), allowingPadding: true)
  }

  private static func moment(_ claim: JSONValue?) -> TimeInterval? {
    guard let seconds = claim?.double, seconds > 0, seconds.isFinite else { return nil }
    return seconds
  }
}

/// When a token ends by its own account; `fallback` when it does not say. Informational: a node decides what it accepts.
public func expiresAtFromJWT(_ token: String, fallback: Date) -> Date {
  JWTClaims(token)?.expiresAt.map { Date(timeIntervalSince1970: $0) } ?? fallback
}
