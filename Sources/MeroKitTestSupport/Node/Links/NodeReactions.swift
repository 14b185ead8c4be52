import Foundation
import MeroWire

/// What follows on a node from a line of a log, whoever wrote it.
extension NodeState {
  mutating func react(to news: GovernanceNews, at now: Date) {
    tellFollowers(of: news, at: now)
    switch news.entry.op {
    case .groupCreated(let birth) where !news.isOurs: followSubgroup(birth, at: now)
    case .targetSet: startMigration(news, at: now)
    case .migrationAborted:
      governance.migrations.abort(in: groups(of: news.namespace))
      tellMigration(of: news.namespace, at: now)
    default: break
    }
  }

  private func groups(of namespace: String) -> [String] {
    governance.namespaces[namespace]?.log.tree.groups.keys.sorted() ?? []
  }

  /// Members' events (10 §4.4).
  private mutating func tellFollowers(of news: GovernanceNews, at now: Date) {
    func member(_ kind: String, _ group: String, _ account: String, _ role: GroupRole? = nil) -> NodeEvent {
      FakeNode.Event.member(kind, group, account: account, role: role?.rawValue).event
    }
    switch news.entry.op {
    case .memberAdded(let account, let role, let group):
      send(member("MemberAdded", group, account, role), at: now)
    case .memberRemoved(let account, let group): send(member("MemberRemoved", group, account), at: now)
    case .memberLeft(let group): send(member("MemberRemoved", group, news.entry.author), at: now)
    case .memberJoined(let claim):
      send(
        member("MemberJoined", claim.invitation.groupId, claim.device.account, claim.invitation.role), at: now
      )
    case .memberJoinedOpen(let group): send(member("MemberJoined", group, news.entry.author), at: now)
    case .roleSet(let account, let role, let group):
      send(member("MemberRoleChanged", group, account, role), at: now)
    default: break
    }
  }

  /// A member that follows subgroups publishes itself in a new one by itself.
  private mutating func followSubgroup(_ birth: GroupBirth, at now: Date) {
    let account = governance.identity.account
    guard let tree = (try? governance.home(of: birth.id))?.log.tree,
      tree.autoFollow(of: account, in: birth.parent).subgroups,
      case .inherited = tree.path(of: account, in: birth.id)
    else { return }
    try? governance.write(
      .memberJoinedOpen(birth.id), in: birth.id, by: account,
      at: Int64((now.timeIntervalSince1970 * 1000).rounded()))
  }

  // MARK: Migrations

  private mutating func startMigration(_ news: GovernanceNews, at now: Date) {
    guard let tree = governance.namespaces[news.namespace]?.log.tree else { return }
    let groups = tree.groups.values.filter { $0.upgrade?.position == news.entry.position }.sorted {
      $0.id < $1.id
    }
    guard let upgrade = groups.first?.upgrade else { return }
    for group in groups {
      governance.migrations.start(group.id, contexts: contexts.inGroup(group.id).map(\.id))
    }
    let total = groups.reduce(0) { $0 + contexts.inGroup($1.id).count }
    send(
      FakeNode.Event.migrationStarted(
        tree.id, from: upgrade.from.version ?? "unknown", to: upgrade.to.version ?? "unknown",
        stateVersion: Int(tree.schemaVersion), contexts: total
      ).event, at: now)
    for group in groups { advanceMigration(of: group.id, at: now) }
    tellMigration(of: tree.id, at: now)
  }

  /// Switches the contexts of a group that wait, unless a test holds them back.
  mutating func advanceMigration(of group: String, at now: Date) {
    guard !governance.migrations.isHeld, governance.migrations.isInProgress(group),
      let tree = (try? governance.home(of: group))?.log.tree, let target = tree.groups[group]?.target,
      let progress = governance.migrations[group]
    else { return }
    for context in progress.waiting {
      governance.migrations.moved(context, of: group, hasFailed: !swap(context, to: target, at: now))
      let progress = governance.migrations[group]
      send(
        FakeNode.Event.cascadeProgress(
          tree.id, subgroup: group, swapped: progress?.swapped.count ?? 0, total: progress?.total ?? 0
        ).event, at: now)
    }
    governance.migrations.completeIfDone(group, at: Int64(now.timeIntervalSince1970))
  }

  private mutating func swap(_ context: String, to target: ApplicationTarget, at now: Date) -> Bool {
    if governance.migrations.takeFailure() { return false }
    // What has no state yet will come with the new one's.
    guard contexts[context]?.isInitialised == true else { return true }
    guard let build = applications.build(target.appKey) else { return false }
    guard (try? switchBuild(of: context, to: build, migrating: true, at: now)) != nil else { return false }
    contextBeginsAnew(context)
    return true
  }

  /// Tells the others, and who follows the namespace, how far the fleet is.
  mutating func tellMigration(of namespace: String, at now: Date) {
    guard let heartbeat = governance.heartbeat(of: namespace, at: Int64(now.timeIntervalSince1970)) else {
      return
    }
    publish(.heartbeat(heartbeat))
    take(heartbeat, at: now)
  }

  mutating func take(_ heartbeat: MigrationHeartbeat, at now: Date) {
    governance.migrations.take(heartbeat)
    let seconds = Int64(now.timeIntervalSince1970)
    guard let tree = governance.namespaces[heartbeat.namespace]?.log.tree, let upgrade = tree.root.upgrade,
      !upgrade.isAborted
    else { return }
    let rollup = MigrationRollup(governance.cohort(of: tree, at: seconds).map(\.state))
    send(
      NodeEvent(subject: .group(tree.id), kind: "MigrationProgress", data: .object(rollup.counts)), at: now)
    guard rollup.isComplete, governance.migrations.fleetIsComplete(tree.id, upgrade, at: seconds) else {
      return
    }
    send(
      FakeNode.Event.migrationCompleted(tree.id, to: upgrade.to.version ?? "unknown", at: seconds).event,
      at: now)
  }
}
