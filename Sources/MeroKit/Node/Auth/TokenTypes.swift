import Foundation
import MeroWire

/// A login: `POST /auth/token`. A secret.
public struct TokenRequest: Codable, Sendable, Hashable {
  /// How the caller proves who it is, such as `user_password`.
  public var authMethod: String
  /// The user's name, or a key, depending on the method.
  public var publicKey: String
  /// What the tokens are for. A plain word: a URL would bind them to that URL's host.
  public var clientName: String
  /// What is asked for. What is granted is what the key has.
  public var permissions: [String]
  /// Unix seconds.
  public var timestamp: Int64
  /// What the method needs.
  public var providerData: JSONValue

  /// A login of these parts.
  public init(
    authMethod: String, publicKey: String, clientName: String, permissions: [String] = [], timestamp: Int64,
    providerData: JSONValue = [:]
  ) {
    self.authMethod = authMethod
    self.publicKey = publicKey
    self.clientName = clientName
    self.permissions = permissions
    self.timestamp = timestamp
    self.providerData = providerData
  }

  /// A login with a password.
  public init(
    _ credentials: Credentials, clientName: String = "mero-swift-sdk", permissions: [String] = ["admin"],
    at now: Date
  ) {
    self.init(
      authMethod: "user_password", publicKey: credentials.username, clientName: clientName,
      permissions: permissions, timestamp: Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0,
      providerData: ["username": .string(credentials.username), "password": .string(credentials.password)])
  }

  private enum CodingKeys: String, CodingKey {
    case authMethod = "auth_method"
    case publicKey = "public_key"
    case clientName = "client_name"
    case permissions, timestamp
    case providerData = "provider_data"
  }
}

/// A renewal: `POST /auth/refresh`. A secret.
public struct RefreshTokenRequest: Codable, Sendable, Hashable {
  /// The access token that has expired.
  public var accessToken: String
  /// The refresh token, which this uses up.
  public var refreshToken: String

  /// A renewal of this pair.
  public init(accessToken: String, refreshToken: String) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
  }

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
  }
}

/// The end of a session: `POST /auth/logout`. A secret.
public struct LogoutRequest: Codable, Sendable, Hashable {
  /// The session's refresh token.
  public var refreshToken: String

  /// The end of the session of this token.
  public init(refreshToken: String) { self.refreshToken = refreshToken }

  private enum CodingKeys: String, CodingKey { case refreshToken = "refresh_token" }
}

/// What a node says to the end of a session.
public struct LogoutResponse: Codable, Sendable, Hashable {
  /// Whether it is over.
  public let success: Bool

  /// An answer.
  public init(success: Bool) { self.success = success }
}

/// Tokens without a proof: `POST /auth/mock-token`, on nodes built for debugging.
public struct MockTokenRequest: Codable, Sendable, Hashable {
  /// What the tokens are for.
  public var clientName: String
  /// What is granted.
  public var permissions: [String]?
  /// The host the tokens are bound to.
  public var nodeUrl: String?
  /// Seconds the access token lives.
  public var accessTokenExpiry: UInt64?
  /// Seconds the refresh token lives.
  public var refreshTokenExpiry: UInt64?

  /// A request of these parts.
  public init(
    clientName: String, permissions: [String]? = nil, nodeUrl: String? = nil,
    accessTokenExpiry: UInt64? = nil,
    refreshTokenExpiry: UInt64? = nil
  ) {
    self.clientName = clientName
    self.permissions = permissions
    self.nodeUrl = nodeUrl
    self.accessTokenExpiry = accessTokenExpiry
    self.refreshTokenExpiry = refreshTokenExpiry
  }

  private enum CodingKeys: String, CodingKey {
    case clientName = "client_name"
    case permissions
    case nodeUrl = "node_url"
    case accessTokenExpiry = "access_token_expiry"
    case refreshTokenExpiry = "refresh_token_expiry"
  }
}

/// Tokens that a node gave. A secret.
public struct TokenResponse: Codable, Sendable, Hashable {
  /// The access token.
  public let accessToken: String
  /// The refresh token; empty when there is none.
  public let refreshToken: String
  /// Why there are none.
  public let error: String?

  /// An answer of these parts.
  public init(accessToken: String, refreshToken: String, error: String? = nil) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.error = error
  }

  private enum CodingKeys: String, CodingKey {
    case accessToken = "access_token"
    case refreshToken = "refresh_token"
    case error
  }

  /// Reads an answer; a refresh token may be missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    accessToken = try container.decode(String.self, forKey: .accessToken)
    refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken) ?? ""
    error = try container.decodeIfPresent(String.self, forKey: .error)
  }
}
