import MeroWire

/// Namespaces, groups and their members.
struct Governance: GroupRules {
  static let rows: [NodeRoute] = []

  /// A group: who is in it, and the application its contexts run.
  struct Group {
    var build: NodeBuild
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

  mutating func foundNamespace(
    _ build: NodeBuild, name: String?, random: SeededRandom, at milliseconds: Int64
  ) -> String {
    let id = Hex.encode(random.bytes(32))
    groups[id] = Group(build: build, members: [identity.account: "Admin"])
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

  func targetBuild(of group: String) -> String? { groups[group]?.build.blobId }

  func name(ofContext context: String) -> String? { names[context] }

  func namespaceSizes() -> [NamespaceSize] {
    groups.sorted { $0.key < $1.key }.map { NamespaceSize(id: $0, groups: [$0], members: $1.members.count) }
  }

  mutating func contextWasCreated(
    _ context: NodeContext, name: String?, by account: String, at milliseconds: Int64
  ) {
    names[context.id] = name
  }

  mutating func contextWasDeleted(_ context: String) {}
}
