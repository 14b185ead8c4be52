/// Names that a node keeps for itself (20 §5.12).
struct NodeAliases: Sendable {
  enum Kind: String, Sendable, CaseIterable { case context, application, device }

  private var ids: [Kind: [String: String]] = [:]

  func all(_ kind: Kind) -> [String: String] { ids[kind] ?? [:] }

  mutating func create(_ name: String, for id: String, _ kind: Kind) throws(NodeRefusal) {
    try Self.check(name)
    guard ids[kind]?[name] == nil else { throw NodeRefusal(409, "the alias \(name) exists") }
    ids[kind, default: [:]][name] = id
  }

  func lookUp(_ name: String, _ kind: Kind) throws(NodeRefusal) -> String? {
    try Self.check(name)
    return ids[kind]?[name]
  }

  mutating func delete(_ name: String, _ kind: Kind) throws(NodeRefusal) {
    try Self.check(name)
    ids[kind]?[name] = nil
  }

  private static func check(_ name: String) throws(NodeRefusal) {
    let isGood =
      (1...50).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        Character(UnicodeScalar(byte)).isASCII
          && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber
            || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(byte))
      }
    guard isGood else { throw .invalid("alias", "must have 1 to 50 characters of A-Z a-z 0-9 . _ -") }
  }
}
