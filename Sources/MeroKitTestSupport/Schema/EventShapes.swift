import MeroWire

/// What the node's own events hold (70 §2.16). The document says it in words, in `x-calimero-event-kinds`; here it is as
/// schemas, in the document's own terms.
enum EventShapes {
  /// By kind.
  static let data: [String: JSONValue] = [
    "calimero.ready": object(["seq": position], required: ["seq"]),
    "calimero.reset": object(["oldest": cursor, "latest": cursor], required: ["oldest", "latest"]),
    "calimero.presence.all": named("PresenceList"),
    "calimero.presence": named("PresenceEntry"),
    "calimero.members": object(
      ["principal": text, "role": named("AppRole"), "removed": ["type": "boolean"]],
      required: ["principal", "role", "removed"]),
    "calimero.upgraded": object(["from": text, "to": text], required: ["from", "to"]),
    // An upgrade that failed says more: which version is kept, which was to come, and why it does not.
    "calimero.state": object(
      ["state": named("AppState"), "version": text, "failed": text, "error": [:]], required: ["state"]),
    "calimero.job": named("Job"),
    "calimero.deleted": [:],
  ]

  /// The schemas by kind, for those kinds alone that the document has.
  static func compile(_ root: JSONValue, _ schemas: SchemaSet) -> [String: Schema] {
    var compiled: [String: Schema] = [:]
    for entry in root["x-calimero-event-kinds"]?.arrayValue ?? [] {
      guard let kind = entry["kind"]?.stringValue, let shape = data[kind] else { continue }
      compiled[kind] = schemas.compile(shape)
    }
    return compiled
  }

  private static let text: JSONValue = ["type": "string"]
  private static let cursor: JSONValue = ["type": "string", "maxLength": 256]
  private static let position: JSONValue = ["type": "integer", "format": "uint64", "minimum": 0]

  private static func named(_ schema: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(schema)")]
  }

  private static func object(_ properties: JSONObject, required: [String]) -> JSONValue {
    [
      "type": "object", "required": .array(required.map { .string($0) }), "properties": .object(properties),
    ]
  }
}
