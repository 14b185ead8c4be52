/// Who may do what (20 §3.3), and which changes make sense (20 §4.2).
extension NamespaceTree {
  /// Throws why an account may not do this now.
  func check(_ op: GovernanceOp, by author: String) throws(NodeRefusal) {
    switch op {
    case .namespaceCreated: throw NodeRefusal(409, "the namespace is founded already")
    case .namespaceDeleted: try requireNamespaceAdmin(author)
    case .groupCreated(let birth): try checkCreation(birth, author)
    case .groupReparented(let group, let parent): try checkReparenting(group, parent, author)
    case .groupDeleted(let group): try checkDeletion(group, author)
    case .memberAdded(_, let role, let group): try checkAddition(role, group, author)
    case .memberRemoved(let account, let group): try checkRemoval(account, group, author)
    case .memberLeft(let group): try checkLeaving(group, author)
    case .memberJoined(let claim): try checkJoin(claim)
    case .memberJoinedOpen(let group): try checkOpenJoin(group, author)
    case .roleSet(let account, let role, let group): try checkRole(account, role, group, author)
    case .capabilitiesSet(let account, _, let group):
      try requireAdmin(author, of: group)
      try requireMember(account, of: group)
    case .defaultsSet(_, let group): try requireAdmin(author, of: group)
    case .visibilitySet(_, let group): try require(.manageVisibility, author, in: group)
    case .metadataSet(let target, let name, let data): try checkMetadata(target, name, data, author)
    case .autoFollowSet(let account, _, let group):
      let record = try record(group)
      if account != author { try requireAdmin(author, of: group) }
      guard record.members[account] != nil else { throw .notFound("Member") }
    case .contextRegistered(_, let group): try checkContextCreation(group, author)
    case .contextDetached(let context, let group):
      guard try record(group).contexts[context] != nil else { throw .notFound("Context in this group") }
      try requireAdmin(author, of: group)
    case .targetSet(_, let group, _): try require(.manageApplication, author, in: group)
    case .migrationAborted: try requireNamespaceAdmin(author)
    case .ownerOp(let op, let counter): try checkOwnerOp(op, counter, author)
    case .teePolicySet: try requireNamespaceAdmin(author)
    case .teeAdmitted:
      guard teePolicy != nil else { throw NodeRefusal(409, "the namespace has no TEE admission policy") }
    case .deviceBound(let device): try checkBinding(device)
    case .deviceUnbound(let device), .deviceRevoked(let device):
      guard devices[device] != nil else { throw .notFound("Device") }
    }
  }

  // MARK: What is asked again and again

  func record(_ group: String) throws(NodeRefusal) -> GroupRecord {
    guard let record = groups[group] else { throw .notFound("Group") }
    return record
  }

  func requireAdmin(_ account: String, of group: String) throws(NodeRefusal) {
    _ = try record(group)
    guard isAdmin(account, of: group) else {
      throw NodeRefusal(403, "\(account) is not an admin of this group")
    }
  }

  func requireNamespaceAdmin(_ account: String) throws(NodeRefusal) {
    guard isNamespaceAdmin(account) else {
      throw NodeRefusal(403, "\(account) is not an admin of this namespace")
    }
  }

  func require(_ right: GroupCapabilities, _ account: String, in group: String) throws(NodeRefusal) {
    _ = try record(group)
    guard let mask = capabilities(of: account, in: group) else {
      throw NodeRefusal(403, "\(account) is not a member of this group")
    }
    guard mask.contains(right) else {
      throw NodeRefusal(403, "\(account) lacks the capability for this in the group")
    }
  }

  func requireMember(_ account: String, of group: String) throws(NodeRefusal) {
    _ = try record(group)
    guard isMember(account, of: group) else { throw .notFound("Member") }
  }

  private func requireAnotherAdmin(than account: String, in group: String) throws(NodeRefusal) {
    if groups[group]?.admins == [account] {
      throw NodeRefusal(409, "the last admin of a group stays its admin")
    }
  }

  // MARK: Groups

  private func checkCreation(_ birth: GroupBirth, _ author: String) throws(NodeRefusal) {
    _ = try record(birth.parent)
    guard groups[birth.id] == nil else { throw NodeRefusal(409, "the group exists") }
    guard depth(of: birth.parent) < Self.depthLimit else {
      throw NodeRefusal(400, "a group stands at most \(Self.depthLimit) levels below its namespace")
    }
    if isNamespaceAdmin(author) { return }
    guard birth.parent == id else {
      throw NodeRefusal(403, "only an admin of the namespace creates groups this far down")
    }
    try require(.createSubgroup, author, in: id)
  }

  private func checkReparenting(_ group: String, _ parent: String, _ author: String) throws(NodeRefusal) {
    let record = try record(group)
    guard group != parent else { throw NodeRefusal(400, "a group is not its own parent") }
    guard record.parent != nil else { throw NodeRefusal(400, "a namespace has no parent") }
    guard groups[parent] != nil else { throw .notFound("Parent group") }
    try requireNamespaceAdmin(author)
    let below = subtree(of: group)
    guard !below.contains(parent) else { throw NodeRefusal(409, "the new parent is below the group") }
    let height = below.map { depth(of: $0) }.max().map { $0 - depth(of: group) } ?? 0
    guard depth(of: parent) + 1 + height <= Self.depthLimit else {
      throw NodeRefusal(400, "a group stands at most \(Self.depthLimit) levels below its namespace")
    }
  }

  private func checkDeletion(_ group: String, _ author: String) throws(NodeRefusal) {
    let record = try record(group)
    guard record.parent != nil else { throw NodeRefusal(400, "a namespace is not deleted as a group") }
    if record.owner == author || isNamespaceAdmin(author) { return }
    try require(.deleteSubgroup, author, in: id)
  }

  private func checkContextCreation(_ group: String, _ author: String) throws(NodeRefusal) {
    _ = try record(group)
    guard let role = role(of: author, in: group) else {
      throw NodeRefusal(403, "\(author) is not a member of this group")
    }
    guard role.mayWrite else { throw NodeRefusal(403, "a read-only member creates no context") }
    try require(.createContext, author, in: group)
  }

  // MARK: Members

  private func checkAddition(_ role: GroupRole, _ group: String, _ author: String) throws(NodeRefusal) {
    guard !role.isTee else { throw NodeRefusal(400, "a TEE role comes from attestation only") }
    if role == .admin {
      try requireAdmin(author, of: group)
    } else {
      try require(.manageMembers, author, in: group)
    }
  }

  private func checkRemoval(_ account: String, _ group: String, _ author: String) throws(NodeRefusal) {
    let record = try record(group)
    if isAdmin(account, of: group) {
      try requireAdmin(author, of: group)
    } else {
      try require(.manageMembers, author, in: group)
    }
    try requireMember(account, of: group)
    guard record.owner != account else { throw NodeRefusal(403, "the owner of a group cannot be removed") }
    try requireAnotherAdmin(than: account, in: group)
    try requireNoSubgroup(of: account, below: group)
  }

  /// Leaving the root means leaving everything below, where an owner stays.
  private func requireNoSubgroup(of account: String, below group: String) throws(NodeRefusal) {
    guard group == id, groups.values.contains(where: { $0.id != id && $0.owner == account }) else { return }
    throw NodeRefusal(409, "\(account) owns a subgroup")
  }

  private func checkLeaving(_ group: String, _ author: String) throws(NodeRefusal) {
    let record = try record(group)
    switch path(of: author, in: group) {
    case .none: throw NodeRefusal(403, "\(author) is not a member of this group")
    case .inherited: throw NodeRefusal(409, "the membership is inherited: it is left where it comes from")
    case .direct: break
    }
    guard record.owner != author else { throw NodeRefusal(403, "the owner of a group cannot leave it") }
    try requireAnotherAdmin(than: author, in: group)
    try requireNoSubgroup(of: author, below: group)
  }

  private func checkRole(_ account: String, _ role: GroupRole, _ group: String, _ author: String)
    throws(NodeRefusal)
  {
    guard !role.isTee else { throw NodeRefusal(400, "a TEE role comes from attestation only") }
    try requireAdmin(author, of: group)
    try requireMember(account, of: group)
    guard let row = groups[group]?.members[account] else {
      throw NodeRefusal(409, "\(account) is not a direct member of this group")
    }
    guard !row.role.isTee else { throw NodeRefusal(403, "the role of a TEE follows the admission policy") }
    if role != .admin { try requireAnotherAdmin(than: account, in: group) }
  }

  private func checkOpenJoin(_ group: String, _ author: String) throws(NodeRefusal) {
    let record = try record(group)
    switch path(of: author, in: group) {
    case .direct: throw NodeRefusal(409, "signer \(author) is a direct member; there is nothing to join")
    case .none: throw NodeRefusal(403, "\(author) may not join this group by inheritance")
    case .inherited: break
    }
    guard !record.blocked.contains(author) else {
      throw NodeRefusal(409, "\(author) was removed from this group")
    }
  }

  // MARK: Invitations

  /// Whether an account may invite as this role.
  func checkInvitation(as role: GroupRole, to group: String, by account: String) throws(NodeRefusal) {
    if role == .admin {
      try requireAdmin(account, of: group)
    } else {
      try require(.inviteMembers, account, in: group)
    }
  }

  private func checkJoin(_ claim: JoinClaim) throws(NodeRefusal) {
    let invitation = claim.invitation
    let group = invitation.groupId
    let record = try record(group)
    try invitation.checkSignature()
    guard claim.joinedAt <= invitation.expiresAt || invitation.expiresAt == 0 else {
      throw NodeRefusal(409, "invitation for group \(group) expired at \(invitation.expiresAt)")
    }
    guard let inviter = device(withKey: invitation.inviterKey), !inviter.isRevoked else {
      throw NodeRefusal(403, "the inviter's device is not one of this namespace")
    }
    try checkInvitation(as: invitation.role, to: group, by: inviter.account)
    let account = claim.device.account
    guard !record.blocked.contains(account) else {
      throw NodeRefusal(409, "\(account) was removed; only an admin adds it again")
    }
    if let user = consumed[invitation.identity], user != account {
      throw NodeRefusal(409, "the invitation was already consumed")
    }
    try checkBinding(claim.device)
  }

  // MARK: The rest

  private func checkMetadata(
    _ target: GovernanceOp.MetadataTarget, _ name: String?, _ data: [String: String], _ author: String
  ) throws(NodeRefusal) {
    let record = try record(target.group)
    try MetadataRules.check(name: name, data: data)
    switch target {
    case .group: break
    case .member(let account, let group):
      try requireMember(account, of: group)
      if account == author { return }
    case .context(let context, _):
      guard record.contexts[context] != nil else { throw .notFound("Context in this group") }
    }
    try require(.manageMetadata, author, in: target.group)
  }

  private func checkOwnerOp(_ op: GovernanceOp.OwnerOp, _ counter: UInt64, _ author: String)
    throws(NodeRefusal)
  {
    switch op {
    case .transferOwnership(let group, let account):
      try requireOwner(author, of: group)
      guard isDirectAdmin(account, of: group) else {
        throw NodeRefusal(409, "the new owner must be an admin")
      }
    case .deleteGroup(let group):
      try requireOwner(author, of: group)
      guard subtree(of: group).allSatisfy({ groups[$0]?.contexts.isEmpty ?? true }) else {
        throw NodeRefusal(409, "the group still has contexts")
      }
    case .changeAdmin(let account):
      try requireOwner(author, of: id)
      guard root.members[account] != nil else { throw NodeRefusal(409, "the new admin must be a member") }
    case .setTeeAuthoring: try requireOwner(author, of: id)
    }
    guard counter == ownerOpCounter else { throw NodeRefusal(409, "the owner-op counter moved on") }
  }

  private func requireOwner(_ account: String, of group: String) throws(NodeRefusal) {
    guard try record(group).owner == account else {
      throw NodeRefusal(403, "\(account) does not own this group")
    }
  }

  func checkBinding(_ device: BoundDevice) throws(NodeRefusal) {
    guard !isRevoked(device.id) else { throw NodeRefusal(403, "the device was revoked") }
    if let known = devices[device.id], known.account != device.account {
      throw NodeRefusal(403, "the device belongs to another account")
    }
  }
}
