// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// What an app's member is.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct PrincipalKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// One account.
    public static let account = PrincipalKind(rawValue: "account")
    /// All accounts of a team.
    public static let team = PrincipalKind(rawValue: "team")

    /// The words known when this was written, in the document's order.
    public static let known: [PrincipalKind] = [.account, .team]
  }

  /// An account or team with a role in an app.
  public struct AppMember: Codable, Sendable, Hashable {
    /// The account's or the team's id.
    public var principal: String
    /// What an app's member is.
    public var kind: PrincipalKind
    /// Its name.
    public var name: String
    /// A role in an app, strongest first.
    public var role: AppRole
    /// Unix milliseconds.
    public var addedAt: Int64

    /// Creates one from its fields.
    public init(principal: String, kind: PrincipalKind, name: String, role: AppRole, addedAt: Int64) {
      self.principal = principal
      self.kind = kind
      self.name = name
      self.role = role
      self.addedAt = addedAt
    }
  }

  /// A page of an app's members.
  public struct AppMemberList: Codable, Sendable, Hashable {
    /// By role, then name.
    public var members: [AppMember]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(members: [AppMember], nextCursor: String? = nil) {
      self.members = members
      self.nextCursor = nextCursor
    }
  }
}
