// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// An account in a team.
  public struct TeamMember: Codable, Sendable, Hashable {
    /// The account.
    public var accountId: String
    /// Its name.
    public var name: String
    /// Whether it leads the team, and so may change its members.
    public var lead: Bool

    /// Creates one from its fields.
    public init(accountId: String, name: String, lead: Bool) {
      self.accountId = accountId
      self.name = name
      self.lead = lead
    }
  }

  /// A team's members.
  public struct TeamMemberList: Codable, Sendable, Hashable {
    /// Leads first, then by name.
    public var members: [TeamMember]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(members: [TeamMember], nextCursor: String? = nil) {
      self.members = members
      self.nextCursor = nextCursor
    }
  }
}
