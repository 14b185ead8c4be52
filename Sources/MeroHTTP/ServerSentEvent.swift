/// One event of a `text/event-stream`.
package struct ServerSentEvent: Sendable, Hashable {
  /// The last event id the stream has named up to this event; `nil` before the first.
  package let id: String?
  /// The event's type; `nil` when the stream names none, which a browser calls `message`.
  package let event: String?
  /// The `data` lines joined by line feeds.
  package let data: String
  /// The reconnection time in milliseconds, if this event's lines name one.
  package let retry: Int?

  package init(id: String? = nil, event: String? = nil, data: String, retry: Int? = nil) {
    self.id = id
    self.event = event
    self.data = data
    self.retry = retry
  }
}
