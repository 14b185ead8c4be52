// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// Where a deployment stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct DeploymentState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Operators have not decided.
    public static let pending = DeploymentState(rawValue: "pending")
    /// Apps can be created from it.
    public static let live = DeploymentState(rawValue: "live")
    /// No new apps.
    public static let paused = DeploymentState(rawValue: "paused")
    /// No new apps, and old ones read only.
    public static let retired = DeploymentState(rawValue: "retired")

    /// The words known when this was written, in the document's order.
    public static let known: [DeploymentState] = [.pending, .live, .paused, .retired]
  }

  /// A package made available on the cluster.
  public struct Deployment: Codable, Sendable, Hashable {
    /// The deployment's id.
    public var deploymentId: String
    /// The package.
    public var package: String
    /// The version new apps start with.
    public var version: String
    /// The organization that deploys it.
    public var orgId: String
    /// Where a deployment stands.
    public var state: DeploymentState
    /// Whether its apps follow the version by themselves.
    public var autoUpgrade: Bool?
    /// Redirect URIs its consent requests may use.
    public var redirectUris: [String]?
    /// Where its web app is hosted, when it has one.
    public var siteUrl: String?
    /// SHA-256 of the hosted web app's archive.
    public var siteBlob: String?
    /// The operators' decision it waits for.
    public var decisionId: String?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds.
    public var updatedAt: Int64?

    /// Creates one from its fields.
    public init(
      deploymentId: String,
      package: String,
      version: String,
      orgId: String,
      state: DeploymentState,
      autoUpgrade: Bool? = nil,
      redirectUris: [String]? = nil,
      siteUrl: String? = nil,
      siteBlob: String? = nil,
      decisionId: String? = nil,
      createdAt: Int64,
      updatedAt: Int64? = nil
    ) {
      self.deploymentId = deploymentId
      self.package = package
      self.version = version
      self.orgId = orgId
      self.state = state
      self.autoUpgrade = autoUpgrade
      self.redirectUris = redirectUris
      self.siteUrl = siteUrl
      self.siteBlob = siteBlob
      self.decisionId = decisionId
      self.createdAt = createdAt
      self.updatedAt = updatedAt
    }
  }

  /// A page of deployments.
  public struct DeploymentList: Codable, Sendable, Hashable {
    /// Newest first.
    public var deployments: [Deployment]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(deployments: [Deployment], nextCursor: String? = nil) {
      self.deployments = deployments
      self.nextCursor = nextCursor
    }
  }
}
