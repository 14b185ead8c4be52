import MeroWire

/// A name and texts that people attach to a group, a member or a context (20 §6.5).
struct MetadataRecord: Sendable, Hashable {
  var name: String?
  var data: [String: String]
  /// Unix milliseconds.
  var updatedAt: Int64
  var updatedBy: String

  var json: JSONValue {
    var object = JSONObject()
    object["name"] = name.map { .string($0) }
    let entries = data.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    object["data"] = .object(JSONObject(entries.map { ($0.key, .string($0.value)) }))
    object["updatedAt"] = JSONValue(updatedAt)
    object["updatedBy"] = .string(updatedBy)
    return .object(object)
  }
}

/// Which application a group's contexts run, and which build of it.
struct ApplicationTarget: Sendable, Hashable {
  var applicationId: String
  /// The blob of the bytecode.
  var appKey: String
  var version: String?
}

/// An account's own row in a group.
struct GroupMember: Sendable, Hashable {
  struct AutoFollow: Sendable, Hashable {
    var contexts = false
    var subgroups = false
  }

  var role: GroupRole
  /// What the account may do here. An admin needs none of it.
  var mask: GroupCapabilities
  var autoFollow = AutoFollow()
}

/// A context as its group knows it.
struct RegisteredContext: Sendable, Hashable {
  let id: String
  let applicationId: String
  let serviceName: String?
  let createdBy: String
  var metadata: MetadataRecord?
}

/// A group: a node of the tree below a namespace, or its root (20 §2).
struct GroupRecord: Sendable {
  let id: String
  /// nil for a namespace.
  var parent: String?
  /// Whether members of the parent are members here too.
  var isOpen: Bool
  /// Who created the group or was handed it: cannot be removed, cannot leave.
  var owner: String
  var target: ApplicationTarget
  /// Unix seconds.
  let createdAt: Int64
  /// What the row of whoever is added next is seeded with.
  var defaults = GroupCapabilities.standard
  var members: [String: GroupMember] = [:]
  /// What the group granted to members it only inherits.
  var grants: [String: GroupCapabilities] = [:]
  /// Who is not inherited here, nor further down.
  var denied: Set<String> = []
  /// Who was removed: no invitation readmits them.
  var blocked: Set<String> = []
  var contexts: [String: RegisteredContext] = [:]
  var metadata: MetadataRecord?
  var memberMetadata: [String: MetadataRecord] = [:]
  var upgrade: GroupUpgrade?

  var admins: [String] { members.filter { $0.value.role == .admin }.keys.sorted() }
}
