import MeroWire

/// A new context of an application in a group.
public struct CreateContextRequest: Codable, Sendable, Hashable {
  /// The application, 64 hex.
  public var applicationId: String
  /// The group it belongs to, 64 hex.
  public var groupId: String
  /// Which service of a bundle with several.
  public var serviceName: String?
  /// 64 hex that fix the context's id; a context that has it is a conflict.
  public var contextSeed: String?
  /// Arguments of the application's `init`, usually UTF-8 of a JSON object; at most 1 MiB.
  public var initializationParams: [UInt8]
  /// An existing signing secret to use, 64 hex.
  public var identitySecret: String?
  /// The context's metadata name.
  public var name: String?

  /// Creates the request.
  public init(
    applicationId: String, groupId: String, serviceName: String? = nil, contextSeed: String? = nil,
    initializationParams: [UInt8] = [], identitySecret: String? = nil, name: String? = nil
  ) {
    self.applicationId = applicationId
    self.groupId = groupId
    self.serviceName = serviceName
    self.contextSeed = contextSeed
    self.initializationParams = initializationParams
    self.identitySecret = identitySecret
    self.name = name
  }
}

/// The context that was made.
public struct CreateContextResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// The key the creator has in it; of an account, the account.
  public var memberPublicKey: String
  /// The group it belongs to.
  public var groupId: String?
  /// Whether the group was made for it.
  public var groupCreated: Bool

  /// Creates one from its fields.
  public init(
    contextId: String, memberPublicKey: String, groupId: String? = nil, groupCreated: Bool = false
  ) {
    self.contextId = contextId
    self.memberPublicKey = memberPublicKey
    self.groupId = groupId
    self.groupCreated = groupCreated
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    contextId = try members.value(.contextId)
    memberPublicKey = try members.value(.memberPublicKey)
    groupId = try members.optional(.groupId)
    groupCreated = try members.value(.groupCreated, or: false)
  }
}

/// One replicated instance of an application's state.
public struct Context: Codable, Sendable, Hashable {
  /// 64 hex.
  public var id: String
  /// The application, 64 hex.
  public var applicationId: String
  /// Which service of a bundle with several.
  public var serviceName: String?
  /// Digest of the state; all zeros until state has arrived.
  public var contextStateHash: String
  /// The last changes known to the node.
  public var dagHeads: [[UInt8]]?
  /// The version this context really executes.
  public var applicationVersion: String?
  /// Its metadata name.
  public var name: String?

  /// Creates one from its fields.
  public init(
    id: String, applicationId: String, serviceName: String? = nil, contextStateHash: String,
    dagHeads: [[UInt8]]? = nil, applicationVersion: String? = nil, name: String? = nil
  ) {
    self.id = id
    self.applicationId = applicationId
    self.serviceName = serviceName
    self.contextStateHash = contextStateHash
    self.dagHeads = dagHeads
    self.applicationVersion = applicationVersion
    self.name = name
  }
}

/// A context and the keys that may act in it.
public struct ContextWithExecutors: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// The application, 64 hex.
  public var applicationId: String?
  /// Digest of the state.
  public var contextStateHash: String?
  /// Keys, 64 hex each.
  public var executors: [String]

  /// Creates one from its fields.
  public init(
    contextId: String, applicationId: String? = nil, contextStateHash: String? = nil, executors: [String]
  ) {
    self.contextId = contextId
    self.applicationId = applicationId
    self.contextStateHash = contextStateHash
    self.executors = executors
  }

  /// Reads the answer, in either of the spellings nodes have used.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    contextId = try members.optional(.contextId) ?? members.value(.id)
    applicationId = try members.optional(.applicationId)
    contextStateHash = try members.optional(.contextStateHash)
    executors = try members.value(.executors)
  }

  /// Writes it as nodes do.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(contextId, forKey: .id)
    try members.encodeIfPresent(applicationId, forKey: .applicationId)
    try members.encodeIfPresent(contextStateHash, forKey: .contextStateHash)
    try members.encode(executors, forKey: .executors)
  }

  private enum CodingKeys: String, CodingKey {
    case id, contextId
    case applicationId = "application_id"
    case contextStateHash, executors
  }
}

/// The contexts of an application on a node.
public struct ContextsWithExecutorsResponse: Codable, Sendable, Hashable {
  /// All of them.
  public var contexts: [ContextWithExecutors]

  /// Creates one from its fields.
  public init(contexts: [ContextWithExecutors]) {
    self.contexts = contexts
  }
}

/// A context and the group it belongs to.
public struct ContextWithGroup: Codable, Sendable, Hashable {
  /// 64 hex.
  public var id: String
  /// The application, 64 hex.
  public var applicationId: String
  /// Which service of a bundle with several.
  public var serviceName: String?
  /// Digest of the state; all zeros until state has arrived.
  public var contextStateHash: String
  /// The last changes known to the node.
  public var dagHeads: [[UInt8]]?
  /// The version this context really executes.
  public var applicationVersion: String?
  /// Its metadata name.
  public var name: String?
  /// The group it belongs to.
  public var groupId: String?

  /// Creates one from its fields.
  public init(
    id: String, applicationId: String, serviceName: String? = nil, contextStateHash: String,
    dagHeads: [[UInt8]]? = nil, applicationVersion: String? = nil, name: String? = nil, groupId: String? = nil
  ) {
    self.id = id
    self.applicationId = applicationId
    self.serviceName = serviceName
    self.contextStateHash = contextStateHash
    self.dagHeads = dagHeads
    self.applicationVersion = applicationVersion
    self.name = name
    self.groupId = groupId
  }
}

/// Contexts the caller may see.
public struct GetContextsResponseData: Codable, Sendable, Hashable {
  /// In the node's order.
  public var contexts: [ContextWithGroup]

  /// Creates one from its fields.
  public init(contexts: [ContextWithGroup]) {
    self.contexts = contexts
  }
}

/// What became of the node's copy of a context.
public struct DeleteContextResponseData: Codable, Sendable, Hashable {
  /// False when the node held none.
  public var isDeleted: Bool

  /// Creates one from its fields.
  public init(isDeleted: Bool) {
    self.isDeleted = isDeleted
  }
}

/// What a context's state takes up on a node.
public struct ContextStorageResponseData: Codable, Sendable, Hashable {
  /// An estimate; 0 for a context the node does not know.
  public var sizeInBytes: UInt64

  /// Creates one from its fields.
  public init(sizeInBytes: UInt64) {
    self.sizeInBytes = sizeInBytes
  }
}

/// The application a context should run from now on.
public struct UpdateContextApplicationRequest: Codable, Sendable, Hashable {
  /// 64 hex.
  public var applicationId: String
  /// The key to act with, 64 hex.
  public var executorPublicKey: String

  /// Creates the request.
  public init(applicationId: String, executorPublicKey: String) {
    self.applicationId = applicationId
    self.executorPublicKey = executorPublicKey
  }
}

/// A read of a context as the session's account.
public struct QueryContextRequest: Codable, Sendable, Hashable {
  /// A method the application declares read-only.
  public var method: String
  /// Its arguments.
  public var argsJson: JSONValue

  /// Creates the request.
  public init(method: String, argsJson: JSONValue = [:]) {
    self.method = method
    self.argsJson = argsJson
  }
}

/// What a read returned.
public struct QueryContextResponseData: Codable, Sendable, Hashable {
  /// Nil for a method that returns nothing.
  public var returns: JSONValue?

  /// Creates one from its fields.
  public init(returns: JSONValue? = nil) {
    self.returns = returns
  }
}
