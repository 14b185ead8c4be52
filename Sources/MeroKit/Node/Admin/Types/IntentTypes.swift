import MeroWire

// What a relay answers and takes for accounts without a node (20 §6.9). Warrants, proofs and ops are hex of signed bytes.

/// Whom a warrant for a context has to name, and whether this relay may run it.
public struct IntentRelayInfo: Codable, Sendable, Hashable {
  /// The relay's account, 64 hex.
  public var executorAccount: String
  /// The relay's key, 64 hex; nil from a relay too old for today's warrants.
  public var executorKey: String?
  /// Whether it may run members' writes here; false is an answer, not an error.
  public var canAuthorOnBehalf: Bool
  /// The context's group, 64 hex.
  public var groupId: String
  /// The group that allows it; nil when none does.
  public var grantedOnGroupId: String?
  /// Bytecode to pin, 64 hex; nil from a relay too old for today's warrants.
  public var releaseBytecodeId: String?
  /// Its version.
  public var releaseVersion: String?

  /// Creates one from its fields.
  public init(
    executorAccount: String, executorKey: String? = nil, canAuthorOnBehalf: Bool, groupId: String,
    grantedOnGroupId: String? = nil, releaseBytecodeId: String? = nil, releaseVersion: String? = nil
  ) {
    self.executorAccount = executorAccount
    self.executorKey = executorKey
    self.canAuthorOnBehalf = canAuthorOnBehalf
    self.groupId = groupId
    self.grantedOnGroupId = grantedOnGroupId
    self.releaseBytecodeId = releaseBytecodeId
    self.releaseVersion = releaseVersion
  }
}

/// A write under a warrant.
public struct PerformIntentRequest: Codable, Sendable, Hashable {
  /// The method to run.
  public var method: String
  /// Its arguments, exactly as the warrant hashed them.
  public var argsJson: JSONValue
  /// The signed permission, hex; good once.
  public var warrant: String
  /// The device's credential, hex.
  public var authorProof: String

  /// Creates the request.
  public init(method: String, argsJson: JSONValue, warrant: String, authorProof: String) {
    self.method = method
    self.argsJson = argsJson
    self.warrant = warrant
    self.authorProof = authorProof
  }
}

/// What a write did.
public struct PerformIntentResponseData: Codable, Sendable, Hashable {
  /// Digest of the state after it, 64 hex.
  public var rootHash: String
  /// What the method returned.
  public var returns: JSONValue?

  /// Creates one from its fields.
  public init(rootHash: String, returns: JSONValue? = nil) {
    self.rootHash = rootHash
    self.returns = returns
  }
}

/// A signed statement of presence.
public struct PresenceIntentRequest: Codable, Sendable, Hashable {
  /// The slice, hex; nil retracts it.
  public var state: String?
  /// Orders the device's statements.
  public var seq: UInt64
  /// Unix milliseconds.
  public var sentAtMs: UInt64
  /// The device's, hex.
  public var signature: String
  /// The device's credential, hex.
  public var authorProof: String

  /// Creates the request.
  public init(state: String? = nil, seq: UInt64, sentAtMs: UInt64, signature: String, authorProof: String) {
    self.state = state
    self.seq = seq
    self.sentAtMs = sentAtMs
    self.signature = signature
    self.authorProof = authorProof
  }
}

extension PresenceIntentRequest {
  /// Writes the request. A slice that is withdrawn is written as null: without the member the node refuses it.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(state, forKey: .state)
    try members.encode(seq, forKey: .seq)
    try members.encode(sentAtMs, forKey: .sentAtMs)
    try members.encode(signature, forKey: .signature)
    try members.encode(authorProof, forKey: .authorProof)
  }
}

/// Whom a warrant for a new context has to name, and whether this relay may make it.
public struct ContextIntentRelayInfo: Codable, Sendable, Hashable {
  /// The relay's account, 64 hex.
  public var executorAccount: String
  /// The relay's key, 64 hex.
  public var executorKey: String
  /// 64 hex.
  public var groupId: String
  /// Whether it may.
  public var canCreateOnBehalf: Bool
  /// Whether the named author may, as far as the relay knows; nil when none was named.
  public var authorMayCreate: Bool?

  /// Creates one from its fields.
  public init(
    executorAccount: String, executorKey: String, groupId: String, canCreateOnBehalf: Bool,
    authorMayCreate: Bool? = nil
  ) {
    self.executorAccount = executorAccount
    self.executorKey = executorKey
    self.groupId = groupId
    self.canCreateOnBehalf = canCreateOnBehalf
    self.authorMayCreate = authorMayCreate
  }
}

/// A new context under a warrant.
public struct CreateContextIntentRequest: Codable, Sendable, Hashable {
  /// The signed permission, hex; good once.
  public var warrant: String
  /// The device's credential, hex.
  public var authorProof: String
  /// Arguments of the application's `init`, exactly as the warrant hashed them.
  public var initArgs: JSONValue

  /// Creates the request.
  public init(warrant: String, authorProof: String, initArgs: JSONValue) {
    self.warrant = warrant
    self.authorProof = authorProof
    self.initArgs = initArgs
  }
}

/// The context that was made.
public struct CreateContextIntentResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// 64 hex.
  public var groupId: String
  /// 64 hex.
  public var memberPublicKey: String

  /// Creates one from its fields.
  public init(contextId: String, groupId: String, memberPublicKey: String) {
    self.contextId = contextId
    self.groupId = groupId
    self.memberPublicKey = memberPublicKey
  }
}

/// Whom a warrant for a decision has to name, and whether this relay may publish it.
public struct GovernanceIntentRelayInfo: Codable, Sendable, Hashable {
  /// The relay's account, 64 hex.
  public var executorAccount: String
  /// The relay's key, 64 hex.
  public var executorKey: String
  /// 64 hex.
  public var groupId: String
  /// Whether it may.
  public var canActOnBehalf: Bool

  /// Creates one from its fields.
  public init(executorAccount: String, executorKey: String, groupId: String, canActOnBehalf: Bool) {
    self.executorAccount = executorAccount
    self.executorKey = executorKey
    self.groupId = groupId
    self.canActOnBehalf = canActOnBehalf
  }
}

/// A decision about a group or namespace under a warrant.
public struct GovernanceIntentRequest: Codable, Sendable, Hashable {
  /// The signed permission, hex; good once.
  public var warrant: String
  /// The device's credential, hex.
  public var authorProof: String
  /// The decision, hex.
  public var op: String

  /// Creates the request.
  public init(warrant: String, authorProof: String, op: String) {
    self.warrant = warrant
    self.authorProof = authorProof
    self.op = op
  }
}

/// The group a decision acted on.
public struct GovernanceIntentResponseData: Codable, Sendable, Hashable {
  /// The new one's when it made a group, 64 hex.
  public var groupId: String
  /// Of a founding: whether the relay admitted itself as first TEE.
  public var teeEnabled: Bool?
  /// Why it did not.
  public var teeError: String?

  /// Creates one from its fields.
  public init(groupId: String, teeEnabled: Bool? = nil, teeError: String? = nil) {
    self.groupId = groupId
    self.teeEnabled = teeEnabled
    self.teeError = teeError
  }
}

/// Which numbers of a device's warrants a node has seen.
public struct WarrantNonceState: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// 64 hex.
  public var authorDeviceKey: String
  /// Whether any was.
  public var seen: Bool
  /// The highest.
  public var highWaterNonce: UInt64?
  /// How far below it a number may still be.
  public var windowWidth: UInt64
  /// The next to use; nil when there is none left.
  public var nextNonce: UInt64?

  /// Creates one from its fields.
  public init(
    contextId: String, authorDeviceKey: String, seen: Bool, highWaterNonce: UInt64? = nil,
    windowWidth: UInt64, nextNonce: UInt64? = nil
  ) {
    self.contextId = contextId
    self.authorDeviceKey = authorDeviceKey
    self.seen = seen
    self.highWaterNonce = highWaterNonce
    self.windowWidth = windowWidth
    self.nextNonce = nextNonce
  }
}

/// A device asking about its own warrants.
public struct WarrantNonceAsAuthorRequest: Codable, Sendable, Hashable {
  /// The device's credential, hex.
  public var authorProof: String

  /// Creates the request.
  public init(authorProof: String) {
    self.authorProof = authorProof
  }
}
