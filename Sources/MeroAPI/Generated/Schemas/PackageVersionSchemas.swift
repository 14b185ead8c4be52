// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// One version of a package.
  public struct PackageVersion: Codable, Sendable, Hashable {
    /// The package.
    public var package: String
    /// The version, SemVer 2.0.
    public var version: String
    /// SHA-256 of its code, lower-case hex.
    public var codeHash: String
    /// Bytes of the bundle.
    public var size: UInt64
    /// The Ed25519 key that signed the manifest, lower-case hex.
    public var signerKey: String?
    /// The oldest core it runs on.
    public var minCore: String?
    /// Unix milliseconds.
    public var publishedAt: Int64
    /// Whether new apps may not use it.
    public var yanked: Bool?

    /// Creates one from its fields.
    public init(
      package: String,
      version: String,
      codeHash: String,
      size: UInt64,
      signerKey: String? = nil,
      minCore: String? = nil,
      publishedAt: Int64,
      yanked: Bool? = nil
    ) {
      self.package = package
      self.version = version
      self.codeHash = codeHash
      self.size = size
      self.signerKey = signerKey
      self.minCore = minCore
      self.publishedAt = publishedAt
      self.yanked = yanked
    }
  }

  /// A package's versions.
  public struct PackageVersionList: Codable, Sendable, Hashable {
    /// Newest first.
    public var versions: [PackageVersion]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(versions: [PackageVersion], nextCursor: String? = nil) {
      self.versions = versions
      self.nextCursor = nextCursor
    }
  }
}
