import MeroKit
import MeroWire

/// What a vector says about somebody's presence.
struct ExpectedPresence: Sendable {
  let entry: EphemeralEntry<JSONValue>

  init(_ object: VectorObject) throws(Mismatch) {
    entry = EphemeralEntry(
      author: try object.text("author"), account: try object.textOrNull("account"),
      state: try object.valueIfThere("state"), removed: try object.flag("removed"),
      ageMs: try object.numberOrNull("ageMs"))
    try object.finish()
  }

  /// The event's data as a node sends it: what is not there is left out.
  func wire() throws -> JSONValue {
    var data: JSONObject = ["author": .string(entry.author)]
    if let account = entry.account { data["account"] = .string(account) }
    if let state = entry.state {
      data["state"] = .array(try JSONCodec().encode(state).map { JSONValue($0) })
    }
    if entry.removed { data["removed"] = true }
    if let ageMs = entry.ageMs { data["ageMs"] = JSONValue(ageMs) }
    return .object(data)
  }
}
