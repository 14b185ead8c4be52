import MeroWire

extension ClusterState {
  /// Ends an app: its streams say `calimero.deleted` after everything else and are over, and nobody finds it any more.
  func delete(_ app: AppRecord, by actor: AccountRecord?, at now: Int64) {
    app.state = .deleting
    note("calimero.deleted", [:], in: app, by: actor, at: now)
    apps.remove(app.id)
    app.org.apps[app.id] = nil
    if !app.followers.isEmpty { leavingApps[app.id] = app }
  }
}
