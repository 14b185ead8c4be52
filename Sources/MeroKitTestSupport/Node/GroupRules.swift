import Foundation

/// What the rest of a node asks of its groups: who belongs where, and who may do what in the group that owns a context.
protocol GroupRules {
  /// Refuses with 404 for a group the node does not know and 403 for an account that may not create contexts there.
  func checkCreation(ofContextIn group: String, by account: String) throws(NodeRefusal)
  /// The effective role of an account, inherited ones included; nil when it is no member or the group is unknown.
  func role(of account: String, in group: String) -> String?
  /// Whether the account is an admin of the group, by its own row or an ancestor's.
  func isAdmin(_ account: String, of group: String) -> Bool
  /// Every group an account belongs to, for what an account session may see (20 §1.5).
  func groups(of account: String) -> Set<String>
  /// Signing keys of the live devices of a group's members.
  func signingKeys(ofMembersOf group: String) -> [String]
  /// Signing keys of the live devices of one account.
  func signingKeys(of account: String) -> [String]
  /// The group whose migration refuses writes in `group` now; nil when there is none.
  func migrationRefusingWrites(in group: String) -> String?
  /// The bytecode new contexts of a group run; nil when the group is unknown.
  func targetBuild(of group: String) -> String?
  /// The name in a context's metadata.
  func name(ofContext context: String) -> String?
  /// How large the node's namespaces are.
  func namespaceSizes() -> [NamespaceSize]
  /// Founds a namespace of the node's own account, whose contexts run this build of an application. Answers its id.
  mutating func foundNamespace(
    _ build: NodeBuild, name: String?, random: SeededRandom, at milliseconds: Int64
  ) -> String
  /// A context was created in a group.
  mutating func contextWasCreated(
    _ context: NodeContext, name: String?, by account: String, at milliseconds: Int64)
  /// This node holds a context no longer; its group keeps it (20 §5.3).
  mutating func contextWasDeleted(_ context: String)
}

/// Who a node is: one device of one account. All are 64 hex.
struct NodeIdentity: Sendable {
  /// The account whose device the node is.
  var account: String
  /// The device.
  var device: String
  /// The key the node signs with in every context.
  var key: String
}

/// What a node counts of one namespace.
struct NamespaceSize: Sendable {
  let id: String
  /// The namespace's own group and every group below it.
  let groups: Set<String>
  let members: Int
}
