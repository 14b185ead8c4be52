// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A package: code an app can run.
  public struct Package: Codable, Sendable, Hashable {
    /// The package's name, reversed-domain style.
    public var package: String
    /// A name for people.
    public var name: String
    /// One line.
    public var summary: String?
    /// The organization that publishes it.
    public var publisher: String
    /// Its newest version.
    public var latest: String
    /// A data URL or https URL of an icon.
    public var icon: String?
    /// Unix milliseconds.
    public var createdAt: Int64

    /// Creates one from its fields.
    public init(
      package: String,
      name: String,
      summary: String? = nil,
      publisher: String,
      latest: String,
      icon: String? = nil,
      createdAt: Int64
    ) {
      self.package = package
      self.name = name
      self.summary = summary
      self.publisher = publisher
      self.latest = latest
      self.icon = icon
      self.createdAt = createdAt
    }
  }

  /// A page of packages.
  public struct PackageList: Codable, Sendable, Hashable {
    /// Best match first, else by name.
    public var packages: [Package]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(packages: [Package], nextCursor: String? = nil) {
      self.packages = packages
      self.nextCursor = nextCursor
    }
  }
}
