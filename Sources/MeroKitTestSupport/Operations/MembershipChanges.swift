import MeroWire

// Who belongs to an organization decides who is in its apps, so its apps hear of it (70 §2.16, §2.20).

extension ClusterState {
  /// Runs a change of an organization's members or teams and tells each of its apps whose roles there it changed, as
  /// `calimero.members`. Streams of accounts that have no role any more end.
  func changingMembership(
    of org: OrgRecord, for accounts: [AccountRecord], by actor: AccountRecord, at now: Int64,
    _ change: () -> Void
  ) {
    let apps = org.apps.values.sorted { $0.id < $1.id }
    let before = apps.map { app in accounts.map { app.role(of: $0) } }
    change()
    for (app, roles) in zip(apps, before) {
      for (account, old) in zip(accounts, roles) {
        let new = app.role(of: account)
        guard new != old, let role = new ?? old else { continue }
        noteMember(account.id, role, isRemoved: new == nil, in: app, by: actor, at: now)
      }
      dropStrangers(from: app)
    }
  }

  /// Enters in an app's events that a member, an account or a team, has this role, or had it and is no member any more.
  func noteMember(
    _ principal: String, _ role: AppRole, isRemoved: Bool, in app: AppRecord, by actor: AccountRecord,
    at now: Int64
  ) {
    note(
      "calimero.members",
      ["principal": .string(principal), "role": .string(role.rawValue), "removed": .bool(isRemoved)],
      in: app, by: actor, at: now)
  }
}
