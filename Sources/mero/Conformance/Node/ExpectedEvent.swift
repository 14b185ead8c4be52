import MeroKit
import MeroWire

/// What a vector says about an event, and the event as a node sends it.
struct ExpectedEvent {
  typealias Check = (ContextEvent) throws -> Void

  /// The event that has to arrive, made from what the vector says of it.
  let event: ContextEvent
  /// Whether it is news of a migration.
  private let isMigration: Bool
  /// Compares what the client reads of the event's data.
  private let checkData: Check

  /// - Parameter presence: what the vector says of the presence that the event carries.
  init(_ object: VectorObject, presence: ExpectedPresence?) throws {
    let kind = try object.text("kind")
    let contextId = try object.text("contextId")
    let subject: (key: String, id: String)
    switch try object.text("key") {
    case "context": subject = ("contextId", contextId)
    case "group":
      subject = ("groupId", try object.text("groupId"))
      try require("the context of a group's event", contextId, is: "")
    case let key: throw Mismatch("an event cannot be of a \(key)")
    }
    isMigration = object.has("isMigration") ? try object.flag("isMigration") : false
    let data: JSONValue
    if kind == "Ephemeral" {
      data = try presence?.wire() ?? Self.unreadablePresence
      checkData = { event in
        try require("the author", event.presenceAuthor, is: data["author"]?.stringValue)
        try require("the account", event.presenceAccount, is: data["account"]?.stringValue)
      }
    } else {
      (data, checkData) = try EventData.read(kind, object)
    }
    try object.finish()
    event = ContextEvent(
      contextId: contextId, kind: .init(rawValue: kind),
      payload: [subject.key: .string(subject.id), "type": .string(kind), "data": data],
      groupId: subject.key == "groupId" ? subject.id : nil)
  }

  /// Presence that is no JSON: its state is no text.
  private static let unreadablePresence: JSONValue = [
    "author": .string(VectorName.author), "state": [255, 254],
  ]

  func check(_ actual: ContextEvent) throws {
    try require("the event", actual, is: event)
    try require("whether it is about a migration", actual.isMigration, is: isMigration)
    try checkData(actual)
  }
}
