// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// Where an invitation stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct InviteState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It can be accepted.
    public static let open = InviteState(rawValue: "open")
    /// Its uses are spent.
    public static let used = InviteState(rawValue: "used")
    /// Someone took it back.
    public static let revoked = InviteState(rawValue: "revoked")
    /// Its time is over.
    public static let expired = InviteState(rawValue: "expired")

    /// The words known when this was written, in the document's order.
    public static let known: [InviteState] = [.open, .used, .revoked, .expired]
  }

  /// An invitation to an organization, without its code.
  public struct OrgInvite: Codable, Sendable, Hashable {
    /// The invitation's id.
    public var inviteId: String
    /// The organization.
    public var orgId: String
    /// The role it gives; never owner.
    public var role: OrgRole
    /// Teams it also adds the account to.
    public var teams: [String]?
    /// A note to oneself, such as who it is for.
    public var label: String?
    /// Where an invitation stands.
    public var state: InviteState
    /// How often it was accepted.
    public var uses: Int32
    /// How often it can be.
    public var maxUses: Int32
    /// Unix milliseconds.
    public var expiresAt: Int64
    /// Unix milliseconds.
    public var createdAt: Int64
    /// The account that made it.
    public var createdBy: String

    /// Creates one from its fields.
    public init(
      inviteId: String,
      orgId: String,
      role: OrgRole,
      teams: [String]? = nil,
      label: String? = nil,
      state: InviteState,
      uses: Int32,
      maxUses: Int32,
      expiresAt: Int64,
      createdAt: Int64,
      createdBy: String
    ) {
      self.inviteId = inviteId
      self.orgId = orgId
      self.role = role
      self.teams = teams
      self.label = label
      self.state = state
      self.uses = uses
      self.maxUses = maxUses
      self.expiresAt = expiresAt
      self.createdAt = createdAt
      self.createdBy = createdBy
    }
  }

  /// A new invitation with its code, which is shown this once.
  public struct OrgInviteCreated: Codable, Sendable, Hashable, SecretBearing {
    /// An invitation to an organization, without its code.
    public var invite: OrgInvite
    /// 32 random bytes, base64url without padding.
    public var code: String
    /// A link to the consent origin that carries the code in its fragment, so no server log sees it.
    public var url: String

    /// Creates one from its fields.
    public init(invite: OrgInvite, code: String, url: String) {
      self.invite = invite
      self.code = code
      self.url = url
    }

    var shown: [(label: String?, value: Any)] {
      [("invite", invite as Any)]
    }
  }

  /// A page of invitations.
  public struct OrgInviteList: Codable, Sendable, Hashable {
    /// Newest first.
    public var invites: [OrgInvite]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(invites: [OrgInvite], nextCursor: String? = nil) {
      self.invites = invites
      self.nextCursor = nextCursor
    }
  }

  /// What accepting an invitation did.
  public struct InviteAccepted: Codable, Sendable, Hashable {
    /// The organization.
    public var orgId: String
    /// Its name.
    public var orgName: String
    /// The caller's role in it now.
    public var role: OrgRole
    /// True when the caller was in it before; then nothing was spent and the stronger role stands.
    public var alreadyMember: Bool

    /// Creates one from its fields.
    public init(orgId: String, orgName: String, role: OrgRole, alreadyMember: Bool) {
      self.orgId = orgId
      self.orgName = orgName
      self.role = role
      self.alreadyMember = alreadyMember
    }
  }
}
