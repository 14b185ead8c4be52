import MeroWire

/// One event as followers get it (10 §4.4).
struct NodeEvent: Sendable {
  /// What followers subscribe to.
  enum Subject: Sendable, Hashable {
    case context(String)
    case group(String)
  }

  let subject: Subject
  let kind: String
  let data: JSONValue
  /// Whether only admins of the group see it.
  var isForAdmins = false

  var json: JSONValue {
    let (name, id) =
      switch subject {
      case .context(let id): ("contextId", id)
      case .group(let id): ("groupId", id)
      }
    return [
      "result": .object(JSONObject([(name, .string(id)), ("type", .string(kind)), ("data", data)]))
    ]
  }

  static func stateMutation(
    in context: String, root: String, events: [(kind: String, data: JSONValue)]?
  ) -> NodeEvent {
    let list = events.map { events -> JSONValue in
      .array(
        events.map { event in
          ["kind": .string(event.kind), "data": .byteArray(event.data.data()), "handler": .null]
        })
    }
    return NodeEvent(
      subject: .context(context), kind: "StateMutation",
      data: ["newRoot": .string(root), "events": list ?? .null])
  }

  static func syncStatus(in context: String, _ status: NodeContext.SyncStatus) -> NodeEvent {
    NodeEvent(subject: .context(context), kind: "SyncStatus", data: .object(status.json))
  }

  /// A version that is not known is left out.
  static func appVersionChanged(in context: String, from: String?, to: String?) -> NodeEvent {
    var data = JSONObject()
    data["fromVersion"] = from.map { .string($0) }
    data["toVersion"] = to.map { .string($0) }
    return NodeEvent(subject: .context(context), kind: "AppVersionChanged", data: .object(data))
  }

  static func presence(in context: String, _ entry: NodePresence.Entry, age: Int64?) -> NodeEvent {
    var data: JSONObject = ["author": .string(entry.author)]
    data["account"] = entry.account.map { .string($0) }
    data["state"] = .byteArray(entry.slice)
    data["ageMs"] = age.map { JSONValue($0) }
    return NodeEvent(subject: .context(context), kind: "Ephemeral", data: .object(data))
  }

  static func presenceRemoved(in context: String, author: String) -> NodeEvent {
    NodeEvent(
      subject: .context(context), kind: "Ephemeral", data: ["author": .string(author), "removed": true])
  }
}
