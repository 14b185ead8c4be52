import MeroWire

/// How far this node got with upgrades, and what others say of themselves (20 §5.10).
struct NodeMigrations: Sendable {
  struct Progress: Sendable, Hashable {
    var swapped: [String] = []
    var failed: [String] = []
    var waiting: [String]
    /// Unix seconds.
    var completedAt: Int64?

    var total: Int { swapped.count + failed.count + waiting.count }
    var isCompleted: Bool { completedAt != nil }
  }

  private var progress: [String: Progress] = [:]
  /// Reports by namespace and device key.
  private var reports: [String: [String: MigrationReport]] = [:]
  private var fleetCompletions: [String: (upgrade: LogEntry.Position, at: Int64)] = [:]
  /// Whether migrations wait until the test lets them go on.
  var isHeld = false
  /// How many contexts fail when they come to be migrated.
  var failures = 0

  subscript(group: String) -> Progress? { progress[group] }

  func isInProgress(_ group: String) -> Bool { progress[group].map { !$0.isCompleted } ?? false }

  mutating func start(_ group: String, contexts: [String]) { progress[group] = Progress(waiting: contexts) }

  /// A context was switched, or failed and stays behind for a retry.
  mutating func moved(_ context: String, of group: String, hasFailed: Bool) {
    progress[group]?.waiting.removeAll { $0 == context }
    if hasFailed { progress[group]?.failed.append(context) } else { progress[group]?.swapped.append(context) }
  }

  mutating func completeIfDone(_ group: String, at seconds: Int64) {
    guard let state = progress[group], state.waiting.isEmpty, state.failed.isEmpty else { return }
    progress[group]?.completedAt = state.completedAt ?? seconds
  }

  /// Whether the next context is to fail.
  mutating func takeFailure() -> Bool {
    guard failures > 0 else { return false }
    failures -= 1
    return true
  }

  /// Puts back what failed. Whether there is something to try again.
  mutating func retry(_ group: String) -> Bool {
    guard let state = progress[group], !state.isCompleted, !state.failed.isEmpty else { return false }
    progress[group]?.waiting += state.failed
    progress[group]?.failed = []
    return true
  }

  /// Groups whose contexts are not all switched.
  var inProgress: [String] { progress.keys.filter(isInProgress).sorted() }

  mutating func abort(in groups: [String]) {
    for group in groups where isInProgress(group) { progress[group] = nil }
  }

  // MARK: The fleet

  mutating func take(_ heartbeat: MigrationHeartbeat) {
    reports[heartbeat.namespace, default: [:]][heartbeat.device] = heartbeat.report
  }

  func report(of device: String, in namespace: String) -> MigrationReport? { reports[namespace]?[device] }

  /// When everybody had migrated to what the root runs now.
  func fleetCompletion(of namespace: String, _ upgrade: GroupUpgrade?) -> Int64? {
    fleetCompletions[namespace].flatMap { $0.upgrade == upgrade?.position ? $0.at : nil }
  }

  /// Remembers the first moment at which everybody had migrated. Whether it is now.
  mutating func fleetIsComplete(_ namespace: String, _ upgrade: GroupUpgrade, at seconds: Int64) -> Bool {
    if fleetCompletions[namespace]?.upgrade == upgrade.position { return false }
    fleetCompletions[namespace] = (upgrade.position, seconds)
    return true
  }
}

/// What a member's device says of its migration.
struct MigrationReport: Sendable, Hashable {
  var schemaVersion: UInt32
  var residueAuto: UInt64 = 0
  var syncedUpToHlc: UInt64
  /// Unix seconds.
  var reportedAt: Int64
  var authoredRemaining: UInt64 = 0
  var failure: String?

  /// How long a report counts, in seconds.
  static let freshness: Int64 = 120
}

struct MigrationHeartbeat: Sendable, Hashable {
  let namespace: String
  /// The signing key.
  let device: String
  var report: MigrationReport
}

extension Governance {
  /// What this node says of itself; nil where it takes no part.
  func heartbeat(of namespace: String, at seconds: Int64) -> MigrationHeartbeat? {
    guard let tree = namespaces[namespace]?.log.tree else { return nil }
    let groups = tree.groups.keys
    let isBehind = groups.contains { migrations.isInProgress($0) }
    let hasFailed = groups.contains { !(migrations[$0]?.failed.isEmpty ?? true) }
    let old = migrations.report(of: identity.key, in: namespace)
    let report = MigrationReport(
      schemaVersion: isBehind ? tree.schemaVersion - 1 : tree.schemaVersion,
      syncedUpToHlc: namespaces[namespace]?.log.entries.last?.position.time ?? 0, reportedAt: seconds,
      authoredRemaining: old?.authoredRemaining ?? 0, failure: hasFailed ? "apply_failed" : nil)
    return MigrationHeartbeat(namespace: namespace, device: identity.key, report: report)
  }
}

extension FakeNode {
  /// Upgrades stay in progress from now on, until ``releaseMigrations()``.
  public func holdMigrations() { store.withState { $0.governance.migrations.isHeld = true } }

  /// What ``holdMigrations()`` kept back is done.
  public func releaseMigrations() {
    store.withState { state in
      state.governance.migrations.isHeld = false
      let now = store.clock.now()
      for group in state.governance.migrations.inProgress { state.advanceMigration(of: group, at: now) }
      for namespace in state.governance.known { state.tellMigration(of: namespace.id, at: now) }
    }
  }

  /// The next contexts that come to be migrated fail, this many. `retryGroupUpgrade` tries them again.
  public func failMigrations(contexts: Int) {
    store.withState { $0.governance.migrations.failures = contexts }
  }

  /// Says how many entries of a namespace this node's account has to sign again after a migration.
  public func setAuthoredRemaining(_ count: UInt64, in namespace: String) {
    store.withState { state in
      guard var heartbeat = state.governance.heartbeat(of: namespace, at: store.seconds) else { return }
      heartbeat.report.authoredRemaining = count
      state.publish(.heartbeat(heartbeat))
      state.take(heartbeat, at: store.clock.now())
    }
  }
}
