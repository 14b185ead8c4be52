import MeroWire

/// 20 §5.10.
enum UpgradeRoutes {
  private static let manage = "token:group:manage[{group_id}]"

  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/upgrade", manage,
      body: .strict(["targetApplicationId", "cascade", "forceCodeOnly"]), upgrade),
    NodeRoute(.get, "/admin-api/groups/{group_id}/upgrade/status", "account:group:list[{group_id}]") {
      state, exchange in
      let tree = try state.tree(exchange["group_id"], for: exchange.caller)
      return .data(state.governance.upgradeJSON(try tree.record(exchange["group_id"])) ?? .null)
    },
    NodeRoute(.post, "/admin-api/groups/{group_id}/upgrade/retry", manage, body: .strict([]), retry),
    NodeRoute(
      .get, "/admin-api/groups/{namespace_id}/cascade-status", "account:group:list[{namespace_id}]", cascades),
    NodeRoute(
      .get, "/admin-api/groups/{namespace_id}/migration-status", "account:group:list[{namespace_id}]",
      migrationStatus),
    NodeRoute(
      .post, "/admin-api/groups/{namespace_id}/migration/abort", "token:group:manage[{namespace_id}]", abort),
  ]

  private static let upgrade: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.governance.tree(around: id)
    try tree.requireAdmin(state.account(of: exchange.caller), of: id)
    let target = try state.target(try exchange.fields.id("targetApplicationId"), appKey: nil)
    let isCascade = try exchange.fields.optionalBool("cascade") ?? false
    _ = try exchange.fields.optionalBool("forceCodeOnly")
    let old = try tree.record(id).target
    guard !state.governance.migrations.isInProgress(id) else {
      throw NodeRefusal(409, "an upgrade of this group is in progress")
    }
    guard old != target else { throw NodeRefusal(409, "the group is already targeting this build") }
    guard
      tree.affected(by: id, cascade: isCascade).contains(where: { tree.groups[$0]?.contexts.isEmpty == false }
      )
    else { throw NodeRefusal(409, "the group has no contexts to upgrade") }
    if old.applicationId == target.applicationId, let from = old.version, let to = target.version,
      SemanticVersion(to) < SemanticVersion(from)
    {
      throw NodeRefusal(409, "upgrade refused: \(to) is older than \(from)")
    }
    if let package = state.applications.build(target.appKey)?.package { state.publish(.build(package)) }
    try state.govern(.targetSet(target, in: id, cascade: isCascade), in: id, exchange)
    return .data(state.governance.upgradeAnswer(id))
  }

  private static let retry: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.governance.tree(around: id)
    try tree.requireAdmin(state.account(of: exchange.caller), of: id)
    guard state.governance.migrations[id] != nil else { throw NodeRefusal.notFound("Upgrade") }
    guard state.governance.migrations.retry(id) else { throw NodeRefusal(409, "there is nothing to retry") }
    state.advanceMigration(of: id, at: exchange.now)
    state.tellMigration(of: tree.id, at: exchange.now)
    return .data(state.governance.upgradeAnswer(id))
  }

  private static let cascades: NodeHandler = { state, exchange in
    let tree = try state.tree(exchange["namespace_id"], for: exchange.caller)
    let entries = tree.subtree(of: exchange["namespace_id"]).compactMap { id -> JSONValue? in
      guard let group = tree.groups[id], let upgrade = group.upgrade, upgrade.isCascade,
        let json = state.governance.upgradeJSON(group)
      else { return nil }
      return [
        "groupId": .string(id), "upgrade": json, "cascadeHlc": .string("\(upgrade.position.time)"),
      ]
    }
    return .data(.array(entries))
  }

  private static let migrationStatus: NodeHandler = { state, exchange in
    let id = exchange["namespace_id"]
    let tree = try state.tree(id, for: exchange.caller)
    try tree.requireNamespaceAdmin(state.account(of: exchange.caller))
    return .flat(state.governance.migrationStatus(tree, at: exchange.seconds))
  }

  private static let abort: NodeHandler = { state, exchange in
    let id = exchange["namespace_id"]
    let tree = try state.governance.tree(around: id)
    try tree.requireNamespaceAdmin(state.account(of: exchange.caller))
    let isPending = tree.groups.keys.contains { state.governance.migrations.isInProgress($0) }
    if isPending { try state.govern(.migrationAborted, in: id, exchange) }
    return .flat(["namespaceId": .string(tree.id), "aborted": .bool(isPending)])
  }
}

extension Governance {
  /// `GroupUpgradeStatus`; nil when the group was never upgraded, or the upgrade was taken back.
  func upgradeJSON(_ group: GroupRecord) -> JSONValue? {
    guard let upgrade = group.upgrade, !upgrade.isAborted, let progress = migrations[group.id] else {
      return nil
    }
    var status: JSONObject = [
      "fromVersion": .string(upgrade.from.version ?? "unknown"),
      "toVersion": .string(upgrade.to.version ?? "unknown"), "initiatedAt": JSONValue(upgrade.initiatedAt),
      "initiatedBy": .string(upgrade.initiatedBy),
      "status": .string(progress.isCompleted ? "completed" : "in_progress"),
      "localContextsTotal": JSONValue(progress.total),
      "localContextsSwapped": JSONValue(progress.swapped.count),
      "localContextsFailed": JSONValue(progress.failed.count),
    ]
    status["completedAt"] = progress.completedAt.map { JSONValue($0) }
    return .object(status)
  }

  /// `UpgradeGroupResponseData`
  fileprivate func upgradeAnswer(_ group: String) -> JSONValue {
    let progress = migrations[group]
    guard let progress, !progress.isCompleted else {
      return [
        "groupId": .string(group), "status": "completed", "localContextsTotal": .null,
        "localContextsSwapped": .null, "localContextsFailed": .null,
      ]
    }
    return [
      "groupId": .string(group), "status": "in_progress", "localContextsTotal": JSONValue(progress.total),
      "localContextsSwapped": JSONValue(progress.swapped.count),
      "localContextsFailed": JSONValue(progress.failed.count),
    ]
  }

  /// What is known of every device of every member: `MigrationStatus`.
  fileprivate func migrationStatus(_ tree: NamespaceTree, at seconds: Int64) -> JSONValue {
    let states = cohort(of: tree, at: seconds)
    let members = states.map { device, report, state -> JSONValue in
      var entry: JSONObject = [
        "peer": .string(device.signingKey), "account": .string(device.account),
        "state": .string(state.rawValue),
      ]
      entry["report"] = report?.json
      return .object(entry)
    }
    var status: JSONObject = [
      "targetVersion": JSONValue(tree.schemaVersion), "expectedMembers": JSONValue(states.count),
    ]
    status["fleetCompletedAt"] = migrations.fleetCompletion(of: tree.id, tree.root.upgrade).map {
      JSONValue($0)
    }
    var rollup = MigrationRollup(states.map(\.state)).json
    rollup["membersPendingSignature"] = JSONValue(
      states.count { ($0.report?.authoredRemaining ?? 0) > 0 })
    status["rollup"] = .object(rollup)
    status["members"] = .array(members)
    return .object(status)
  }

  func cohort(of tree: NamespaceTree, at seconds: Int64) -> [(
    device: BoundDevice, report: MigrationReport?, state: MemberMigration
  )] {
    tree.members(of: tree.id).flatMap { tree.liveDevices(of: $0) }.map { device in
      // A node always knows of itself.
      let report =
        device.signingKey == identity.key
        ? heartbeat(of: tree.id, at: seconds)?.report : migrations.report(of: device.signingKey, in: tree.id)
      return (device, report, MemberMigration(report, target: tree.schemaVersion, at: seconds))
    }
  }
}

enum MemberMigration: String, Sendable {
  case migrated
  case inProgress = "in_progress"
  case unknown
  case failed

  init(_ report: MigrationReport?, target: UInt32, at seconds: Int64) {
    guard let report, seconds - report.reportedAt <= MigrationReport.freshness else {
      self = .unknown
      return
    }
    if report.failure != nil {
      self = .failed
    } else {
      self = report.schemaVersion >= target ? .migrated : .inProgress
    }
  }
}

/// How many members are where, as the status and its events count them.
struct MigrationRollup: Sendable, Hashable {
  private let states: [MemberMigration]

  init(_ states: [MemberMigration]) { self.states = states }

  var isComplete: Bool { states.allSatisfy { $0 == .migrated } }

  func count(_ state: MemberMigration) -> JSONValue { JSONValue(states.count { $0 == state }) }

  /// The five counts.
  var counts: JSONObject {
    [
      "migrated": count(.migrated), "inProgress": count(.inProgress), "unknown": count(.unknown),
      "failed": count(.failed), "total": JSONValue(states.count),
    ]
  }

  var json: JSONObject {
    var json = counts
    json["allMigrated"] = .bool(isComplete)
    return json
  }
}

extension MigrationReport {
  var json: JSONValue {
    var json: JSONObject = [
      "schemaVersion": JSONValue(schemaVersion), "residueAuto": JSONValue(residueAuto), "residueIdentity": 0,
      "syncedUpToHlc": JSONValue(syncedUpToHlc), "reportedAt": JSONValue(reportedAt),
      "authoredRemaining": JSONValue(authoredRemaining),
    ]
    json["migrationFailed"] = failure.map { .string($0) }
    return .object(json)
  }
}
