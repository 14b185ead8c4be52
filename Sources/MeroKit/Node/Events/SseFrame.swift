import MeroWire

/// What one frame of a node's event stream says (10 §4.2).
package enum SseFrame: Sendable, Hashable {
  /// The stream is there, under this id. It is a number beyond `Int64`, kept as text.
  case connect(session: String)
  /// The node ends the stream.
  case close(reason: String?)
  /// Something happened.
  case event(ContextEvent)

  /// More than this is no frame of a node.
  package static let limit = 16 << 20

  /// Reads a frame's data, in place. Nil for what says nothing: an error, a kind of frame that is new, or no JSON.
  package init?(_ data: UnsafeRawBufferPointer) {
    guard case .object(let object)? = try? JSONValue(parsing: data) else { return nil }
    switch object["type"]?.stringValue {
    case "connect":
      guard let session = object["session_id"].flatMap({ $0.stringValue ?? $0.numberValue?.text }) else {
        return nil
      }
      self = .connect(session: session)
    case "close":
      self = .close(reason: object["reason"]?.stringValue)
    case .some: return nil
    case nil:
      guard case .object(let result)? = object["result"], let event = ContextEvent(result) else { return nil }
      self = .event(event)
    }
  }
}
