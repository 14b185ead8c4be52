import MeroWire

extension ClusterState {
  /// Enters an event of the node's own, as one more event of the app's last change.
  func note(
    _ kind: String, _ data: JSONValue, in app: AppRecord, by account: AccountRecord?, at now: Int64
  ) {
    changes += 1
    let (last, seq) = (app.events.last, app.now.seq)
    app.events.append(
      seq: seq, index: last.seq == seq ? last.index + 1 : 0, change: changes, kind: kind, data: data,
      actor: account?.id, at: now)
    announce(app)
  }

  /// Ends an app: its streams read on to `calimero.deleted` and end.
  func delete(_ app: AppRecord, by account: AccountRecord?, at now: Int64) {
    app.state = .deleting
    if !app.followers.isEmpty { departed[app.id] = app }
    note("calimero.deleted", .null, in: app, by: account, at: now)
    app.org.apps[app.id] = nil
    apps.remove(app.id)
  }

  /// Ends the streams of accounts that have no role in the app any more.
  func dropStrangers(from app: AppRecord) {
    for follower in app.followers.values {
      let account = sessions[follower.credential]?.account ?? apiKeys[follower.credential]?.account
      guard account.map({ app.role(of: $0) == nil }) ?? true else { continue }
      afterwards { follower.end(.ended) }
    }
  }
}
