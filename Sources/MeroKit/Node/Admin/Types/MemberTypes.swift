// A member is addressed by its account everywhere. A signing key looks the same and addresses nobody.

/// A member of a group, explicit or inherited.
public struct GroupMember: Codable, Sendable, Hashable {
  /// Its account, 64 hex.
  public var identity: String
  /// What it is.
  public var role: MemberRole
  /// Its metadata name.
  public var name: String?

  /// Creates one from its fields.
  public init(identity: String, role: MemberRole, name: String? = nil) {
    self.identity = identity
    self.role = role
    self.name = name
  }
}

/// The members of a group.
public struct ListGroupMembersResponseData: Codable, Sendable, Hashable {
  /// Inherited ones included.
  public var members: [GroupMember]
  /// The caller, from older nodes; compare with `getNodeIdentity` instead.
  public var selfIdentity: String?

  /// Creates one from its fields.
  public init(members: [GroupMember], selfIdentity: String? = nil) {
    self.members = members
    self.selfIdentity = selfIdentity
  }
}

/// An account to add to a group.
public struct GroupMemberInput: Codable, Sendable, Hashable {
  /// The account, 64 hex. A wrong one makes a row that nobody holds.
  public var identity: String
  /// What it becomes.
  public var role: MemberRole

  /// Creates the request.
  public init(identity: String, role: MemberRole = .member) {
    self.identity = identity
    self.role = role
  }
}

/// Accounts to add to a group.
public struct AddGroupMembersRequest: Codable, Sendable, Hashable {
  /// At least one.
  public var members: [GroupMemberInput]

  /// Creates the request.
  public init(members: [GroupMemberInput]) {
    self.members = members
  }
}

/// Accounts to remove from a group.
public struct RemoveGroupMembersRequest: Codable, Sendable, Hashable {
  /// Accounts, 64 hex each; at least one.
  public var members: [String]

  /// Creates the request.
  public init(members: [String]) {
    self.members = members
  }
}

/// What a member becomes.
public struct UpdateMemberRoleRequest: Codable, Sendable, Hashable {
  /// Not a TEE's role: those follow the namespace's policy.
  public var role: MemberRole

  /// Creates the request.
  public init(role: MemberRole) {
    self.role = role
  }
}

/// What a member may do in a group, inherited rights included.
public struct MemberCapabilities: Codable, Sendable, Hashable {
  /// See `Capabilities`.
  public var capabilities: UInt32

  /// Creates one from its fields.
  public init(capabilities: UInt32) {
    self.capabilities = capabilities
  }
}

/// What a member may do from now on.
public struct SetMemberCapabilitiesRequest: Codable, Sendable, Hashable {
  /// Replaces the mask; see `Capabilities`.
  public var capabilities: UInt32

  /// Creates the request.
  public init(capabilities: UInt32) {
    self.capabilities = capabilities
  }
}

/// What a member's node joins by itself.
public struct SetMemberAutoFollowRequest: Codable, Sendable, Hashable {
  /// New contexts of the group.
  public var autoFollowContexts: Bool
  /// New subgroups of the group.
  public var autoFollowSubgroups: Bool

  /// Creates the request.
  public init(autoFollowContexts: Bool, autoFollowSubgroups: Bool) {
    self.autoFollowContexts = autoFollowContexts
    self.autoFollowSubgroups = autoFollowSubgroups
  }
}

/// A live device of a member.
public struct MemberDevice: Codable, Sendable, Hashable {
  /// 64 hex.
  public var deviceId: String
  /// The key it signs with, 64 hex.
  public var signingKey: String

  /// Creates one from its fields.
  public init(deviceId: String, signingKey: String) {
    self.deviceId = deviceId
    self.signingKey = signingKey
  }
}

/// A member's account and its live devices.
public struct MemberDevicesEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var account: String
  /// Without revoked ones.
  public var devices: [MemberDevice]

  /// Creates one from its fields.
  public init(account: String, devices: [MemberDevice]) {
    self.account = account
    self.devices = devices
  }
}

/// Members with their devices, as far as the caller may see them.
public struct ListMemberDevicesResponseData: Codable, Sendable, Hashable {
  /// An admin sees all, a member only itself.
  public var members: [MemberDevicesEntry]

  /// Creates one from its fields.
  public init(members: [MemberDevicesEntry]) {
    self.members = members
  }
}

/// A name and free data about a group, a member or a context.
public struct MetadataRecord: Codable, Sendable, Hashable {
  /// 1 to 64 bytes.
  public var name: String?
  /// At most 64 entries; the network never reads them.
  public var data: [String: String]
  /// Unix milliseconds on the clock of the asked node.
  public var updatedAt: UInt64
  /// Who set it, 64 hex.
  public var updatedBy: String

  /// Creates one from its fields.
  public init(name: String? = nil, data: [String: String], updatedAt: UInt64, updatedBy: String) {
    self.name = name
    self.data = data
    self.updatedAt = updatedAt
    self.updatedBy = updatedBy
  }
}

/// A name and free data to set. The data replaces all that was there.
public struct SetMetadataRequest: Codable, Sendable, Hashable {
  /// 1 to 64 bytes; nil keeps the name.
  public var name: String?
  /// At most 64 entries, keys of 1 to 64 bytes, values of at most 4096.
  public var data: [String: String]

  /// Creates the request.
  public init(name: String? = nil, data: [String: String] = [:]) {
    self.name = name
    self.data = data
  }
}

/// A name and free data to set for a group.
public typealias SetGroupMetadataRequest = SetMetadataRequest

/// A name and free data to set for a member.
public typealias SetMemberMetadataRequest = SetMetadataRequest

/// A name and free data to set for a context.
public typealias SetContextMetadataRequest = SetMetadataRequest
