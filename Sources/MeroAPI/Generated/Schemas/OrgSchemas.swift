// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A role in an organization, strongest first.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct OrgRole: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Everything, deleting the organization included.
    public static let owner = OrgRole(rawValue: "owner")
    /// Members, teams, invitations and apps.
    public static let admin = OrgRole(rawValue: "admin")
    /// Uses the organization's apps and creates new ones.
    public static let member = OrgRole(rawValue: "member")
    /// Sees the organization and reads the apps shared with it.
    public static let viewer = OrgRole(rawValue: "viewer")

    /// The words known when this was written, in the document's order.
    public static let known: [OrgRole] = [.owner, .admin, .member, .viewer]
  }

  /// An organization.
  public struct Org: Codable, Sendable, Hashable {
    /// The organization's id.
    public var orgId: String
    /// Its name, 1 to 80 characters.
    public var name: String
    /// The caller's role in it.
    public var role: OrgRole
    /// Unix milliseconds.
    public var createdAt: Int64
    /// How many accounts belong to it.
    public var memberCount: Int32
    /// How many teams it has.
    public var teamCount: Int32?
    /// How many apps it owns.
    public var appCount: Int32?
    /// Whether an operator has suspended it.
    public var suspended: Bool?

    /// Creates one from its fields.
    public init(
      orgId: String,
      name: String,
      role: OrgRole,
      createdAt: Int64,
      memberCount: Int32,
      teamCount: Int32? = nil,
      appCount: Int32? = nil,
      suspended: Bool? = nil
    ) {
      self.orgId = orgId
      self.name = name
      self.role = role
      self.createdAt = createdAt
      self.memberCount = memberCount
      self.teamCount = teamCount
      self.appCount = appCount
      self.suspended = suspended
    }
  }

  /// A page of organizations.
  public struct OrgList: Codable, Sendable, Hashable {
    /// By name.
    public var orgs: [Org]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(orgs: [Org], nextCursor: String? = nil) {
      self.orgs = orgs
      self.nextCursor = nextCursor
    }
  }
}
