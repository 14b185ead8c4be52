import Foundation
import MeroWire

// What becomes of an app after it was made: its name, its version, its end (70 §2.20).

extension ClusterState {
  static let appChangeHandlers: [String: Handler] = [
    "app_update": { state, _, x in try state.updateApp(x) },
    "app_delete": { state, _, x in try state.deleteApp(x) },
    "app_upgrade": { state, _, x in try state.upgradeApp(x) },
    "app_abi_get": { state, _, x in try state.getInterface(x) },
  ]

  private func updateApp(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .manager)
    let fields = try x.fields()
    let name = fields["name"]?.stringValue
    if let name { try requireName(name) }
    try requireReady(app, forView: true)
    if let name {
      if let other = appNamed(name, in: app.org), other !== app { throw Refusal.nameTaken(name) }
      if app.name != name { app.name = name }
    }
    if let access = fields["orgAccess"]?.stringValue.flatMap({ OrgAccess(rawValue: $0) }),
      access != app.orgAccess
    {
      app.orgAccess = access
      dropStrangers(from: app)
    }
    return .answer(200, describe(app, role: .manager, at: x.node))
  }

  /// Only an admin or owner of the organization may, not whoever made it.
  private func deleteApp(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    guard let role = app.org.role(of: caller.account.id), role.strength >= OrgRole.admin.strength else {
      throw Refusal.forbidden("delete apps")
    }
    _ = try x.fields()
    if app.state != .upgrading { try requireReady(app) }
    try requireConfirmation(x, by: caller)
    delete(app, by: caller.account, at: x.now)
    return .answer(204, nil)
  }

  private func getInterface(_ x: Exchange) throws -> Outcome {
    let app = try usableApp(x, for: caller(x), as: .reader)
    _ = try x.fields()
    try requireReady(app, forView: true)
    let definition = app.package.definition
    let methods = definition.methods.sorted { $0.key < $1.key }.map { name, method -> JSONValue in
      let params = method.params.map { name, type -> JSONValue in
        guard type.hasSuffix("?") else { return ["name": .string(name), "type": .string(type)] }
        return ["name": .string(name), "type": .string(String(type.dropLast())), "optional": true]
      }
      var json: JSONObject = [
        "name": .string(name), "view": .bool(method.isView), "params": .array(params),
      ]
      json["returns"] = method.returns.map { .string($0) }
      return .object(json)
    }
    return .answer(
      200,
      [
        "package": .string(app.package.name), "version": .string(app.package.version),
        "methods": .array(methods), "events": .array(definition.kinds.sorted().map { .string($0) }),
      ])
  }

  // MARK: Upgrading

  private func upgradeApp(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .manager)
    let wanted = try x.fields()["version"]?.stringValue ?? ""
    guard let version = packageToRun(app.package.name, version: wanted) else {
      throw Refusal.notFound("version of \(app.package.name)")
    }
    try requireReady(app)
    guard SemanticVersion(app.package.version) < SemanticVersion(wanted) else {
      throw Refusal(
        409, "VERSION_CONFLICT", "\(wanted) does not follow \(app.package.version)",
        details: ["version": .string(app.package.version)])
    }
    try requireConfirmation(x, by: caller)
    upgrade(app, to: version, by: caller.account, at: x.now)
    return .answer(202, describe(app, role: .manager, at: x.node))
  }

  /// Begins to move an app to another version of its package, and ends it too when that takes no time.
  func upgrade(_ app: AppRecord, to version: FakePackage, by account: AccountRecord?, at now: Int64) {
    let milliseconds = Int64(version.definition.migrateSeconds * 1000)
    app.upgrade = AppRecord.Upgrade(version: version, by: account, endsAt: now + milliseconds)
    move(app, to: .upgrading, by: account, at: now)
    guard milliseconds > 0 else { return finishUpgrade(of: app, at: now) }
    schedule(at: now + milliseconds)
  }

  /// Runs the migration on a copy and switches over, or leaves everything as it was and says why. Waits while the version's code
  /// is not there: its state would be taken for one that needs no migration.
  func finishUpgrade(of app: AppRecord, at now: Int64) {
    guard let upgrade = app.upgrade, !upgrade.version.isUnknown else { return }
    app.upgrade = nil
    let (old, new) = (app.package.version, upgrade.version.version)
    let context = context(for: upgrade.by, data: app.now.data, at: now)
    do {
      if let migrate = upgrade.version.definition.migrate {
        try run {
          try migrate(context, ["from": .string(old)])
          try requireOwnKinds(context)
        }
      }
      app.package = upgrade.version
      enter(context, in: app, by: upgrade.by, at: now)
      note(
        "calimero.upgraded", ["from": .string(old), "to": .string(new)], in: app, by: upgrade.by, at: now)
      leaveUpgrading(app, by: upgrade.by, at: now)
      follow(app, at: now)
    } catch {
      let refusal = error as? Refusal
      leaveUpgrading(
        app, by: upgrade.by, at: now,
        more: ["version": .string(old), "failed": .string(new), "error": refusal?.info ?? .null])
      follow(app, at: now, failed: new)
    }
  }

  /// An app that was suspended while it was upgraded stays so. `more` is what its streams hear in either case.
  private func leaveUpgrading(
    _ app: AppRecord, by account: AccountRecord?, at now: Int64, more: JSONObject = [:]
  ) {
    if app.state == .upgrading { return move(app, to: .ready, by: account, at: now, more: more) }
    guard !more.isEmpty else { return }
    var data = more
    data["state"] = .string(app.state.rawValue)
    note("calimero.state", .object(data), in: app, by: account, at: now)
  }

  // MARK: States

  /// Puts an app in a state and tells its streams.
  func move(
    _ app: AppRecord, to state: AppState, by account: AccountRecord? = nil, at now: Int64,
    more: JSONObject = [:]
  ) {
    guard app.state != state else { return }
    app.state = state
    var data = more
    data["state"] = .string(state.rawValue)
    note("calimero.state", .object(data), in: app, by: account, at: now)
    // Jobs wait for an app that is ready.
    if state == .ready { schedule(at: now) }
  }

  /// Enters an event of the node's own, as one more event of the app's last change.
  func note(
    _ kind: String, _ data: JSONValue, in app: AppRecord, by account: AccountRecord?, at now: Int64
  ) {
    changes += 1
    let place = app.events.placeAfter(app.now.seq)
    app.events.append(
      seq: place.seq, index: place.index, change: changes, kind: kind, data: data, actor: account?.id, at: now
    )
    announce(app)
  }

  /// Ends an app: its streams read on to `calimero.deleted` and end.
  func delete(_ app: AppRecord, by account: AccountRecord?, at now: Int64) {
    app.state = .deleting
    if !app.followers.isEmpty { departed[app.id] = app }
    note("calimero.deleted", .null, in: app, by: account, at: now)
    forget(app)
  }

  /// Takes an app out of everything that knows of it.
  func forget(_ app: AppRecord) {
    removeFiles(of: app)
    for job in jobs.values.filter({ $0.app === app }) { jobs.remove(job.id) }
    for timer in timers.values.filter({ $0.app === app }) { timers.remove(timer.id) }
    app.org.apps[app.id] = nil
    apps.remove(app.id)
  }

  /// Ends the streams and the presence of accounts that have no role in the app any more.
  func dropStrangers(from app: AppRecord) {
    for follower in app.followers.values {
      let account = sessions[follower.credential]?.account ?? apiKeys[follower.credential]?.account
      guard account.map({ app.role(of: $0) == nil }) ?? true else { continue }
      afterwards { follower.end(.ended) }
    }
    removePresence(in: app) { key in
      accounts[key.account].map { app.role(of: $0) == nil } ?? true
    }
  }
}

extension Refusal {
  /// As a job, a timer or an event tells of it: what a node would answer, without a request.
  var info: JSONValue {
    var json: JSONObject = ["code": .string(code), "message": .string(message)]
    json["details"] = details
    return .object(json)
  }
}
