// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// What the account has allowed a package.
  public struct ConsentGrant: Codable, Sendable, Hashable {
    /// The grant's id.
    public var grantId: String
    /// The package.
    public var package: String
    /// Its name.
    public var packageName: String?
    /// What it may do.
    public var scopes: [String]
    /// Apps it may do it in.
    public var apps: [String]
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds.
    public var lastUsedAt: Int64?

    /// Creates one from its fields.
    public init(
      grantId: String,
      package: String,
      packageName: String? = nil,
      scopes: [String],
      apps: [String],
      createdAt: Int64,
      lastUsedAt: Int64? = nil
    ) {
      self.grantId = grantId
      self.package = package
      self.packageName = packageName
      self.scopes = scopes
      self.apps = apps
      self.createdAt = createdAt
      self.lastUsedAt = lastUsedAt
    }
  }

  /// The account's grants.
  public struct ConsentGrantList: Codable, Sendable, Hashable {
    /// Newest first.
    public var grants: [ConsentGrant]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(grants: [ConsentGrant], nextCursor: String? = nil) {
      self.grants = grants
      self.nextCursor = nextCursor
    }
  }
}
