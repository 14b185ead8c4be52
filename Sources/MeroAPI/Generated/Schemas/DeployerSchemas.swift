// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// An organization that may deploy packages.
  public struct Deployer: Codable, Sendable, Hashable {
    /// The deployer's id.
    public var deployerId: String
    /// The organization.
    public var orgId: String
    /// Its name.
    public var name: String
    /// Package name prefixes it may publish under.
    public var packages: [String]?
    /// Unix milliseconds.
    public var approvedAt: Int64

    /// Creates one from its fields.
    public init(
      deployerId: String,
      orgId: String,
      name: String,
      packages: [String]? = nil,
      approvedAt: Int64
    ) {
      self.deployerId = deployerId
      self.orgId = orgId
      self.name = name
      self.packages = packages
      self.approvedAt = approvedAt
    }
  }

  /// A page of deployers.
  public struct DeployerList: Codable, Sendable, Hashable {
    /// By name.
    public var deployers: [Deployer]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(deployers: [Deployer], nextCursor: String? = nil) {
      self.deployers = deployers
      self.nextCursor = nextCursor
    }
  }
}
