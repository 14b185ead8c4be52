import MeroWire

/// A context's state changed, and what its contract told of it.
public struct StateMutation: Sendable, Hashable {
  /// An event that the contract emitted.
  public struct Event: Sendable, Hashable {
    /// The contract's name for it.
    public let kind: String
    /// What the contract put in, usually JSON text.
    public let data: [UInt8]
    /// The contract's method that reacts to it on other nodes; nil when none does.
    public let handler: String?

    /// An event of these parts.
    public init(kind: String, data: [UInt8], handler: String? = nil) {
      self.kind = kind
      self.data = data
      self.handler = handler
    }

    /// ``data`` as JSON; nil when it is something else.
    public var json: JSONValue? { try? JSONValue(parsing: data) }

    /// ``data`` as JSON, made a value of.
    ///
    /// - Throws: ``MeroError/decoding(_:)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
      guard let json else { throw MeroError.decoding("the event \(kind) does not hold JSON") }
      return try json.read(type)
    }
  }

  /// The hash of the new state, 64 hex; empty when the node does not tell.
  public let newRoot: String
  /// What the contract emitted; nil when the node says that it emitted nothing.
  public let events: [Event]?

  /// A mutation of these parts.
  public init(newRoot: String, events: [Event]?) {
    self.newRoot = newRoot
    self.events = events
  }

  init(_ data: JSONValue) {
    self.init(
      newRoot: data["newRoot"]?.stringValue ?? "", events: data["events"]?.arrayValue?.compactMap(Event.init))
  }
}

extension StateMutation.Event {
  fileprivate init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.stringValue else { return nil }
    let data = json["data"] ?? .null
    self.init(kind: kind, data: data.byteArray ?? [UInt8](data.data()), handler: json["handler"]?.stringValue)
  }
}

extension ContextEvent {
  /// The change of state, when this is one.
  public var stateMutation: StateMutation? {
    kind == .stateMutation && data.objectValue != nil ? StateMutation(data) : nil
  }
}
