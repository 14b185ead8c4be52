/// The application a group should run.
public struct UpgradeGroupRequest: Codable, Sendable, Hashable {
  /// An installed application, 64 hex.
  public var targetApplicationId: String
  /// Also every group below that runs the same application.
  public var cascade: Bool
  /// Lets a build without an ABI through; never a downgrade.
  public var forceCodeOnly: Bool

  /// Creates the request.
  public init(targetApplicationId: String, cascade: Bool = false, forceCodeOnly: Bool = false) {
    self.targetApplicationId = targetApplicationId
    self.cascade = cascade
    self.forceCodeOnly = forceCodeOnly
  }
}

/// How an upgrade started.
public struct UpgradeGroupResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// In progress or completed.
  public var status: GroupUpgradeState
  /// Contexts of this node; nil when completed.
  public var localContextsTotal: UInt32?
  /// Those that run the target.
  public var localContextsSwapped: UInt32?
  /// Those that could not be switched.
  public var localContextsFailed: UInt32?

  /// Creates one from its fields.
  public init(
    groupId: String, status: GroupUpgradeState, localContextsTotal: UInt32? = nil,
    localContextsSwapped: UInt32? = nil, localContextsFailed: UInt32? = nil
  ) {
    self.groupId = groupId
    self.status = status
    self.localContextsTotal = localContextsTotal
    self.localContextsSwapped = localContextsSwapped
    self.localContextsFailed = localContextsFailed
  }
}

/// How an upgrade was taken up again.
public typealias RetryGroupUpgradeResponseData = UpgradeGroupResponseData

/// An upgrade as one node sees it; the counts are that node's.
public struct GroupUpgradeStatus: Codable, Sendable, Hashable {
  /// May be `unknown`.
  public var fromVersion: String
  /// May be `unknown`.
  public var toVersion: String
  /// Unix seconds.
  public var initiatedAt: UInt64
  /// Who started it, 64 hex.
  public var initiatedBy: String
  /// In progress or completed.
  public var status: GroupUpgradeState
  /// Contexts of this node.
  public var localContextsTotal: UInt32?
  /// Those that run the target.
  public var localContextsSwapped: UInt32?
  /// Those that could not be switched.
  public var localContextsFailed: UInt32?
  /// Unix seconds.
  public var completedAt: UInt64?

  /// Creates one from its fields.
  public init(
    fromVersion: String, toVersion: String, initiatedAt: UInt64, initiatedBy: String,
    status: GroupUpgradeState, localContextsTotal: UInt32? = nil, localContextsSwapped: UInt32? = nil,
    localContextsFailed: UInt32? = nil, completedAt: UInt64? = nil
  ) {
    self.fromVersion = fromVersion
    self.toVersion = toVersion
    self.initiatedAt = initiatedAt
    self.initiatedBy = initiatedBy
    self.status = status
    self.localContextsTotal = localContextsTotal
    self.localContextsSwapped = localContextsSwapped
    self.localContextsFailed = localContextsFailed
    self.completedAt = completedAt
  }
}

/// The upgrade of one group of a tree.
public struct CascadeStatusEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var groupId: String
  /// How far it is.
  public var upgrade: GroupUpgradeStatus
  /// When the cascade was decided, in the log's own time.
  public var cascadeHlc: String?

  /// Creates one from its fields.
  public init(groupId: String, upgrade: GroupUpgradeStatus, cascadeHlc: String? = nil) {
    self.groupId = groupId
    self.upgrade = upgrade
    self.cascadeHlc = cascadeHlc
  }
}

/// How far a namespace's members are with a migration, from what they last reported. It decides nothing.
public struct MigrationStatus: Codable, Sendable, Hashable {
  /// Version of the state's schema.
  public var targetVersion: UInt32
  /// How many are waited for.
  public var expectedMembers: Int
  /// When the list of members was fixed, in the log's own time.
  public var cohortPinnedAtHlc: String?
  /// Unix seconds; stays once everybody was done.
  public var fleetCompletedAt: UInt64?
  /// The counts.
  public var rollup: MigrationStatusRollup
  /// One entry for each device.
  public var members: [MemberMigrationStatusEntry]

  /// Creates one from its fields.
  public init(
    targetVersion: UInt32, expectedMembers: Int, cohortPinnedAtHlc: String? = nil,
    fleetCompletedAt: UInt64? = nil, rollup: MigrationStatusRollup, members: [MemberMigrationStatusEntry]
  ) {
    self.targetVersion = targetVersion
    self.expectedMembers = expectedMembers
    self.cohortPinnedAtHlc = cohortPinnedAtHlc
    self.fleetCompletedAt = fleetCompletedAt
    self.rollup = rollup
    self.members = members
  }
}

/// How many members are how far with a migration.
public struct MigrationStatusRollup: Codable, Sendable, Hashable {
  /// Done.
  public var migrated: Int
  /// Not done.
  public var inProgress: Int
  /// Not heard of lately.
  public var unknown: Int
  /// Failed.
  public var failed: Int
  /// All.
  public var total: Int
  /// Whether everybody is known to be done now.
  public var allMigrated: Bool
  /// Those with entries that only they can sign again.
  public var membersPendingSignature: Int

  /// Creates one from its fields.
  public init(
    migrated: Int, inProgress: Int, unknown: Int, failed: Int, total: Int, allMigrated: Bool,
    membersPendingSignature: Int
  ) {
    self.migrated = migrated
    self.inProgress = inProgress
    self.unknown = unknown
    self.failed = failed
    self.total = total
    self.allMigrated = allMigrated
    self.membersPendingSignature = membersPendingSignature
  }
}

/// How far one device is with a migration; a member with two devices appears twice.
public struct MemberMigrationStatusEntry: Codable, Sendable, Hashable {
  /// The device's signing key, 64 hex.
  public var peer: String
  /// The member, 64 hex.
  public var account: String?
  /// What it last said.
  public var report: MemberMigrationReport?
  /// What that amounts to.
  public var state: MemberMigrationState

  /// Creates one from its fields.
  public init(
    peer: String, account: String? = nil, report: MemberMigrationReport? = nil, state: MemberMigrationState
  ) {
    self.peer = peer
    self.account = account
    self.report = report
    self.state = state
  }
}

/// What a device last said about a migration.
public struct MemberMigrationReport: Codable, Sendable, Hashable {
  /// Version of its state's schema, not of the bundle.
  public var schemaVersion: UInt32
  /// Entries still to convert by itself.
  public var residueAuto: UInt64
  /// Always 0.
  public var residueIdentity: UInt64
  /// How far it has synced, in the log's own time.
  public var syncedUpToHlc: UInt64
  /// Unix seconds.
  public var reportedAt: UInt64
  /// Entries its member still has to sign again.
  public var authoredRemaining: UInt64
  /// Why it could not go on.
  public var migrationFailed: MigrationFailure?

  /// Creates one from its fields.
  public init(
    schemaVersion: UInt32, residueAuto: UInt64, residueIdentity: UInt64, syncedUpToHlc: UInt64,
    reportedAt: UInt64, authoredRemaining: UInt64, migrationFailed: MigrationFailure? = nil
  ) {
    self.schemaVersion = schemaVersion
    self.residueAuto = residueAuto
    self.residueIdentity = residueIdentity
    self.syncedUpToHlc = syncedUpToHlc
    self.reportedAt = reportedAt
    self.authoredRemaining = authoredRemaining
    self.migrationFailed = migrationFailed
  }
}

/// Whether a migration was called off.
public struct AbortMigrationResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// False when none was pending.
  public var aborted: Bool

  /// Creates one from its fields.
  public init(namespaceId: String, aborted: Bool) {
    self.namespaceId = namespaceId
    self.aborted = aborted
  }
}
