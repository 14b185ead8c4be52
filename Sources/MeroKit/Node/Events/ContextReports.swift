import MeroWire

/// How a context's catching up with its peers goes.
public struct SyncReport: Decodable, Sendable, Hashable {
  /// What the node does about it.
  public let syncState: ContextSyncState
  /// How many attempts failed in a row.
  public let failureCount: Int
  /// What the last of them failed with.
  public let lastError: String?

  /// A report of these parts.
  public init(syncState: ContextSyncState, failureCount: Int = 0, lastError: String? = nil) {
    self.syncState = syncState
    self.failureCount = failureCount
    self.lastError = lastError
  }
}

/// A context runs another version of its application.
public struct AppVersionChange: Decodable, Sendable, Hashable {
  /// The version before; nil when the node does not know it.
  public let fromVersion: String?
  /// The version now; nil when the node does not know it.
  public let toVersion: String?

  /// A change between these versions.
  public init(fromVersion: String? = nil, toVersion: String?) {
    self.fromVersion = fromVersion
    self.toVersion = toVersion
  }
}

/// A context called a method of another one.
public struct CrossContextCall: Sendable, Hashable {
  /// How the call ended. Open: a node may name others.
  public struct Status: OpenWord {
    /// The word on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It ran.
    public static let ok: Status = "ok"
    /// It was not allowed; see ``CrossContextCall/reason``.
    public static let denied: Status = "denied"
    /// It ran and failed; see ``CrossContextCall/message``.
    public static let executionError: Status = "exec_error"
  }

  /// The context that was called; the event's own is the caller.
  public let targetContextId: String
  /// The method.
  public let function: String
  /// How it ended.
  public let status: Status
  /// Why it was denied.
  public let reason: String?
  /// What it failed with.
  public let message: String?

  /// A call of these parts.
  public init(
    targetContextId: String, function: String, status: Status, reason: String? = nil, message: String? = nil
  ) {
    self.targetContextId = targetContextId
    self.function = function
    self.status = status
    self.reason = reason
    self.message = message
  }

  init?(_ data: JSONValue) {
    guard let target = data["targetContextId"]?.stringValue, let function = data["function"]?.stringValue,
      let status = data["outcome"]?["status"]?.stringValue
    else { return nil }
    let detail = data["outcome"]?["detail"]
    self.init(
      targetContextId: target, function: function, status: Status(rawValue: status),
      reason: detail?["reason"]?.stringValue, message: detail?["message"]?.stringValue)
  }
}

/// Who became a member of a group, or is one no longer.
public struct MemberChange: Decodable, Sendable, Hashable {
  /// The account, 64 hex.
  public let memberAccount: String
  /// Its role; nil when it left, and when it is a member because it is one of the group above.
  public let role: MemberRole?

  /// A change of these parts.
  public init(memberAccount: String, role: MemberRole? = nil) {
    self.memberAccount = memberAccount
    self.role = role
  }
}

extension ContextEvent {
  /// The report, when this is one of catching up.
  public var syncStatus: SyncReport? { read(.syncStatus) }

  /// The change, when this is one of the application's version.
  public var appVersionChange: AppVersionChange? { read(.appVersionChanged) }

  /// The call, when this is one of another context.
  public var crossContextCall: CrossContextCall? {
    kind == .crossContextCall ? CrossContextCall(data) : nil
  }

  /// The change, when this is one of a group's members; ``kind`` says which.
  public var memberChange: MemberChange? { read(.memberJoined, .memberAdded, .memberRemoved) }

  func read<T: Decodable>(_ kinds: Kind...) -> T? {
    kinds.contains(kind) ? try? data.decode(T.self) : nil
  }
}
