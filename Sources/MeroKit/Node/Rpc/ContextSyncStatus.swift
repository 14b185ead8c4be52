import MeroWire

/// How far a context has come in catching up with its peers.
public struct ContextSyncStatus: Decodable, Sendable, Hashable {
  /// The context.
  public let contextId: String
  /// Whether it has a state at all.
  public let isInitialized: Bool
  /// What it is doing.
  public let syncState: ContextSyncState
  /// How many attempts have failed in a row.
  public let failureCount: Int
  /// What the last of them failed with.
  public let lastError: String?

  /// A status of these parts.
  public init(
    contextId: String, isInitialized: Bool, syncState: ContextSyncState, failureCount: Int = 0,
    lastError: String? = nil
  ) {
    self.contextId = contextId
    self.isInitialized = isInitialized
    self.syncState = syncState
    self.failureCount = failureCount
    self.lastError = lastError
  }
}

/// What a context does to catch up with its peers.
public struct ContextSyncState: Decodable, Sendable, Hashable {
  /// A kind of work. Open: a node may send others.
  public struct Kind: RawRepresentable, ExpressibleByStringLiteral, Codable, Sendable, Hashable {
    /// The word on the wire.
    public let rawValue: String
    /// The state of this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The state of this name.
    public init(stringLiteral value: String) { rawValue = value }

    /// Nothing to do.
    public static let idle: Kind = "idle"
    /// Nobody to learn from is there.
    public static let waitingForPeers: Kind = "waitingForPeers"
    /// Learning what is missing.
    public static let syncing: Kind = "syncing"
    /// Receiving the whole state.
    public static let receivingSnapshot: Kind = "receivingSnapshot"
    /// Waiting after a failure.
    public static let backingOff: Kind = "backingOff"
  }

  /// Which work.
  public let state: Kind
  /// Records received so far, while a snapshot comes.
  public let recordsReceived: UInt64?
  /// Percent received so far, while a snapshot comes; nil when it is not known.
  public let percent: Double?
  /// Seconds until the snapshot is there; nil when it is not known.
  public let etaSecs: UInt64?
  /// Seconds until the next try, while it backs off.
  public let retryInSecs: UInt64?

  /// A state of these parts.
  public init(
    _ state: Kind, recordsReceived: UInt64? = nil, percent: Double? = nil, etaSecs: UInt64? = nil,
    retryInSecs: UInt64? = nil
  ) {
    self.state = state
    self.recordsReceived = recordsReceived
    self.percent = percent
    self.etaSecs = etaSecs
    self.retryInSecs = retryInSecs
  }

  /// Reads a state; the counters may be in snake case or camel case, as nodes differ.
  public init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer().decode(JSONValue.self)
    guard let state = json["state"]?.stringValue else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a sync state has no name"))
    }
    func number(_ snake: String, _ camel: String) -> JSONNumber? {
      (json[snake] ?? json[camel])?.numberValue
    }
    self.init(
      Kind(rawValue: state), recordsReceived: number("records_received", "recordsReceived")?.uint64,
      percent: json["percent"]?.double, etaSecs: number("eta_secs", "etaSecs")?.uint64,
      retryInSecs: number("retry_in_secs", "retryInSecs")?.uint64)
  }
}
