/// A root group: the log of decisions that all groups below it share.
public struct Namespace: Codable, Sendable, Hashable {
  /// Also the id of its root group, 64 hex.
  public var namespaceId: String
  /// Bytecode its groups run, 64 hex.
  public var appKey: String
  /// The application it was made for, 64 hex.
  public var targetApplicationId: String
  /// Unix seconds.
  public var createdAt: UInt64
  /// Its metadata name.
  public var name: String?
  /// Members of the root group.
  public var memberCount: Int
  /// Contexts in it.
  public var contextCount: Int
  /// Groups below its root.
  public var subgroupCount: Int
  /// Version of its own bytecode.
  public var appVersion: String?
  /// What its id is derived from; nil until the founding has arrived.
  public var founding: NamespaceFounding?

  /// Creates one from its fields.
  public init(
    namespaceId: String, appKey: String, targetApplicationId: String, createdAt: UInt64, name: String? = nil,
    memberCount: Int, contextCount: Int, subgroupCount: Int, appVersion: String? = nil,
    founding: NamespaceFounding? = nil
  ) {
    self.namespaceId = namespaceId
    self.appKey = appKey
    self.targetApplicationId = targetApplicationId
    self.createdAt = createdAt
    self.name = name
    self.memberCount = memberCount
    self.contextCount = contextCount
    self.subgroupCount = subgroupCount
    self.appVersion = appVersion
    self.founding = founding
  }
}

/// What a namespace's id is derived from, so that anybody can check who founded it.
public struct NamespaceFounding: Codable, Sendable, Hashable {
  /// The founder's account, 64 hex.
  public var founderAccountId: String
  /// 64 hex.
  public var salt: String

  /// Creates one from its fields.
  public init(founderAccountId: String, salt: String) {
    self.founderAccountId = founderAccountId
    self.salt = salt
  }
}

/// A new namespace for an application.
public struct CreateNamespaceRequest: Codable, Sendable, Hashable {
  /// The application, 64 hex.
  public var applicationId: String
  /// Its metadata name.
  public var name: String?
  /// Bytecode of an installed version to pin, 64 hex.
  public var appKey: String?

  /// Creates the request.
  public init(applicationId: String, name: String? = nil, appKey: String? = nil) {
    self.applicationId = applicationId
    self.name = name
    self.appKey = appKey
  }
}

/// The namespace that was founded.
public struct CreateNamespaceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// What the id is derived from.
  public var founding: NamespaceFounding?
  /// Whether the cloud hosts it; only ever true for a namespace founded by an account.
  public var haEnabled: Bool
  /// Why hosting was refused, when it was asked for.
  public var haError: String?

  /// Creates one from its fields.
  public init(
    namespaceId: String, founding: NamespaceFounding? = nil, haEnabled: Bool = false, haError: String? = nil
  ) {
    self.namespaceId = namespaceId
    self.founding = founding
    self.haEnabled = haEnabled
    self.haError = haError
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    namespaceId = try members.value(.namespaceId)
    founding = try members.optional(.founding)
    haEnabled = try members.value(.haEnabled, or: false)
    haError = try members.optional(.haError)
  }
}

/// Whether a namespace was deleted.
public struct DeleteNamespaceResponseData: Codable, Sendable, Hashable {
  /// True when it was.
  public var isDeleted: Bool

  /// Creates one from its fields.
  public init(isDeleted: Bool) {
    self.isDeleted = isDeleted
  }
}

/// The namespace that was left.
public struct LeaveNamespaceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// The key one had in it.
  public var memberPublicKey: String

  /// Creates one from its fields.
  public init(namespaceId: String, memberPublicKey: String) {
    self.namespaceId = namespaceId
    self.memberPublicKey = memberPublicKey
  }
}

/// A new group directly under a namespace's root.
public struct CreateGroupInNamespaceRequest: Codable, Sendable, Hashable {
  /// Its metadata name; a name the node refuses is not set.
  public var groupName: String?
  /// Open when nil.
  public var visibility: GroupVisibility?

  /// Creates the request.
  public init(groupName: String? = nil, visibility: GroupVisibility? = nil) {
    self.groupName = groupName
    self.visibility = visibility
  }
}

extension CreateGroupInNamespaceRequest {
  /// What is sent when nothing else is said: a subgroup born restricted and opened later strands members outside it.
  public static let defaultVisibility: GroupVisibility = .open
}

/// The group that was made.
public struct CreateGroupInNamespaceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String

  /// Creates one from its fields.
  public init(groupId: String) {
    self.groupId = groupId
  }
}

/// A group directly under another.
public struct SubgroupEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// Its metadata name.
  public var name: String?

  /// Creates one from its fields.
  public init(groupId: String, name: String? = nil) {
    self.groupId = groupId
    self.name = name
  }
}

/// The groups directly under a group.
public struct ListSubgroupsResponse: Codable, Sendable, Hashable {
  /// Those the caller may see.
  public var subgroups: [SubgroupEntry]

  /// Creates one from its fields.
  public init(subgroups: [SubgroupEntry]) {
    self.subgroups = subgroups
  }
}

/// Who administers a namespace from now on.
public struct ChangeNamespaceAdminRequest: Codable, Sendable, Hashable {
  /// An account that is a member of the root group, 64 hex.
  public var newAdmin: String
  /// Proof of the owner's root, hex; nil on a node that holds the root.
  public var rootProof: String?

  /// Creates the request.
  public init(newAdmin: String, rootProof: String? = nil) {
    self.newAdmin = newAdmin
    self.rootProof = rootProof
  }
}
