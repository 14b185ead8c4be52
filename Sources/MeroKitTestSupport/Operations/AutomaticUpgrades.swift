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
      upgrade(app, to: package, by: nil, at: x.now)
    }
  }
}
