import MeroWire

/// Something that happened in a context or a group, as a node's event stream tells it (10 §4.4).
///
/// ``payload`` is all the node sent. What the kinds known to this version carry is read by ``stateMutation``,
/// ``syncStatus``, ``appVersionChange``, ``crossContextCall``, ``memberChange`` and ``migration``; each is nil for an event
/// of another kind, or one whose shape is not the expected.
///
/// ```swift
/// for try await event in mero.events(contextIds: [context]) {
///   for emitted in event.stateMutation?.events ?? [] { print(emitted.kind, emitted.json ?? .null) }
/// }
/// ```
public struct ContextEvent: Sendable, Hashable {
  /// What happened. Open: a node may tell of others, and they arrive as they are.
  public struct Kind: OpenWord {
    /// The word on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The context's state changed; see ``ContextEvent/stateMutation``.
    public static let stateMutation: Kind = "StateMutation"
    /// Catching up with peers went on or failed; see ``ContextEvent/syncStatus``.
    public static let syncStatus: Kind = "SyncStatus"
    /// The context runs another version of its application; see ``ContextEvent/appVersionChange``.
    public static let appVersionChanged: Kind = "AppVersionChanged"
    /// The context called another one; see ``ContextEvent/crossContextCall``.
    public static let crossContextCall: Kind = "XCall"
    /// Somebody's presence; ``EphemeralClient`` reads it.
    public static let ephemeral: Kind = "Ephemeral"
    /// An account joined a group by itself; see ``ContextEvent/memberChange``.
    public static let memberJoined: Kind = "MemberJoined"
    /// An account was made a member; see ``ContextEvent/memberChange``.
    public static let memberAdded: Kind = "MemberAdded"
    /// An account is no longer a member; see ``ContextEvent/memberChange``.
    public static let memberRemoved: Kind = "MemberRemoved"
    /// A migration of a namespace began; see ``ContextEvent/migration``.
    public static let migrationStarted: Kind = "MigrationStarted"
    /// A migration came further across the members' nodes; see ``ContextEvent/migration``.
    public static let migrationProgress: Kind = "MigrationProgress"
    /// A migration came further down the groups of this node; see ``ContextEvent/migration``.
    public static let cascadeProgress: Kind = "CascadeProgress"
    /// A migration is done on all members' nodes; see ``ContextEvent/migration``.
    public static let migrationCompleted: Kind = "MigrationCompleted"
    /// What an event is that does not say.
    public static let unnamed: Kind = "event"
  }

  /// The context it happened in; empty for an event of a group.
  public let contextId: String
  /// The group it happened in, 64 hex; nil for an event of a context.
  public let groupId: String?
  /// What happened.
  public let kind: Kind
  /// All of it, with members this version does not know. A `data` that came as an array of bytes holding JSON is here as
  /// that JSON.
  public let payload: JSONValue

  /// An event of these parts.
  public init(contextId: String, kind: Kind, payload: JSONValue, groupId: String? = nil) {
    self.contextId = contextId
    self.kind = kind
    self.payload = payload
    self.groupId = groupId
  }

  /// The member `data` of the ``payload``; null when there is none.
  public var data: JSONValue { payload["data"] ?? .null }

  /// Reads the `result` of a frame; nil when it names neither a context nor a group.
  init?(_ result: JSONObject) {
    let context = result["contextId"]?.stringValue
    let group = result["groupId"]?.stringValue
    guard context != nil || group != nil else { return nil }
    var result = result
    // Only here, never deeper: the arrays further down are bytes and must stay bytes.
    if let text = result["data"]?.byteArray, let json = try? JSONValue(parsing: text) {
      result["data"] = json
    }
    self.init(
      contextId: context ?? "", kind: result["type"]?.stringValue.map(Kind.init(rawValue:)) ?? .unnamed,
      payload: .object(result), groupId: group)
  }
}

extension ContextEvent {
  /// Who published this presence: the peer's signing key, never to be parsed. Nil for an event of another kind.
  public var presenceAuthor: String? { kind == .ephemeral ? data["author"]?.stringValue : nil }

  /// The account whose presence a relay carried, 64 hex. Nil without one, and for an event of another kind.
  public var presenceAccount: String? { kind == .ephemeral ? data["account"]?.stringValue : nil }
}
