import MeroWire

// Accounts and teams with a role of their own in an app (70 §2.20).

extension ClusterState {
  static let appMemberHandlers: [String: Handler] = [
    "app_member_list": { state, _, x in try state.listMembers(x) },
    "app_member_set": { state, _, x in try state.setMember(x) },
    "app_member_remove": { state, _, x in try state.removeMember(x) },
  ]

  private func listMembers(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    _ = try x.fields()
    try requireReady(app, forView: true)
    // By role, then name; the id decides between equal ones.
    let members = app.members.compactMap { id, member -> (key: String, json: JSONValue)? in
      guard let (kind, name) = principal(id, in: app) else { return nil }
      let strength = AppRole.manager.strength - member.role.strength
      return (
        "\(strength)\(name.lowercased())\u{0}\(id)", describe(id, kind: kind, name: name, member)
      )
    }
    return try list("members", members, x, for: caller, by: \.key) { $0.json }
  }

  private func setMember(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let id = x.path["principal"] ?? ""
    let (app, (kind, name)) = try usableApp(x, for: caller, as: .manager) { app in
      guard let found = principal(id, in: app) else { throw Refusal.notFound("account or team") }
      return found
    }
    guard let role = try x.fields()["role"]?.stringValue.flatMap({ AppRole(rawValue: $0) }) else {
      throw Refusal.invalidArgument("role", "is no role")
    }
    try requireReady(app, forView: true)
    let old = app.members[id]
    let member = AppRecord.Member(role: role, addedAt: old?.addedAt ?? x.now)
    if old?.role != role {
      app.members[id] = member
      noteMember(id, role, isRemoved: false, in: app, by: caller.account, at: x.now)
    }
    return .answer(200, describe(id, kind: kind, name: name, member))
  }

  private func removeMember(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .manager)
    _ = try x.fields()
    try requireReady(app, forView: true)
    let id = x.path["principal"] ?? ""
    if let member = app.members.removeValue(forKey: id) {
      noteMember(id, member.role, isRemoved: true, in: app, by: caller.account, at: x.now)
      dropStrangers(from: app)
    }
    return .answer(204, nil)
  }

  /// Any account, or a team of the app's organization.
  private func principal(_ id: String, in app: AppRecord) -> (kind: String, name: String)? {
    if let account = accounts[id] { return ("account", account.name) }
    return app.org.teams[id].map { ("team", $0.name) }
  }

  private func describe(
    _ id: String, kind: String, name: String, _ member: AppRecord.Member
  ) -> JSONValue {
    [
      "principal": .string(id), "kind": .string(kind), "name": .string(name),
      "role": .string(member.role.rawValue), "addedAt": JSONValue(member.addedAt),
    ]
  }
}
