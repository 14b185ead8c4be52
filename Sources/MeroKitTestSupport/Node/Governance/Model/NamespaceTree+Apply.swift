import MeroCrypto
import MeroWire

/// What each op changes. Whether it may is asked first, see `check`.
extension NamespaceTree {
  /// A namespace that was just founded; nil for a line that founds none, or one whose id is not its founder's.
  init?(_ entry: LogEntry) {
    guard case .namespaceCreated(let birth) = entry.op, birth.founding.account == entry.author,
      birth.id == Self.id(founder: birth.founding.account, salt: birth.founding.salt)
    else { return nil }
    id = birth.id
    founding = birth.founding
    var root = GroupRecord(
      id: birth.id, isOpen: true, owner: entry.author, target: birth.target, createdAt: entry.at / 1000)
    root.members[entry.author] = GroupMember(role: .admin, mask: [])
    if let name = birth.name {
      root.metadata = MetadataRecord(name: name, data: [:], updatedAt: entry.at, updatedBy: entry.author)
    }
    if let relay = birth.relay {
      root.members[relay.account] = GroupMember(
        role: birth.isRelayAttested ? .relayTee : .member, mask: [root.defaults, .authorOnBehalf])
      devices[relay.device.id] = relay.device
      // So that the cloud can have it served by more nodes: an account can set no policy.
      if birth.isRelayAttested { teePolicy = .hosting(acceptsMock: birth.isRelayMock) }
    }
    groups = [id: root]
    devices[birth.device.id] = birth.device
  }

  /// 30 §4.7.
  static func id(founder: String, salt: String) -> String {
    derived("calimero.namespace.id.v1", [founder, salt].map(bytes))
  }

  /// 30 §4.7.
  static func subgroupId(admin: String, parent: String, isOpen: Bool, salt: String) -> String {
    derived(
      "calimero.subgroup.id.v1", [bytes(admin), bytes(parent), [isOpen ? 0 : 1], bytes(salt)])
  }

  private static func derived(_ domain: String, _ parts: [[UInt8]]) -> String {
    Hex.encode(domainHash(domain, parts))
  }

  /// Ids are hex wherever they are kept.
  private static func bytes(_ id: String) -> [UInt8] { (try? Hex.decode(id)) ?? [] }

  /// Does what an entry says, or throws why it may not and changes nothing.
  mutating func apply(_ entry: LogEntry) throws(NodeRefusal) {
    guard !isDeleted else { throw .notFound("Namespace") }
    try check(entry.op, by: entry.author)
    perform(entry)
  }

  private mutating func perform(_ entry: LogEntry) {
    switch entry.op {
    case .namespaceCreated: break
    case .namespaceDeleted: isDeleted = true
    case .groupCreated(let birth): create(birth, entry)
    case .groupReparented(let group, let parent): groups[group]?.parent = parent
    case .groupDeleted(let group): subtree(of: group).forEach { groups[$0] = nil }
    case .memberAdded(let account, let role, let group): add(account, role, to: group)
    case .memberRemoved(let account, let group): remove(account, from: group)
    case .memberLeft(let group): drop(entry.author, from: group)
    case .memberJoined(let claim): join(claim)
    case .memberJoinedOpen(let group):
      let role = role(of: entry.author, in: group) ?? .member
      var row = row(role, in: group, grants: groups[group]?.grants[entry.author])
      // Whoever followed as an inherited member goes on doing so.
      row.autoFollow = autoFollow(of: entry.author, in: group)
      groups[group]?.members[entry.author] = row
    case .roleSet(let account, let role, let group):
      let old = groups[group]?.members[account]?.mask ?? []
      groups[group]?.members[account]?.role = role
      // Whoever was an admin has an empty row; what members get by default is theirs from now on.
      let defaults = groups[group]?.defaults ?? []
      if role != .admin, old.isEmpty { groups[group]?.members[account]?.mask = defaults }
    case .capabilitiesSet(let account, let mask, let group):
      let kept = mask.intersection(.defined)
      if groups[group]?.members[account] != nil {
        groups[group]?.members[account]?.mask = kept
      } else {
        groups[group]?.grants[account] = kept
      }
    case .defaultsSet(let mask, let group): groups[group]?.defaults = mask.intersection(.defined)
    case .visibilitySet(let isOpen, let group): groups[group]?.isOpen = isOpen
    case .metadataSet(let target, let name, let data): setMetadata(target, name, data, entry)
    case .autoFollowSet(let account, let flags, let group):
      groups[group]?.members[account]?.autoFollow = flags
    case .contextRegistered(let context, let group): groups[group]?.contexts[context.id] = context
    case .contextDetached(let context, let group): groups[group]?.contexts[context] = nil
    case .targetSet(let target, let group, let cascade): retarget(target, group, cascade, entry)
    case .migrationAborted: abortMigration()
    case .ownerOp(let op, _):
      ownerOpCounter += 1
      perform(op)
    case .teePolicySet(let policy):
      teePolicy = policy
      for (group, record) in groups {
        for (account, row) in record.members where row.role.isTee {
          groups[group]?.members[account]?.role = policy.role
        }
      }
    case .teeAdmitted(let account, let device):
      devices[device.id] = device
      // It is let in to hold what the namespace has.
      groups[id]?.members[account] = GroupMember(
        role: teePolicy?.role ?? .readOnlyTee, mask: [],
        autoFollow: GroupMember.AutoFollow(contexts: true, subgroups: true))
    case .deviceBound(let device): devices[device.id] = device
    case .deviceUnbound(let device): devices[device] = nil
    case .deviceRevoked(let device): devices[device]?.isRevoked = true
    }
  }

  private mutating func perform(_ op: GovernanceOp.OwnerOp) {
    switch op {
    case .transferOwnership(let group, let account): groups[group]?.owner = account
    case .deleteGroup(let group):
      if group == id { isDeleted = true } else { subtree(of: group).forEach { groups[$0] = nil } }
    case .changeAdmin(let account):
      groups[id]?.members[account]?.role = .admin
      groups[id]?.owner = account
    case .setTeeAuthoring(let images): teeAuthoring = images
    }
  }

  private mutating func create(_ birth: GroupBirth, _ entry: LogEntry) {
    var group = GroupRecord(
      id: birth.id, parent: birth.parent, isOpen: birth.isOpen, owner: entry.author,
      target: groups[birth.parent]?.target ?? root.target, createdAt: entry.at / 1000)
    group.members[entry.author] = GroupMember(role: .admin, mask: [])
    if let name = birth.name {
      group.metadata = MetadataRecord(name: name, data: [:], updatedAt: entry.at, updatedBy: entry.author)
    }
    groups[birth.id] = group
  }

  /// A row for whoever is added now: seeded from the defaults of this moment, except an admin's.
  private func row(_ role: GroupRole, in group: String, grants: GroupCapabilities? = nil) -> GroupMember {
    GroupMember(role: role, mask: role == .admin ? [] : grants ?? groups[group]?.defaults ?? [])
  }

  private mutating func add(_ account: String, _ role: GroupRole, to group: String) {
    groups[group]?.blocked.remove(account)
    groups[group]?.denied.remove(account)
    guard groups[group]?.members[account] == nil else { return }
    let row = row(role, in: group)
    groups[group]?.members[account] = row
  }

  private mutating func join(_ claim: JoinClaim) {
    let group = claim.invitation.groupId
    devices[claim.device.id] = claim.device
    consumed[claim.invitation.identity] = claim.device.account
    guard groups[group]?.members[claim.device.account] == nil else { return }
    let row = row(claim.invitation.role, in: group)
    groups[group]?.members[claim.device.account] = row
    groups[group]?.denied.remove(claim.device.account)
  }

  private mutating func remove(_ account: String, from group: String) {
    drop(account, from: group)
    groups[group]?.blocked.insert(account)
    if isMember(account, of: group) { groups[group]?.denied.insert(account) }
  }

  /// Takes rows away: of this group, and where it is the root, of every group below.
  private mutating func drop(_ account: String, from group: String) {
    for id in group == id ? Array(groups.keys) : [group] {
      groups[id]?.members[account] = nil
      groups[id]?.grants[account] = nil
      groups[id]?.memberMetadata[account] = nil
    }
  }

  /// The data is replaced; a name that is not given stays.
  private mutating func setMetadata(
    _ target: GovernanceOp.MetadataTarget, _ name: String?, _ data: [String: String], _ entry: LogEntry
  ) {
    func renew(_ record: inout MetadataRecord?) {
      record = MetadataRecord(
        name: name ?? record?.name, data: data, updatedAt: entry.at, updatedBy: entry.author)
    }
    guard var group = groups[target.group] else { return }
    switch target {
    case .group: renew(&group.metadata)
    case .member(let account, _): renew(&group.memberMetadata[account])
    case .context(let context, _):
      guard var registered = group.contexts[context] else { return }
      renew(&registered.metadata)
      group.contexts[context] = registered
    }
    groups[group.id] = group
  }

  // MARK: Upgrades

  private mutating func retarget(
    _ target: ApplicationTarget, _ group: String, _ cascade: Bool, _ entry: LogEntry
  ) {
    for id in affected(by: group, cascade: cascade) {
      guard let old = groups[id]?.target else { continue }
      // The first application of a group is what it begins with.
      if old.appKey.isEmpty {
        groups[id]?.target = target
        continue
      }
      if id == self.id { schemaVersion += 1 }
      groups[id]?.target = target
      groups[id]?.upgrade = GroupUpgrade(
        from: old, to: target, initiatedAt: entry.at / 1000, initiatedBy: entry.author,
        position: entry.position, isCascade: cascade)
    }
  }

  /// The groups an upgrade reaches: this one, and with a cascade every descendant that runs the same application.
  func affected(by group: String, cascade: Bool) -> [String] {
    guard cascade else { return [group] }
    let application = groups[group]?.target.applicationId
    return subtree(of: group).filter { groups[$0]?.target.applicationId == application }
  }

  private mutating func abortMigration() {
    for (group, record) in groups {
      guard let upgrade = record.upgrade, !upgrade.isAborted else { continue }
      groups[group]?.target = upgrade.from
      if group == id { schemaVersion -= 1 }
      groups[group]?.upgrade?.isAborted = true
    }
  }
}
