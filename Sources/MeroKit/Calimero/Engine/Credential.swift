import Foundation

/// What a request proves who it comes from with.
enum Credential: Sendable {
  case none
  /// An API key, or a token that is not refreshed.
  case token(String)
  case session(Bearer)

  /// For this long another node than the issuing one may not know a session yet, in seconds (70 §2.9).
  static let youth: TimeInterval = 30

  var bearer: Bearer? { if case .session(let bearer) = self { bearer } else { nil } }

  var token: String? {
    switch self {
    case .none: nil
    case .token(let token): token
    case .session(let bearer): bearer.token
    }
  }

  /// The node that issued the session.
  var issuer: URL? { bearer?.issuedBy }

  /// Whether the session is so new that a node which did not issue it may not have heard of it.
  func isYoung(at now: TimeInterval, elsewhereThan node: URL) -> Bool {
    guard let bearer, let issuer = bearer.issuedBy, issuer != node else { return false }
    return now - bearer.issuedAtUptime < Self.youth
  }
}
