// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A session, without its tokens.
  public struct SessionInfo: Codable, Sendable, Hashable {
    /// The session's id.
    public var sessionId: String
    /// How a session came to be.
    public var kind: SessionKind
    /// The client's name for itself, such as a device name.
    public var label: String?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds, to the minute.
    public var lastSeenAt: Int64
    /// Unix milliseconds when the refresh token ends.
    public var expiresAt: Int64
    /// Whether it is the caller's own session.
    public var current: Bool
    /// What it may do.
    public var scopes: [String]?

    /// Creates one from its fields.
    public init(
      sessionId: String,
      kind: SessionKind,
      label: String? = nil,
      createdAt: Int64,
      lastSeenAt: Int64,
      expiresAt: Int64,
      current: Bool,
      scopes: [String]? = nil
    ) {
      self.sessionId = sessionId
      self.kind = kind
      self.label = label
      self.createdAt = createdAt
      self.lastSeenAt = lastSeenAt
      self.expiresAt = expiresAt
      self.current = current
      self.scopes = scopes
    }
  }

  /// A page of sessions.
  public struct SessionList: Codable, Sendable, Hashable {
    /// Newest first.
    public var sessions: [SessionInfo]
    /// Pass it as cursor for the next page; absent on the last.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(sessions: [SessionInfo], nextCursor: String? = nil) {
      self.sessions = sessions
      self.nextCursor = nextCursor
    }
  }

  /// What kind of credential a request carried.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct CallerKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A person's session.
    public static let session = CallerKind(rawValue: "session")
    /// A machine's API key.
    public static let apiKey = CallerKind(rawValue: "apiKey")

    /// The words known when this was written, in the document's order.
    public static let known: [CallerKind] = [.session, .apiKey]
  }

  /// Who the caller is and what it may do.
  public struct Caller: Codable, Sendable, Hashable {
    /// The account.
    public var accountId: String
    /// Its name.
    public var name: String
    /// What kind of credential a request carried.
    public var kind: CallerKind
    /// The session, for a session.
    public var sessionId: String?
    /// The key, for an API key.
    public var keyId: String?
    /// What the credential may do.
    public var scopes: [String]
    /// Whether the account is on the operator roster.
    public var `operator`: Bool?
    /// Whether the account may deploy packages.
    public var deployer: Bool?

    /// Creates one from its fields.
    public init(
      accountId: String,
      name: String,
      kind: CallerKind,
      sessionId: String? = nil,
      keyId: String? = nil,
      scopes: [String],
      operator: Bool? = nil,
      deployer: Bool? = nil
    ) {
      self.accountId = accountId
      self.name = name
      self.kind = kind
      self.sessionId = sessionId
      self.keyId = keyId
      self.scopes = scopes
      self.operator = `operator`
      self.deployer = deployer
    }
  }
}
