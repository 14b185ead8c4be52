import MeroWire

extension ClusterState {
  /// Takes over what was kept. To be called once, before anything else happens.
  ///
  /// One line for each table, in an order in which rows name only rows of the lines above. What follows from the
  /// tables, to find things by, is made afterwards.
  func restore(_ rows: inout KeptRows) throws {
    try accounts.restore(&rows) { try AccountRecord($0) }
    try passkeys.restore(&rows) { try PasskeyRecord($0, self) }
    try sessions.restore(&rows) { try SessionRecord($0, self) }
    let successors = try tokens.restore(&rows) { try TokenPair($0, self) }
    try apiKeys.restore(&rows) { try ApiKeyRecord($0, self) }
    try operators.restore(&rows) { try OperatorRecord($0, self) }
    try orgs.restore(&rows) { try OrgRecord($0) }
    try decisions.restore(&rows) { try DecisionRecord($0) }
    try signups.restore(&rows) { try SignupRecord($0, self) }
    try deployers.restore(&rows) { try DeployerRecord($0) }
    try deployments.restore(&rows) { try DeploymentRecord($0, self) }
    try nodeRecords.restore(&rows) { try NodeRecord($0) }
    try releases.restore(&rows) { try ReleaseRecord($0) }
    try quotas.restore(&rows) { try QuotaRecord($0) }
    try published.restore(&rows) { try PackageRecord($0) }
    try versions.restore(&rows) { try VersionRecord($0) }
    try apps.restore(&rows) { try AppRecord($0, self) }
    try invites.restore(&rows) { try InviteRecord($0, self) }
    try blobs.restore(&rows) { try BlobRecord($0, self) }
    try uploads.restore(&rows) { try UploadRecord($0, self) }
    try grants.restore(&rows) { try GrantRecord($0, self) }
    try jobs.restore(&rows) { try JobRecord($0, self) }
    try timers.restore(&rows) { try TimerRecord($0, self) }
    try kept.restore(&rows)
    try rows.requireEmpty()

    for account in accounts.values { accountsByName[account.name] = account }
    for passkey in passkeys.values.sorted(by: { $0.id < $1.id }) {
      passkey.account.passkeys.append(passkey)
      passkeysByCredential[passkey.credentialId] = passkey
    }
    for row in successors where row.optional("successor") != nil {
      tokens[row.id]?.successor = try row.record("successor", in: tokens)
    }
    for pair in tokens.values {
      accessTokens[pair.access] = pair
      if pair.successor == nil { pair.session.pair = pair }
    }
    for app in apps.values { app.org.apps[app.id] = app }
    lastBlobNumber = blobs.values.map(\.number).max() ?? 0
    restoreStanding()
    scheduleAll()
  }

  /// Drops apps whose creation did not come to its end: nobody was told of them.
  func dropUnfinished() {
    for app in Array(apps.values) where app.isUnfinished { forget(app) }
  }

  /// Apps whose code is not there, in words.
  var missingCode: [String] {
    apps.values.sorted { $0.id < $1.id }.compactMap { app in
      let name = "the app “\(app.name)” (\(app.id))"
      if app.package.isUnknown {
        return "\(name) runs \(app.package.name) \(app.package.version), which is not there; "
          + "it is suspended until it is"
      }
      guard let version = app.upgrade?.version, version.isUnknown else { return nil }
      return
        "\(name) moves to \(version.name) \(version.version), which is not there; it takes no calls until it is"
    }
  }

  /// Writes down what changed since the last time, with what could not be written then. Answers whether everything is kept.
  func keep() -> Bool {
    guard let keeper else { return true }
    unkept += ledger.take()
    guard !unkept.isEmpty else { return true }
    do {
      try keeper.write(unkept)
      unkept = []
      return true
    } catch {
      // The keeper says so to whoever runs the cluster; clients hear nothing until it works again.
      return false
    }
  }
}
