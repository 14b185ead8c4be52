// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// One session's presence in an app.
  public struct PresenceEntry: Codable, Sendable, Hashable {
    /// The account.
    public var accountId: String
    /// The session; an account with two devices has two entries.
    public var sessionId: String
    /// The account's name.
    public var name: String?
    /// What the client said; at most 16384 bytes as JSON.
    public var state: JSONValue
    /// Milliseconds since it was last heard from.
    public var ageMs: Int64
    /// True in an event that says the entry went; absent otherwise.
    public var removed: Bool?

    /// Creates one from its fields.
    public init(
      accountId: String,
      sessionId: String,
      name: String? = nil,
      state: JSONValue,
      ageMs: Int64,
      removed: Bool? = nil
    ) {
      self.accountId = accountId
      self.sessionId = sessionId
      self.name = name
      self.state = state
      self.ageMs = ageMs
      self.removed = removed
    }
  }

  /// Who is present.
  public struct PresenceList: Codable, Sendable, Hashable {
    /// By account, then session.
    public var entries: [PresenceEntry]
    /// How long an entry lives unless it is renewed.
    public var ttlMs: Int64

    /// Creates one from its fields.
    public init(entries: [PresenceEntry], ttlMs: Int64) {
      self.entries = entries
      self.ttlMs = ttlMs
    }
  }
}
