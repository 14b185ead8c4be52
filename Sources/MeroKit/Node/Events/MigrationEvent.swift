import MeroWire

/// How the migration of a namespace goes (10 §4.4).
///
/// The totals of its cases count different things: contexts of this node, nodes of the members, contexts of one subgroup on
/// this node. They are not to be mixed, and whoever shows a migration's state reads it anew at each event.
public enum MigrationEvent: Sendable, Hashable {
  /// It began.
  case started(Started)
  /// It came further across the members' nodes.
  case progress(Progress)
  /// It came further down the groups of this node. Only administrators of the namespace are told.
  case cascade(Cascade)
  /// It is done on all members' nodes, not only on this one.
  case completed(Completed)

  /// A migration began.
  public struct Started: Decodable, Sendable, Hashable {
    /// The application's version before; nil when it is not told.
    public let fromVersion: String?
    /// The version it goes to; nil when it is not told.
    public let toVersion: String?
    /// The version of the state it goes to.
    public let toStateVersion: UInt64?
    /// How many contexts of this node it concerns.
    public let localContextsTotal: Int?
  }

  /// How many of the members' nodes are how far.
  public struct Progress: Decodable, Sendable, Hashable {
    /// Done.
    public let migrated: Int
    /// Under way.
    public let inProgress: Int
    /// Not heard of.
    public let unknown: Int
    /// Failed.
    public let failed: Int
    /// All of them.
    public let total: Int
  }

  /// How many contexts of one subgroup are done on this node.
  public struct Cascade: Decodable, Sendable, Hashable {
    /// The subgroup, 64 hex.
    public let subgroupId: String
    /// Done.
    public let localContextsSwapped: Int
    /// All of them.
    public let localContextsTotal: Int
  }

  /// A migration is done everywhere.
  public struct Completed: Decodable, Sendable, Hashable {
    /// The application's version now; nil when it is not told.
    public let toVersion: String?
    /// When, in Unix seconds; nil when it is not told.
    public let completedAt: Int64?
  }
}

extension ContextEvent {
  /// The news, when this is some of a migration.
  public var migration: MigrationEvent? {
    switch kind {
    case .migrationStarted: read(.migrationStarted).map { .started($0) }
    case .migrationProgress: read(.migrationProgress).map { .progress($0) }
    case .cascadeProgress: read(.cascadeProgress).map { .cascade($0) }
    case .migrationCompleted: read(.migrationCompleted).map { .completed($0) }
    default: nil
    }
  }

  /// Whether this is news of a migration, readable or not.
  public var isMigration: Bool {
    [.migrationStarted, .migrationProgress, .cascadeProgress, .migrationCompleted].contains(kind)
  }
}
