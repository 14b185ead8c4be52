/// A signing key the node has made.
public struct GenerateContextIdentityResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var publicKey: String

  /// Creates one from its fields.
  public init(publicKey: String) {
    self.publicKey = publicKey
  }
}

/// Signing keys that take part in a context. They are not accounts and address no member.
public struct GetContextIdentitiesResponseData: Codable, Sendable, Hashable {
  /// 64 hex each.
  public var identities: [String]
  /// Whose they are.
  public var identitiesOf: IdentitiesOf?

  /// Creates one from its fields.
  public init(identities: [String], identitiesOf: IdentitiesOf? = nil) {
    self.identities = identities
    self.identitiesOf = identitiesOf
  }
}

/// The context that was joined.
public struct JoinContextResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// The key one has in it; of an account, the account.
  public var memberPublicKey: String

  /// Creates one from its fields.
  public init(contextId: String, memberPublicKey: String) {
    self.contextId = contextId
    self.memberPublicKey = memberPublicKey
  }
}

/// The context that was left.
public struct LeaveContextResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// The key one had in it.
  public var memberPublicKey: String

  /// Creates one from its fields.
  public init(contextId: String, memberPublicKey: String) {
    self.contextId = contextId
    self.memberPublicKey = memberPublicKey
  }
}

/// How to replace a context's state by a peer's.
public struct ResyncContextRequest: Codable, Sendable, Hashable {
  /// Also when the context has changes of its own, which are lost.
  public var force: Bool

  /// Creates the request.
  public init(force: Bool = false) {
    self.force = force
  }
}

/// Whether a context's state is being replaced.
public struct ResyncContextResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var contextId: String
  /// True once it began.
  public var resyncStarted: Bool

  /// Creates one from its fields.
  public init(contextId: String, resyncStarted: Bool) {
    self.contextId = contextId
    self.resyncStarted = resyncStarted
  }
}
