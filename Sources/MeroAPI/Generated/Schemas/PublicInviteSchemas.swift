// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// What an invitation is to, before it is accepted.
  public struct InvitePreview: Codable, Sendable, Hashable {
    /// The organization's name.
    public var orgName: String
    /// A role in an organization, strongest first.
    public var role: OrgRole
    /// Where an invitation stands.
    public var state: InviteState
    /// The name of the account that made it.
    public var invitedBy: String?
    /// Unix milliseconds.
    public var expiresAt: Int64

    /// Creates one from its fields.
    public init(
      orgName: String,
      role: OrgRole,
      state: InviteState,
      invitedBy: String? = nil,
      expiresAt: Int64
    ) {
      self.orgName = orgName
      self.role = role
      self.state = state
      self.invitedBy = invitedBy
      self.expiresAt = expiresAt
    }
  }
}
