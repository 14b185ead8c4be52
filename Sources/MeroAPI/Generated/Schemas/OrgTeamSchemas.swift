// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A team in an organization.
  public struct Team: Codable, Sendable, Hashable {
    /// The team's id.
    public var teamId: String
    /// The organization.
    public var orgId: String
    /// Its name, unique in the organization.
    public var name: String
    /// How many accounts are in it.
    public var memberCount: Int32
    /// Unix milliseconds.
    public var createdAt: Int64

    /// Creates one from its fields.
    public init(teamId: String, orgId: String, name: String, memberCount: Int32, createdAt: Int64) {
      self.teamId = teamId
      self.orgId = orgId
      self.name = name
      self.memberCount = memberCount
      self.createdAt = createdAt
    }
  }

  /// An organization's teams.
  public struct TeamList: Codable, Sendable, Hashable {
    /// By name.
    public var teams: [Team]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(teams: [Team], nextCursor: String? = nil) {
      self.teams = teams
      self.nextCursor = nextCursor
    }
  }
}
