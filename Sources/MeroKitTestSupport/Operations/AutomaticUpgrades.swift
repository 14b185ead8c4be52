import MeroWire

// Apps that follow their deployment's version by themselves (70 §2.21).

extension ClusterState {
  /// Moves the apps of a live deployment that follows to its version. Going to an older version moves no app.
  func moveApps(along deployment: DeploymentRecord, _ x: Exchange) {
    guard deployment.autoUpgrade, deployment.state(at: x.now) == .live,
      let version = versions[VersionRecord.id(deployment.package, deployment.version)]
    else { return }
    let package = code(of: version)
    for app in apps.values.sorted(by: { $0.id < $1.id })
    where app.package.name == package.name && app.state == .ready
      && Self.isNewer(package.version, app.package.version)
    {
      move(app, to: package, x)
    }
  }

  /// Runs the new version's migration on a copy and switches the app over; when that fails the app stays as it was.
  /// Nobody waits for the outcome: the app's events tell it.
  private func move(_ app: AppRecord, to package: FakePackage, _ x: Exchange) {
    let from = app.package.version
    var data = app.now.data
    do {
      if let migrate = package.definition.migrate {
        let context = context(for: nil, data: data, x)
        try run { try migrate(context, ["from": .string(from)]) }
        data = context.data
      }
    } catch {
      change(app, to: app.now.data, "calimero.state", ["state": .string(app.state.rawValue)], x)
      return
    }
    app.package = package
    change(app, to: data, "calimero.upgraded", ["from": .string(from), "to": .string(package.version)], x)
  }

  private func change(_ app: AppRecord, to data: AppData, _ kind: String, _ what: JSONValue, _ x: Exchange) {
    changes += 1
    app.apply(data, change: changes)
    app.events.append(
      seq: app.now.seq, index: 0, change: changes, kind: kind, data: what, actor: nil, at: x.now)
    announce(app)
  }
}
