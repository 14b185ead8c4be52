// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// An account in an organization.
  public struct OrgMember: Codable, Sendable, Hashable {
    /// The account.
    public var accountId: String
    /// Its name.
    public var name: String
    /// A role in an organization, strongest first.
    public var role: OrgRole
    /// Unix milliseconds.
    public var joinedAt: Int64
    /// Ids of the teams it is in.
    public var teams: [String]?

    /// Creates one from its fields.
    public init(accountId: String, name: String, role: OrgRole, joinedAt: Int64, teams: [String]? = nil) {
      self.accountId = accountId
      self.name = name
      self.role = role
      self.joinedAt = joinedAt
      self.teams = teams
    }
  }

  /// A page of members.
  public struct OrgMemberList: Codable, Sendable, Hashable {
    /// By role, then name.
    public var members: [OrgMember]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(members: [OrgMember], nextCursor: String? = nil) {
      self.members = members
      self.nextCursor = nextCursor
    }
  }
}
