/// What a name and its data may be (20 §5.8).
enum MetadataRules {
  static func check(name: String?, data: [String: String]) throws(NodeRefusal) {
    if let name {
      guard (1...64).contains(name.utf8.count) else { throw .invalid("name", "must have 1 to 64 bytes") }
    }
    guard data.count <= 64 else { throw .invalid("data", "must have at most 64 entries") }
    for (key, value) in data {
      guard (1...64).contains(key.utf8.count) else {
        throw .invalid("data", "a key must have 1 to 64 bytes")
      }
      guard value.utf8.count <= 4096 else { throw .invalid("data", "a value must have at most 4096 bytes") }
    }
  }
}
