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
        guard new != old else { continue }
        noteMember(account.id, new, in: app, by: actor, at: now)
      }
      endStreamsOfStrangers(in: app)
    }
  }

  /// Enters in an app's events that a member, an account or a team, has another role or none.
  func noteMember(
    _ principal: String, _ role: AppRole?, in app: AppRecord, by actor: AccountRecord, at now: Int64
  ) {
    var data: JSONObject = ["principal": .string(principal)]
    data["role"] = role.map { .string($0.rawValue) }
    data["removed"] = .bool(role == nil)
    note("calimero.members", .object(data), in: app, by: actor, at: now)
  }

  /// Enters an event of the node's own among an app's events, after all there are. The app's position stays.
  func note(_ kind: String, _ data: JSONValue, in app: AppRecord, by actor: AccountRecord?, at now: Int64) {
    changes += 1
    let (last, seq) = (app.events.last, app.now.seq)
    app.events.append(
      seq: seq, index: last.seq == seq ? last.index + 1 : 0, change: changes, kind: kind, data: data,
      actor: actor?.id, at: now)
    announce(app)
  }

  private func endStreamsOfStrangers(in app: AppRecord) {
    for follower in app.followers.values {
      let account = sessions[follower.credential]?.account ?? apiKeys[follower.credential]?.account
      guard let account, app.role(of: account) == nil else { continue }
      afterwards { follower.end(.ended) }
    }
  }
}
