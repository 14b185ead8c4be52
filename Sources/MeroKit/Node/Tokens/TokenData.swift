import Foundation
import MeroWire

/// The tokens of a session with a node. A secret.
public struct TokenData: Codable, Sendable, Hashable {
  /// Sent with every request; lives for an hour or less.
  public var accessToken: String
  /// Renews the access token, once. Empty for a session that cannot be renewed.
  public var refreshToken: String
  /// When the access token ends, as far as is known.
  public var expiresAt: Date
  /// The node they are good at, where one store is used for one node after another; nil when the store is one node's.
  var origin: String?

  /// Tokens with a known end.
  public init(accessToken: String, refreshToken: String, expiresAt: Date) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.expiresAt = expiresAt
  }

  /// Tokens whose end is what the access token says, else an hour after `now`.
  init(accessToken: String, refreshToken: String, now: Date) {
    self.init(
      accessToken: accessToken, refreshToken: refreshToken,
      expiresAt: expiresAtFromJWT(accessToken, fallback: now + Self.assumedLife))
  }

  static let assumedLife: TimeInterval = 3600

  fileprivate enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case expiresAt = "expires_at"
    case origin
  }

  /// Reads a stored bundle; an end that is missing or not positive is an hour from now.
  public init(from decoder: any Decoder) throws {
    self = try Stored(from: decoder).tokens(now: Date())
  }

  /// Writes a bundle as it is stored, its end in Unix milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(accessToken, forKey: .accessToken)
    try container.encode(refreshToken, forKey: .refreshToken)
    try container.encode(Self.milliseconds(expiresAt), forKey: .expiresAt)
    try container.encodeIfPresent(origin, forKey: .origin)
  }

  /// A bundle as it stands in a store.
  fileprivate struct Stored: Decodable {
    let accessToken: String
    let refreshToken: String
    let expiresAt: JSONNumber?
    let origin: String?

    typealias CodingKeys = TokenData.CodingKeys

    func tokens(now: Date) -> TokenData {
      let end = (expiresAt?.double ?? 0) / 1000
      var tokens = TokenData(
        accessToken: accessToken, refreshToken: refreshToken,
        expiresAt: end > 0 && end.isFinite
          ? Date(timeIntervalSince1970: end) : now + TokenData.assumedLife)
      tokens.origin = origin
      return tokens
    }
  }

  /// The moment in Unix milliseconds, whatever its size.
  private static func milliseconds(_ date: Date) -> Int64 {
    Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) ?? .max
  }
}

extension TokenData {
  /// Where tokens are kept does not make them others.
  public static func == (one: TokenData, other: TokenData) -> Bool {
    one.accessToken == other.accessToken && one.refreshToken == other.refreshToken
      && one.expiresAt == other.expiresAt
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(accessToken)
    hasher.combine(refreshToken)
    hasher.combine(expiresAt)
  }
}

extension TokenData {
  /// Reads a stored bundle; nil when the bytes are not one, or it has no access token.
  package init?(record: Data, now: Date) {
    guard let stored = try? ExactJSON.decode(Stored.self, from: record), !stored.accessToken.isBlank else {
      return nil
    }
    self = stored.tokens(now: now)
  }

  /// The bundle as it is stored.
  package func record() throws -> Data { try ExactJSON.encode(self) }
}
