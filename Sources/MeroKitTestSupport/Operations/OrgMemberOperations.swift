import MeroWire

// Members of an organization and their roles (70 §2.19).

extension ClusterState {
  static let orgMemberHandlers: [String: Handler] = [
    "org_member_list": { state, _, x in try state.listMembers(x) },
    "org_member_update": { state, _, x in try state.updateMember(x) },
    "org_member_remove": { state, _, x in try state.removeMember(x) },
  ]

  private func listMembers(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, _) = try org(x, for: caller)
    _ = try x.fields()
    let members = org.members.compactMap { id, member in accounts[id].map { ($0, member) } }
    return try list(
      "members", members, x, for: caller,
      // By role, strongest first, then by name.
      by: { account, member in "\(OrgRole.owner.strength - member.role.strength) \(account.name)" }
    ) { account, member in describe(account, member, in: org) }
  }

  private func updateMember(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    let (account, old) = try member(x, of: org)
    try require(own, toGive: x.peek("role").flatMap { OrgRole(rawValue: $0) }, insteadOf: old)
    let fields = try x.fields()
    guard let new = fields["role"]?.stringValue.flatMap({ OrgRole(rawValue: $0) }) else {
      throw Refusal.invalidArgument("role", "is no role")
    }
    if new != .owner { try requireAnotherOwner(than: account, in: org) }
    if max(old.strength, new.strength) >= OrgRole.admin.strength {
      try requireConfirmation(x, by: caller)
    } else {
      try requireAllScopes(of: caller)
    }
    changingMembership(of: org, for: [account], by: caller.account, at: x.now) {
      org.members[account.id]?.role = new
    }
    guard let member = org.members[account.id] else { throw Refusal.notFound("member") }
    return .answer(200, describe(account, member, in: org))
  }

  private func removeMember(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    let (account, role) = try member(x, of: org)
    let isLeaving = account === caller.account
    if !isLeaving { try require(own, toGive: nil, insteadOf: role) }
    _ = try x.fields()
    try requireAnotherOwner(than: account, in: org)
    if isLeaving { try requireAllScopes(of: caller) } else { try requireConfirmation(x, by: caller) }
    changingMembership(of: org, for: [account], by: caller.account, at: x.now) {
      org.members[account.id] = nil
      for team in org.teams.keys { org.teams[team]?.members[account.id] = nil }
    }
    return .answer(204, nil)
  }

  /// The organization that the path names, with the caller's role in it.
  func org(_ x: Exchange, for caller: Caller) throws -> (OrgRecord, OrgRole) {
    try org(x.path["org"] ?? "", for: caller)
  }

  /// The member that the path names, with its role.
  func member(_ x: Exchange, of org: OrgRecord) throws -> (AccountRecord, OrgRole) {
    guard let account = accounts[x.path["account"] ?? ""], let role = org.role(of: account.id) else {
      throw Refusal.notFound("member")
    }
    return (account, role)
  }

  /// An owner changes every role; an admin those of members and viewers, and makes nobody more than that.
  private func require(_ own: OrgRole, toGive new: OrgRole?, insteadOf old: OrgRole) throws {
    let highest = max(old.strength, new?.strength ?? 0)
    guard own == .owner || (own == .admin && highest < OrgRole.admin.strength) else {
      throw Refusal.forbidden("change the role of a member that is, or would be, this strong")
    }
  }

  private func requireAnotherOwner(than account: AccountRecord, in org: OrgRecord) throws {
    guard org.role(of: account.id) == .owner else { return }
    guard org.members.contains(where: { $0.key != account.id && $0.value.role == .owner }) else {
      throw Refusal(409, "LAST_OWNER", "an organization keeps at least one owner")
    }
  }

  private func describe(
    _ account: AccountRecord, _ member: OrgRecord.Member, in org: OrgRecord
  ) -> JSONValue {
    let teams = org.teams.values.filter { $0.members[account.id] != nil }.map(\.id).sorted()
    return [
      "accountId": .string(account.id), "name": .string(account.name), "role": .string(member.role.rawValue),
      "joinedAt": JSONValue(member.joinedAt), "teams": .array(teams.map { .string($0) }),
    ]
  }
}
