import MeroWire

// Apps that follow their deployment's version by themselves (70 §2.21).

extension ClusterState {
  /// Moves the apps of a live deployment that follows to its version. Going to an older version moves no app.
  func moveApps(along deployment: DeploymentRecord, _ x: Exchange) {
    for app in apps.values.sorted(by: { $0.id < $1.id }) where app.package.name == deployment.package {
      follow(app, at: x.now)
    }
  }

  /// Moves an app to its deployment's version if it is to follow and can. To be asked when either changed: an app that was not
  /// ready when the deployment moved follows when it is.
  ///
  /// - Parameter failed: the version that the app has just failed to move to, which it does not try again by itself.
  func follow(_ app: AppRecord, at now: Int64, failed: String? = nil) {
    guard app.state == .ready, app.upgrade == nil, let deployment = deployment(of: app.package.name),
      deployment.autoUpgrade, deployment.state(at: now) == .live, deployment.version != failed,
      let version = versions[VersionRecord.id(deployment.package, deployment.version)], !version.isYanked,
      Self.isNewer(deployment.version, app.package.version)
    else { return }
    upgrade(app, to: code(of: version), by: nil, at: now)
  }
}
