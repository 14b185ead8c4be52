// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// One event of an app.
  public struct AppEvent: Codable, Sendable, Hashable {
    /// Resume after this event by passing it back. Opaque, at most 256 characters, safe in a URL.
    public var cursor: String
    /// The position of the change that emitted it.
    public var seq: UInt64
    /// Its place among the events of that change, from 0.
    public var index: Int32
    /// The app's name for it. Kinds that begin with calimero. come from the node.
    public var kind: String
    /// The app.
    public var appId: String
    /// Unix milliseconds.
    public var at: Int64
    /// The account that made the change; absent for timers and jobs the app runs itself.
    public var `actor`: String?
    /// What the app said.
    public var data: JSONValue

    /// Creates one from its fields.
    public init(
      cursor: String,
      seq: UInt64,
      index: Int32,
      kind: String,
      appId: String,
      at: Int64,
      actor: String? = nil,
      data: JSONValue
    ) {
      self.cursor = cursor
      self.seq = seq
      self.index = index
      self.kind = kind
      self.appId = appId
      self.at = at
      self.actor = `actor`
      self.data = data
    }
  }

  /// A page of events.
  public struct EventPage: Codable, Sendable, Hashable {
    /// In order.
    public var events: [AppEvent]
    /// Where to go on: the last event's cursor, or the one asked with when there is none.
    public var cursor: String
    /// Whether more events are there now.
    public var more: Bool

    /// Creates one from its fields.
    public init(events: [AppEvent], cursor: String, more: Bool) {
      self.events = events
      self.cursor = cursor
      self.more = more
    }
  }
}
