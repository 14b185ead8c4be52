// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// An API key, without its secret.
  public struct ApiKey: Codable, Sendable, Hashable {
    /// The key's id; also the middle part of the key.
    public var keyId: String
    /// What it is for.
    public var label: String
    /// What it may do; see the scopes table.
    public var scopes: [String]
    /// Apps it is limited to; empty means no limit.
    public var apps: [String]?
    /// Organizations it is limited to; empty means no limit.
    public var orgs: [String]?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds; absent when it does not expire.
    public var expiresAt: Int64?
    /// Unix milliseconds, to the minute.
    public var lastUsedAt: Int64?

    /// Creates one from its fields.
    public init(
      keyId: String,
      label: String,
      scopes: [String],
      apps: [String]? = nil,
      orgs: [String]? = nil,
      createdAt: Int64,
      expiresAt: Int64? = nil,
      lastUsedAt: Int64? = nil
    ) {
      self.keyId = keyId
      self.label = label
      self.scopes = scopes
      self.apps = apps
      self.orgs = orgs
      self.createdAt = createdAt
      self.expiresAt = expiresAt
      self.lastUsedAt = lastUsedAt
    }
  }

  /// The account's API keys.
  public struct ApiKeyList: Codable, Sendable, Hashable {
    /// Newest first.
    public var keys: [ApiKey]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(keys: [ApiKey], nextCursor: String? = nil) {
      self.keys = keys
      self.nextCursor = nextCursor
    }
  }

  /// A new API key with its secret, which is shown this once.
  public struct ApiKeyCreated: Codable, Sendable, Hashable, SecretBearing {
    /// An API key, without its secret.
    public var key: ApiKey
    /// The whole key, to be sent as a bearer token: cmk_, the id, an underscore, 43 base64url characters.
    public var secret: String

    /// Creates one from its fields.
    public init(key: ApiKey, secret: String) {
      self.key = key
      self.secret = secret
    }

    var shown: [(label: String?, value: Any)] {
      [("key", key as Any)]
    }
  }
}
