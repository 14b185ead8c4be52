import MeroCrypto
import MeroWire

// Invitations to organizations (70 §2.19).

extension ClusterState {
  static let inviteHandlers: [String: Handler] = [
    "org_invite_create": { state, _, x in try state.createInvite(x) },
    "org_invite_list": { state, _, x in try state.listInvites(x) },
    "org_invite_revoke": { state, _, x in try state.revokeInvite(x) },
    "org_invite_accept": { state, _, x in try state.acceptInvite(x) },
    "public_invite_preview": { state, _, x in try state.previewInvite(x) },
  ]

  private static let inviteLifetime: Int64 = 7 * 86_400_000

  private func createInvite(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    try require(own, "make invitations")
    if let role = x.peek("role").flatMap({ OrgRole(rawValue: $0) }), role != .owner {
      try requireInviter(of: role, own, "make")
    }
    let fields = try x.fields()
    guard let role = fields["role"]?.stringValue.flatMap({ OrgRole(rawValue: $0) }), role != .owner else {
      throw Refusal.invalidArgument("role", "is never owner")
    }
    let teams = fields.texts("teams")
    guard teams.allSatisfy({ org.teams[$0] != nil }) else { throw Refusal.notFound("team") }
    try requireConfirmation(x, by: caller)
    // An invitation that nobody could accept.
    try requireQuota(org, .members)
    let code = ids.token("")
    let invite = InviteRecord(
      id: ids.id("inv", at: x.now), org: org, codeHash: SHA256.hash(Array(code.utf8)), role: role,
      teams: teams, label: fields["label"]?.stringValue, maxUses: fields["maxUses"]?.int ?? 1,
      expiresAt: x.now + (fields["expiresInMs"]?.int64 ?? Self.inviteLifetime), createdAt: x.now,
      createdBy: caller.account)
    invites.insert(invite)
    return .answer(
      201,
      [
        "invite": describe(invite, at: x.now), "code": .string(code),
        "url": .string("\(consentOrigin)/invite#\(code)"),
      ])
  }

  private func listInvites(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    try require(own, "see invitations")
    _ = try x.fields()
    forgetInvites(at: x.now)
    let wanted = x.query["state"]
    let found = invites.values.filter {
      $0.org === org && mayInvite($0.role, own) && (wanted == nil || $0.state(at: x.now).rawValue == wanted)
    }
    return try list("invites", found, x, for: caller, by: \.id, isBefore: >) { describe($0, at: x.now) }
  }

  private func revokeInvite(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    forgetInvites(at: x.now)
    guard let invite = invites[x.path["invite"] ?? ""], invite.org === org else {
      throw Refusal.notFound("invitation")
    }
    try require(own, "take invitations back")
    try requireInviter(of: invite.role, own, "take back")
    _ = try x.fields()
    invite.revoke(at: x.now)
    return .answer(204, nil)
  }

  /// What an owner or admin does with invitations: an admin makes, sees and takes back those for members and viewers only
  /// (70 §2.19).
  private func mayInvite(_ role: OrgRole, _ own: OrgRole) -> Bool {
    own == .owner || role.strength < OrgRole.admin.strength
  }

  private func requireInviter(of role: OrgRole, _ own: OrgRole, _ what: String) throws {
    guard mayInvite(role, own) else {
      throw Refusal.forbidden("\(what) invitations for a \(role.rawValue); it takes an owner")
    }
  }

  private func acceptInvite(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let fields = try x.fields()
    let invite = try invite(fields, at: x.now)
    let (org, account) = (invite.org, caller.account)
    if org.isSuspended { throw Refusal.suspended("organization") }
    let state = invite.state(at: x.now)
    guard let role = org.role(of: account.id) else {
      guard state == .open else {
        throw Refusal(
          410, "INVITE_EXPIRED", "the invitation is \(state.rawValue)",
          details: ["state": .string(state.rawValue)])
      }
      try requireQuota(org, .members)
      join(account, by: invite, at: x.now)
      return .answer(200, accepted(org, invite.role, wasMember: false))
    }
    // Whoever belongs to it is told so whatever became of the invitation: accepting may be repeated after its answer
    // was lost, and the first time may have spent the last use. Only an open one makes anybody stronger.
    guard state == .open, invite.role.strength > role.strength else {
      return .answer(200, accepted(org, role, wasMember: true))
    }
    changingMembership(of: org, for: [account], by: account, at: x.now) {
      org.members[account.id]?.role = invite.role
    }
    return .answer(200, accepted(org, invite.role, wasMember: true))
  }

  private func join(_ account: AccountRecord, by invite: InviteRecord, at now: Int64) {
    let org = invite.org
    changingMembership(of: org, for: [account], by: account, at: now) {
      org.members[account.id] = OrgRecord.Member(role: invite.role, joinedAt: now)
      // Teams that were deleted since are skipped.
      for team in invite.teams where org.teams[team] != nil {
        org.teams[team]?.members[account.id] = OrgRecord.TeamMember(isLead: false, addedAt: now)
      }
    }
    invite.use(at: now)
  }

  private func previewInvite(_ x: Exchange) throws -> Outcome {
    let invite = try invite(try x.fields(), at: x.now)
    return .answer(
      200,
      [
        "orgName": .string(invite.org.name), "role": .string(invite.role.rawValue),
        "state": .string(invite.state(at: x.now).rawValue), "invitedBy": .string(invite.createdBy.name),
        "expiresAt": JSONValue(invite.expiresAt),
      ])
  }

  /// The invitation whose code the body holds.
  private func invite(_ fields: JSONObject, at now: Int64) throws -> InviteRecord {
    forgetInvites(at: now)
    let hash = SHA256.hash(Array((fields["code"]?.stringValue ?? "").utf8))
    guard let invite = invites.values.first(where: { ConstantTime.equal($0.codeHash, hash) }) else {
      throw Refusal.notFound("invitation")
    }
    return invite
  }

  private func forgetInvites(at now: Int64) {
    for invite in Array(invites.values) where !invite.isKnown(at: now) { invites.remove(invite.id) }
  }

  private func accepted(_ org: OrgRecord, _ role: OrgRole, wasMember: Bool) -> JSONValue {
    [
      "orgId": .string(org.id), "orgName": .string(org.name), "role": .string(role.rawValue),
      "alreadyMember": .bool(wasMember),
    ]
  }

  private func describe(_ invite: InviteRecord, at now: Int64) -> JSONValue {
    var answer: JSONObject = [
      "inviteId": .string(invite.id), "orgId": .string(invite.org.id), "role": .string(invite.role.rawValue),
      "teams": .array(invite.teams.map { .string($0) }), "state": .string(invite.state(at: now).rawValue),
      "uses": JSONValue(invite.uses), "maxUses": JSONValue(invite.maxUses),
      "expiresAt": JSONValue(invite.expiresAt), "createdAt": JSONValue(invite.createdAt),
      "createdBy": .string(invite.createdBy.id),
    ]
    answer["label"] = invite.label.map { .string($0) }
    return .object(answer)
  }
}
