import MeroWire

/// Namespaces, groups and their members.
struct Governance: GroupRules {
  static let rows: [NodeRoute] = []

  /// A group: who is in it, and the application its contexts run.
  struct Group {
    var applicationId: String
    var members: [String: String]
  }

  let identity: NodeIdentity
  private(set) var groups: [String: Group] = [:]
  private var names: [String: String] = [:]

  init(random: SeededRandom) {
    identity = NodeIdentity(
      account: Hex.encode(random.bytes(32)), device: Hex.encode(random.bytes(32)),
      key: Hex.encode(random.bytes(32)))
  }

  /// Founds a namespace of the node's own account and answers its id.
  mutating func foundNamespace(for application: String, name: String?, random: SeededRandom) -> String {
    let id = Hex.encode(random.bytes(32))
    groups[id] = Group(applicationId: application, members: [identity.account: "Admin"])
    return id
  }

  func checkCreation(ofContextIn group: String, by account: String) throws(NodeRefusal) {
    guard groups[group] != nil else { throw .notFound("Group") }
    guard isAdmin(account, of: group) else {
      throw NodeRefusal(403, "the account may not create contexts here")
    }
  }

  func role(of account: String, in group: String) -> String? { groups[group]?.members[account] }

  func isAdmin(_ account: String, of group: String) -> Bool { role(of: account, in: group) == "Admin" }

  func groups(of account: String) -> Set<String> {
    Set(groups.filter { $0.value.members[account] != nil }.keys)
  }

  func signingKeys(ofMembersOf group: String) -> [String] {
    (groups[group]?.members.keys.sorted() ?? []).flatMap { signingKeys(of: $0) }
  }

  func signingKeys(of account: String) -> [String] { account == identity.account ? [identity.key] : [] }

  func migrationRefusingWrites(in group: String) -> String? { nil }

  func name(ofContext context: String) -> String? { names[context] }

  mutating func contextWasCreated(
    _ context: String, in group: String, name: String?, by account: String, at milliseconds: Int64
  ) {
    names[context] = name
  }

  mutating func contextWasDeleted(_ context: String) { names[context] = nil }
}
