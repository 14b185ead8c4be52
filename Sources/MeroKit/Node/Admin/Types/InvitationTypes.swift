/// What an invitation should say.
public struct CreateNamespaceInvitationRequest: Codable, Sendable, Hashable {
  /// How long it is valid, in **seconds** (not a time, despite its name); at most 86,400, which is also the
  /// default.
  public var expirationTimestamp: UInt64?
  /// One invitation for each group of the tree one may invite to.
  public var recursive: Bool?
  /// Accounts that may admit a claim; the node names the admins and TEE members when nil.
  public var admitters: [String]?
  /// Where to reach them; taken as they are.
  public var admitterAddrs: [String]?

  /// Creates the request.
  public init(
    expirationTimestamp: UInt64? = nil, recursive: Bool? = nil, admitters: [String]? = nil,
    admitterAddrs: [String]? = nil
  ) {
    self.expirationTimestamp = expirationTimestamp
    self.recursive = recursive
    self.admitters = admitters
    self.admitterAddrs = admitterAddrs
  }
}

/// One invitation, or one for each group of a tree.
public enum CreateNamespaceInvitationResult: Codable, Sendable, Hashable {
  /// The invitation that was asked for, and the group's name.
  case single(SignedGroupOpenInvitation, groupName: String?)
  /// One for each group of the tree that the inviter may invite to.
  case recursive([RecursiveInvitationEntry])

  /// The invitation that was asked for; of a tree, the first.
  public var invitation: SignedGroupOpenInvitation? {
    switch self {
    case .single(let invitation, _): invitation
    case .recursive(let entries): entries.first?.invitation
    }
  }

  /// The invited group's name; of a tree, the first's.
  public var groupName: String? {
    switch self {
    case .single(_, let name): name
    case .recursive(let entries): entries.first?.groupName
    }
  }

  private enum CodingKeys: String, CodingKey { case invitation, groupName, invitations }

  /// Reads either form by the member that is there.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if let entries: [RecursiveInvitationEntry] = try members.optional(.invitations) {
      self = .recursive(entries)
    } else {
      self = .single(try members.value(.invitation), groupName: try members.optional(.groupName))
    }
  }

  /// Writes it as nodes do.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .single(let invitation, let groupName):
      try members.encode(invitation, forKey: .invitation)
      try members.encodeIfPresent(groupName, forKey: .groupName)
    case .recursive(let entries): try members.encode(entries, forKey: .invitations)
    }
  }
}

/// One invitation, or one for each group of a tree.
public typealias CreateGroupInvitationResult = CreateNamespaceInvitationResult

/// What an invitation should say.
public typealias CreateGroupInvitationRequest = CreateNamespaceInvitationRequest

/// An invitation to one group of a tree.
public struct RecursiveInvitationEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// A bearer credential.
  public var invitation: SignedGroupOpenInvitation
  /// The group's name.
  public var groupName: String?

  /// Creates one from its fields.
  public init(groupId: String, invitation: SignedGroupOpenInvitation, groupName: String? = nil) {
    self.groupId = groupId
    self.invitation = invitation
    self.groupName = groupName
  }
}

/// An invitation to redeem, as it was received.
public struct JoinNamespaceRequest: Codable, Sendable, Hashable {
  /// A bearer credential.
  public var invitation: SignedGroupOpenInvitation
  /// The name the inviter gave.
  public var groupName: String?

  /// Creates the request.
  public init(invitation: SignedGroupOpenInvitation, groupName: String? = nil) {
    self.invitation = invitation
    self.groupName = groupName
  }
}

/// An invitation to redeem, as it was received.
public typealias JoinGroupRequest = JoinNamespaceRequest

/// The namespace that was joined. Its contexts and data arrive afterwards, by sync.
public struct JoinNamespaceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// The key one signs with in it, 64 hex.
  public var memberIdentity: String
  /// The account that became a member, 64 hex; it addresses the member.
  public var memberAccount: String

  /// Creates one from its fields.
  public init(namespaceId: String, memberIdentity: String, memberAccount: String) {
    self.namespaceId = namespaceId
    self.memberIdentity = memberIdentity
    self.memberAccount = memberAccount
  }

  /// Reads the answer. Older nodes call the namespace `groupId`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    namespaceId = try members.optional(.namespaceId) ?? members.value(.groupId)
    memberIdentity = try members.value(.memberIdentity)
    memberAccount = try members.value(.memberAccount)
  }

  /// Writes it as nodes do.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(namespaceId, forKey: .namespaceId)
    try members.encode(memberIdentity, forKey: .memberIdentity)
    try members.encode(memberAccount, forKey: .memberAccount)
  }

  private enum CodingKeys: String, CodingKey { case namespaceId, groupId, memberIdentity, memberAccount }
}

/// The group that was joined.
public struct JoinGroupResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// The key one signs with in it, 64 hex.
  public var memberIdentity: String
  /// The account that became a member, 64 hex; it addresses the member.
  public var memberAccount: String

  /// Creates one from its fields.
  public init(groupId: String, memberIdentity: String, memberAccount: String) {
    self.groupId = groupId
    self.memberIdentity = memberIdentity
    self.memberAccount = memberAccount
  }
}

/// The signed join of somebody without a node, to be carried by this one.
public struct AdmitJoinRequest: Codable, Sendable, Hashable {
  /// A bearer credential.
  public var invitation: SignedGroupOpenInvitation
  /// The joiner's signed op, hex.
  public var signedOp: String

  /// Creates the request.
  public init(invitation: SignedGroupOpenInvitation, signedOp: String) {
    self.invitation = invitation
    self.signedOp = signedOp
  }
}

/// Whether a join was sent on.
public struct AdmitJoinResponseData: Codable, Sendable, Hashable {
  /// Sent; it does not say that the account is a member yet.
  public var published: Bool

  /// Creates one from its fields.
  public init(published: Bool) {
    self.published = published
  }
}
