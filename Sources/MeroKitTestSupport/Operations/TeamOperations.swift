import MeroWire

// Teams: sets of an organization's members (70 §2.19).

extension ClusterState {
  static let teamHandlers: [String: Handler] = [
    "org_team_list": { state, _, x in try state.listTeams(x) },
    "org_team_create": { state, _, x in try state.createTeam(x) },
    "org_team_update": { state, _, x in try state.updateTeam(x) },
    "org_team_delete": { state, _, x in try state.deleteTeam(x) },
    "org_team_member_list": { state, _, x in try state.listTeamMembers(x) },
    "org_team_member_set": { state, _, x in try state.setTeamMember(x) },
    "org_team_member_remove": { state, _, x in try state.removeTeamMember(x) },
  ]

  private func listTeams(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, _) = try org(x, for: caller)
    _ = try x.fields()
    return try list(
      "teams", Array(org.teams.values), x, for: caller, by: { "\($0.name.lowercased())\u{0}\($0.id)" }
    ) { describe($0, of: org) }
  }

  private func createTeam(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    try require(own, "make teams")
    let name = try teamName(try x.fields(), in: org)
    var team = OrgRecord.Team(id: ids.id("team", at: x.now), name: name, createdAt: x.now)
    team.members[caller.account.id] = OrgRecord.TeamMember(isLead: true, addedAt: x.now)
    org.teams[team.id] = team
    return .answer(201, describe(team, of: org))
  }

  private func updateTeam(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    var team = try team(x, of: org)
    try require(own, "rename teams")
    team.name = try teamName(try x.fields(), in: org, besides: team.id)
    org.teams[team.id] = team
    return .answer(200, describe(team, of: org))
  }

  private func deleteTeam(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    let team = try team(x, of: org)
    try require(own, "delete teams")
    _ = try x.fields()
    try requireConfirmation(x, by: caller)
    let members = team.members.keys.sorted().compactMap { accounts[$0] }
    changingMembership(of: org, for: members, by: caller.account, at: x.now) {
      org.teams[team.id] = nil
      for app in org.apps.values.sorted(by: { $0.id < $1.id }) {
        guard let member = app.members.removeValue(forKey: team.id) else { continue }
        noteMember(team.id, member.role, isRemoved: true, in: app, by: caller.account, at: x.now)
      }
    }
    return .answer(204, nil)
  }

  private func listTeamMembers(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, _) = try org(x, for: caller)
    let team = try team(x, of: org)
    _ = try x.fields()
    let members = team.members.compactMap { id, member in accounts[id].map { ($0, member) } }
    return try list(
      "members", members, x, for: caller,
      by: { account, member in "\(member.isLead ? 0 : 1) \(account.name)" }
    ) { account, member in describe(account, member) }
  }

  private func setTeamMember(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    let team = try team(x, of: org)
    let (account, _) = try member(x, of: org)
    try requireLead(caller, own, of: team)
    let isLead = try x.fields()["lead"]?.boolValue ?? false
    let member = OrgRecord.TeamMember(
      isLead: isLead, addedAt: team.members[account.id]?.addedAt ?? x.now)
    changingMembership(of: org, for: [account], by: caller.account, at: x.now) {
      org.teams[team.id]?.members[account.id] = member
    }
    return .answer(200, describe(account, member))
  }

  private func removeTeamMember(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, own) = try org(x, for: caller)
    let team = try team(x, of: org)
    try requireLead(caller, own, of: team)
    _ = try x.fields()
    // Taking out who is not in it, or is nobody, succeeds.
    guard let account = accounts[x.path["account"] ?? ""] else { return .answer(204, nil) }
    changingMembership(of: org, for: [account], by: caller.account, at: x.now) {
      org.teams[team.id]?.members[account.id] = nil
    }
    return .answer(204, nil)
  }

  private func team(_ x: Exchange, of org: OrgRecord) throws -> OrgRecord.Team {
    guard let team = org.teams[x.path["team"] ?? ""] else { throw Refusal.notFound("team") }
    return team
  }

  /// Owners and admins change any team's members, others those of the teams they lead.
  private func requireLead(_ caller: Caller, _ own: OrgRole, of team: OrgRecord.Team) throws {
    if team.members[caller.account.id]?.isLead != true { try require(own, "change this team's members") }
  }

  /// The name in the body, which no other team of the organization has; case does not matter.
  private func teamName(
    _ fields: JSONObject, in org: OrgRecord, besides id: String? = nil
  ) throws -> String {
    let name = fields["name"]?.stringValue ?? ""
    try requireName(name)
    let isTaken = org.teams.values.contains { $0.id != id && $0.name.lowercased() == name.lowercased() }
    guard !isTaken else { throw Refusal(409, "NAME_TAKEN", "the organization has a team named \(name)") }
    return name
  }

  private func describe(_ team: OrgRecord.Team, of org: OrgRecord) -> JSONValue {
    [
      "teamId": .string(team.id), "orgId": .string(org.id), "name": .string(team.name),
      "memberCount": JSONValue(team.members.count), "createdAt": JSONValue(team.createdAt),
    ]
  }

  private func describe(_ account: AccountRecord, _ member: OrgRecord.TeamMember) -> JSONValue {
    ["accountId": .string(account.id), "name": .string(account.name), "lead": .bool(member.isLead)]
  }
}
