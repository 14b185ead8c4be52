/// A word out of a list that a newer node may extend: a role, a kind, a state.
///
/// A word this version does not know is kept, compared, shown and sent back as it came. Words are written as static
/// members or as string literals: `role: .member` and `role: "Member"` mean the same.
public protocol OpenWord: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
where RawValue == String {
  /// Takes any word.
  init(rawValue: String)
}

extension OpenWord {
  /// Takes any word.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// The word as it is on the wire.
  public var description: String { rawValue }
}

/// What a member of a group is (20 §3.1).
public struct MemberRole: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// All rights in the group except authoring on behalf of others.
  public static let admin: MemberRole = "Admin"
  /// What its capabilities allow.
  public static let member: MemberRole = "Member"
  /// Reads; its writes are refused.
  public static let readOnly: MemberRole = "ReadOnly"
  /// An attested replica; never granted by hand.
  public static let readOnlyTee: MemberRole = "ReadOnlyTee"
  /// An attested relay, which may also run members' writes under their warrants; never granted by hand.
  public static let relayTee: MemberRole = "RelayTee"
}

/// Who is a member of a subgroup without a row of its own (20 §2).
public struct GroupVisibility: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Members of the parent are members here too.
  public static let open: GroupVisibility = "open"
  /// Only explicit members.
  public static let restricted: GroupVisibility = "restricted"
}

/// How far a group's upgrade is on one node.
public struct GroupUpgradeState: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Contexts are still being switched.
  public static let inProgress: GroupUpgradeState = "in_progress"
  /// All contexts of this node run the target.
  public static let completed: GroupUpgradeState = "completed"
}

/// How far one member's device is with a migration.
public struct MemberMigrationState: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Done.
  public static let migrated: MemberMigrationState = "migrated"
  /// Reported, and not done.
  public static let inProgress: MemberMigrationState = "in_progress"
  /// No fresh report.
  public static let unknown: MemberMigrationState = "unknown"
  /// Reported a failure.
  public static let failed: MemberMigrationState = "failed"
}

/// Why a member's device could not migrate.
public struct MigrationFailure: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The application's own check stopped it.
  public static let checkAborted: MigrationFailure = "check_aborted"
  /// Applying the migration failed.
  public static let applyFailed: MigrationFailure = "apply_failed"
  /// No step leads from the old schema to the new one.
  public static let noMigrationPath: MigrationFailure = "no_migration_path"
}

/// Whose signing keys a listing holds.
public struct IdentitiesOf: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Every member's.
  public static let members: IdentitiesOf = "members"
  /// The node's own.
  public static let node: IdentitiesOf = "node"
  /// The calling account's.
  public static let caller: IdentitiesOf = "caller"
}

/// Where a node found a blob.
public struct BlobSource: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// In its own store.
  public static let local: BlobSource = "local"
  /// At a peer, unverified.
  public static let peer: BlobSource = "peer"
}

/// What a TEE admitted to a namespace becomes.
public struct TeePolicyMode: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A `ReadOnlyTee` member.
  public static let replica: TeePolicyMode = "replica"
  /// A `RelayTee` member.
  public static let relay: TeePolicyMode = "relay"
}

/// Why a namespace was left out when a device was linked.
public struct DeviceLinkSkipReason: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The device's scope does not cover it.
  public static let outOfScope: DeviceLinkSkipReason = "outOfScope"
  /// The device is bound there already.
  public static let alreadyBound: DeviceLinkSkipReason = "alreadyBound"
  /// The node holds no key for it.
  public static let noScopeKey: DeviceLinkSkipReason = "noScopeKey"
  /// The device is revoked there.
  public static let revoked: DeviceLinkSkipReason = "revoked"
  /// The device is the node's own.
  public static let ownDevice: DeviceLinkSkipReason = "ownDevice"
  /// Linking was tried and failed.
  public static let failed: DeviceLinkSkipReason = "failed"
}

/// A state in a node's network report, such as `accepted` or `reachable`.
public struct NetworkWord: OpenWord {
  /// The word as it is on the wire.
  public let rawValue: String

  /// Takes any word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Known, nothing asked yet.
  public static let discovered: NetworkWord = "discovered"
  /// Asked, no answer yet.
  public static let requested: NetworkWord = "requested"
  /// A relay holds a reservation.
  public static let accepted: NetworkWord = "accepted"
  /// A rendezvous point holds a registration.
  public static let registered: NetworkWord = "registered"
  /// Held once, no longer.
  public static let expired: NetworkWord = "expired"
  /// A direct connection was made.
  public static let succeeded: NetworkWord = "succeeded"
  /// It was not.
  public static let failed: NetworkWord = "failed"
  /// A probe from outside arrived.
  public static let reachable: NetworkWord = "reachable"
  /// Not determined.
  public static let unknown: NetworkWord = "unknown"
  /// Reachable from outside.
  public static let isPublic: NetworkWord = "public"
  /// Not reachable from outside.
  public static let isPrivate: NetworkWord = "private"
}
