/// A group made the old way; `createNamespace` and `createGroupInNamespace` are preferred.
public struct CreateGroupRequest: Codable, Sendable, Hashable {
  /// The application, 64 hex.
  public var applicationId: String
  /// Bytecode of an installed version to pin, 64 hex.
  public var appKey: String?
  /// Its metadata name.
  public var name: String?
  /// The group it goes under, restricted; nil makes a namespace.
  public var parentGroupId: String?

  /// Creates the request.
  public init(
    applicationId: String, appKey: String? = nil, name: String? = nil, parentGroupId: String? = nil
  ) {
    self.applicationId = applicationId
    self.appKey = appKey
    self.name = name
    self.parentGroupId = parentGroupId
  }
}

/// The group that was made.
public struct CreateGroupResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String

  /// Creates one from its fields.
  public init(groupId: String) {
    self.groupId = groupId
  }
}

/// Whether a group was deleted.
public struct DeleteGroupResponseData: Codable, Sendable, Hashable {
  /// True when it was, with everything below it.
  public var isDeleted: Bool

  /// Creates one from its fields.
  public init(isDeleted: Bool) {
    self.isDeleted = isDeleted
  }
}

/// The group that was left.
public struct LeaveGroupResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// The key one had in it.
  public var memberPublicKey: String

  /// Creates one from its fields.
  public init(groupId: String, memberPublicKey: String) {
    self.groupId = groupId
    self.memberPublicKey = memberPublicKey
  }
}

/// A group as the asked node sees it.
public struct GroupInfoResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// Bytecode its contexts run, 64 hex.
  public var appKey: String
  /// Its application, 64 hex.
  public var targetApplicationId: String
  /// Its members, inherited ones included.
  public var memberCount: UInt64
  /// Its contexts.
  public var contextCount: UInt64
  /// The upgrade under way.
  public var activeUpgrade: GroupUpgradeStatus?
  /// Mask that a new member starts with.
  public var defaultCapabilities: UInt32
  /// Whether members of the parent are members here.
  public var subgroupVisibility: GroupVisibility
  /// Name and data.
  public var metadata: MetadataRecord?
  /// Digest of its decisions; equal on two nodes that agree.
  public var groupStateHash: String
  /// The namespace it is in; the group itself when it is a root.
  public var namespaceId: String
  /// What a proof of the owner's root has to name.
  public var ownerOpCounter: UInt64

  /// Creates one from its fields.
  public init(
    groupId: String, appKey: String, targetApplicationId: String, memberCount: UInt64, contextCount: UInt64,
    activeUpgrade: GroupUpgradeStatus? = nil, defaultCapabilities: UInt32,
    subgroupVisibility: GroupVisibility, metadata: MetadataRecord? = nil, groupStateHash: String,
    namespaceId: String, ownerOpCounter: UInt64 = 0
  ) {
    self.groupId = groupId
    self.appKey = appKey
    self.targetApplicationId = targetApplicationId
    self.memberCount = memberCount
    self.contextCount = contextCount
    self.activeUpgrade = activeUpgrade
    self.defaultCapabilities = defaultCapabilities
    self.subgroupVisibility = subgroupVisibility
    self.metadata = metadata
    self.groupStateHash = groupStateHash
    self.namespaceId = namespaceId
    self.ownerOpCounter = ownerOpCounter
  }
}

extension GroupInfoResponseData {
  private enum CodingKeys: String, CodingKey {
    case groupId, appKey, targetApplicationId, memberCount, contextCount, activeUpgrade, defaultCapabilities
    case subgroupVisibility, metadata, groupStateHash, namespaceId, ownerOpCounter
  }

  /// Reads the answer. Older nodes leave out the namespace, or leave it empty, and know no counter.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    groupId = try members.value(.groupId)
    appKey = try members.value(.appKey)
    targetApplicationId = try members.value(.targetApplicationId)
    memberCount = try members.value(.memberCount)
    contextCount = try members.value(.contextCount)
    activeUpgrade = try members.optional(.activeUpgrade)
    defaultCapabilities = try members.value(.defaultCapabilities)
    subgroupVisibility = try members.value(.subgroupVisibility)
    metadata = try members.optional(.metadata)
    groupStateHash = try members.value(.groupStateHash)
    let namespace: String = try members.value(.namespaceId, or: "")
    namespaceId = namespace.isEmpty ? groupId : namespace
    ownerOpCounter = try members.value(.ownerOpCounter, or: 0)
  }
}

/// A context of a group.
public struct GroupContextEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// Its metadata name.
  public var name: String?

  /// Creates one from its fields.
  public init(contextId: String, name: String? = nil) {
    self.contextId = contextId
    self.name = name
  }
}

/// The contexts of a group.
public typealias ListGroupContextsResponseData = [GroupContextEntry]

/// Where a group goes.
public struct ReparentGroupRequest: Codable, Sendable, Hashable {
  /// A group of the same namespace, 64 hex.
  public var newParentId: String

  /// Creates the request.
  public init(newParentId: String) {
    self.newParentId = newParentId
  }
}

/// Whether a group moved.
public struct ReparentGroupResponseData: Codable, Sendable, Hashable {
  /// False when it was there already.
  public var reparented: Bool

  /// Creates one from its fields.
  public init(reparented: Bool) {
    self.reparented = reparented
  }
}

/// A group's state after fetching decisions from peers.
public struct SyncGroupResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// True: the call came back.
  public var synced: Bool
  /// Bytecode its contexts run, 64 hex; nil for an account.
  public var appKey: String?
  /// Its application, 64 hex; nil for an account.
  public var targetApplicationId: String?
  /// Its members; nil for an account.
  public var memberCount: UInt64?
  /// Its contexts; nil for an account.
  public var contextCount: UInt64?

  /// Creates one from its fields.
  public init(
    groupId: String, synced: Bool = true, appKey: String? = nil, targetApplicationId: String? = nil,
    memberCount: UInt64? = nil, contextCount: UInt64? = nil
  ) {
    self.groupId = groupId
    self.synced = synced
    self.appKey = appKey
    self.targetApplicationId = targetApplicationId
    self.memberCount = memberCount
    self.contextCount = contextCount
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    groupId = try members.value(.groupId)
    synced = try members.value(.synced, or: true)
    appKey = try members.optional(.appKey)
    targetApplicationId = try members.optional(.targetApplicationId)
    memberCount = try members.optional(.memberCount)
    contextCount = try members.optional(.contextCount)
  }
}

/// Membership of an open subgroup, made explicit.
public struct JoinSubgroupInheritanceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// The key one has in it; of an account, the account.
  public var memberPublicKey: String
  /// False when the membership was explicit before.
  public var wasInherited: Bool

  /// Creates one from its fields.
  public init(groupId: String, memberPublicKey: String, wasInherited: Bool) {
    self.groupId = groupId
    self.memberPublicKey = memberPublicKey
    self.wasInherited = wasInherited
  }
}

/// The mask new members of a group start with.
public struct SetDefaultCapabilitiesRequest: Codable, Sendable, Hashable {
  /// See `Capabilities`.
  public var defaultCapabilities: UInt32

  /// Creates the request.
  public init(defaultCapabilities: UInt32) {
    self.defaultCapabilities = defaultCapabilities
  }
}

/// Who is a member of a subgroup without a row of its own.
public struct SetSubgroupVisibilityRequest: Codable, Sendable, Hashable {
  /// Open or restricted.
  public var subgroupVisibility: GroupVisibility

  /// Creates the request.
  public init(subgroupVisibility: GroupVisibility) {
    self.subgroupVisibility = subgroupVisibility
  }
}

/// Whether a mask had to change so that relays may run members' writes.
public struct DelegatedExecutionChange: Codable, Sendable, Hashable {
  /// False when the bit was set before.
  public var changed: Bool
  /// The mask as it is now.
  public var capabilities: UInt32

  /// Creates one from its fields.
  public init(changed: Bool, capabilities: UInt32) {
    self.changed = changed
    self.capabilities = capabilities
  }
}
