/// A namespace and everything below it, as its log says it is (20 §2).
///
/// Who belongs where is asked of it; what changes it are ops, see `NamespaceLog`.
struct NamespaceTree: Sendable {
  struct Founding: Sendable, Hashable {
    let account: String
    let salt: String
  }

  /// How many groups may stand below each other under the root.
  static let depthLimit = 16

  let id: String
  let founding: Founding
  var groups: [String: GroupRecord]
  /// Devices by id, the revoked ones included.
  var devices: [String: BoundDevice] = [:]
  /// Rises with every op that needed the owner's root.
  var ownerOpCounter: UInt64 = 0
  /// Who used an invitation up, by what makes it unique.
  var consumed: [String: String] = [:]
  var teePolicy: TeeAdmissionPolicy?
  /// Which images may author as the namespace's TEE authority.
  var teeAuthoring: [String]?
  /// Rises with every upgrade of the root, as the state of an app does.
  var schemaVersion: UInt32 = 1
  var isDeleted = false

  var root: GroupRecord {
    guard let root = groups[id] else { preconditionFailure("a namespace has a root group") }
    return root
  }

  // MARK: The tree

  func children(of group: String) -> [GroupRecord] {
    groups.values.filter { $0.parent == group }.sorted { $0.id < $1.id }
  }

  /// The group and everything below it.
  func subtree(of group: String) -> [String] {
    [group] + children(of: group).flatMap { subtree(of: $0.id) }
  }

  /// How far below the root a group is.
  func depth(of group: String) -> Int { ancestors(of: group).count }

  /// From the parent up to the root.
  func ancestors(of group: String) -> [String] {
    Array(sequence(first: group) { groups[$0]?.parent }.dropFirst())
  }

  func group(ofContext context: String) -> String? {
    groups.values.first { $0.contexts[context] != nil }?.id
  }

  // MARK: Membership

  enum Path: Sendable, Hashable {
    case direct
    /// Through Open groups, from the ancestor where the account has its row.
    case inherited(from: String)
    case none
  }

  /// How an account belongs to a group.
  func path(of account: String, in group: String) -> Path {
    guard let record = groups[group] else { return .none }
    if record.members[account] != nil { return .direct }
    return origin(of: account, in: group).map { .inherited(from: $0) } ?? .none
  }

  func isMember(_ account: String, of group: String) -> Bool { path(of: account, in: group) != .none }

  func isDirectAdmin(_ account: String, of group: String) -> Bool {
    groups[group]?.members[account]?.role == .admin
  }

  /// Whether an account is an admin, by its own row or, in Open groups, by an ancestor's.
  func isAdmin(_ account: String, of group: String) -> Bool {
    isDirectAdmin(account, of: group)
      || reachable(from: group, for: account).contains { isDirectAdmin(account, of: $0) }
  }

  func isNamespaceAdmin(_ account: String) -> Bool { isDirectAdmin(account, of: id) }

  /// The role an account has, inherited ones included.
  func role(of account: String, in group: String) -> GroupRole? {
    if isAdmin(account, of: group) { return .admin }
    switch path(of: account, in: group) {
    case .direct: return groups[group]?.members[account]?.role
    case .inherited(let ancestor): return groups[ancestor]?.members[account]?.role
    case .none: return nil
    }
  }

  /// What an account's node joins by itself in a group: what its row says, here or where its membership comes from.
  func autoFollow(of account: String, in group: String) -> GroupMember.AutoFollow {
    let row: GroupMember? =
      switch path(of: account, in: group) {
      case .direct: groups[group]?.members[account]
      case .inherited(let ancestor): groups[ancestor]?.members[account]
      case .none: nil
      }
    return row?.autoFollow ?? GroupMember.AutoFollow()
  }

  /// What an account may do, inherited grants included; nil for whoever is no member.
  func capabilities(of account: String, in group: String) -> GroupCapabilities? {
    guard let record = groups[group] else { return nil }
    var mask: GroupCapabilities
    switch path(of: account, in: group) {
    case .direct: mask = record.members[account]?.mask ?? []
    // Whoever is inherited may join and read, until the subgroup grants more.
    case .inherited: mask = (record.grants[account] ?? []).union(.joinOpenSubgroups)
    case .none: return nil
    }
    if isAdmin(account, of: group) { mask.formUnion(.ofAdmins) }
    if grantOfAuthorship(to: account, for: group) != nil { mask.insert(.authorOnBehalf) }
    return mask
  }

  /// The group whose grant lets an account author for members of `group`: itself, or an ancestor it is open to.
  func grantOfAuthorship(to account: String, for group: String) -> String? {
    ([group] + reachable(from: group, for: account)).first { id in
      let record = groups[id]
      let mask = record?.members[account]?.mask ?? record?.grants[account] ?? []
      return mask.contains(.authorOnBehalf)
    }
  }

  /// Everyone who belongs to a group, sorted.
  func members(of group: String) -> [String] {
    guard let record = groups[group] else { return [] }
    let candidates = Set(record.members.keys).union(
      ancestors(of: group).flatMap { groups[$0]?.members.keys.map { $0 } ?? [] })
    return candidates.filter { isMember($0, of: group) }.sorted()
  }

  /// The ancestors that Open groups lead to, nearest first: none through a Restricted group, and none for whoever is
  /// denied on the way.
  private func reachable(from group: String, for account: String) -> [String] {
    var found: [String] = []
    var next = groups[group]
    while let record = next, record.isOpen, let parent = record.parent, !record.denied.contains(account) {
      found.append(parent)
      next = groups[parent]
    }
    return found
  }

  /// The nearest ancestor whose row for the account counts further down.
  private func origin(of account: String, in group: String) -> String? {
    reachable(from: group, for: account).first { ancestor in
      guard let row = groups[ancestor]?.members[account] else { return false }
      return row.role == .admin || row.role.isTee || row.mask.contains(.joinOpenSubgroups)
    }
  }

  // MARK: Devices

  /// Devices of an account that were not withdrawn.
  func liveDevices(of account: String) -> [BoundDevice] {
    devices.values.filter { $0.account == account && !$0.isRevoked }.sorted { $0.id < $1.id }
  }

  /// The device with this signing key, revoked or not.
  func device(withKey key: String) -> BoundDevice? {
    devices.values.first { $0.signingKey == key }
  }

  /// Whether a device, named by its id or its key, was withdrawn here.
  func isRevoked(_ device: String) -> Bool {
    devices[device]?.isRevoked ?? self.device(withKey: device)?.isRevoked ?? false
  }

  /// The account a value addresses: that of a bound signing key, else the value itself.
  func account(addressedBy value: String) -> String { device(withKey: value)?.account ?? value }
}

/// A device that a namespace takes for one of an account's.
struct BoundDevice: Sendable, Hashable {
  let id: String
  let account: String
  let signingKey: String
  /// The root of the account.
  let rootKey: String
  var isRevoked = false
}
