import Foundation
import MeroCrypto
import MeroWire

/// Namespaces, groups and members as one node knows them, and who the node itself is (20 §2).
///
/// What nodes share is in the logs of the namespaces; everything else here is the node's own.
struct Governance: Sendable {
  private(set) var secrets: NodeSecrets
  private(set) var namespaces: [String: NodeNamespace] = [:]
  /// Contexts the node gave up, although their groups keep them.
  var deletedContexts: Set<String> = []
  var aliases = NodeAliases()
  var devices = AccountDevices()
  var migrations = NodeMigrations()
  /// How many seconds pass before a join that went well is answered.
  var joinDelay: TimeInterval = 0
  var hardware = NodeHardware()
  var delegation = DelegationLedger()
  /// What happened since the node last looked, in order.
  private var news: [GovernanceNews] = []

  init(random: SeededRandom, presenting presented: FakeCloudNode.Attestation?) {
    hardware.presented = presented
    secrets = NodeSecrets(random: random)
    devices.add(secrets.credential, isSelf: true)
  }

  var identity: NodeIdentity { secrets.identity }

  /// Whether the node founded or joined anything yet.
  var takesPart: Bool { !namespaces.isEmpty || devices.pending != nil }

  // MARK: Looking things up

  /// The namespaces the node takes part in, by id.
  var known: [NodeNamespace] {
    namespaces.values.filter { takesPart(in: $0) }.sorted { $0.id < $1.id }
  }

  private func takesPart(in namespace: NodeNamespace) -> Bool {
    let tree = namespace.log.tree
    return !tree.isDeleted && tree.groups.keys.contains { tree.isMember(identity.account, of: $0) }
  }

  /// The namespace a group stands in, or is.
  func home(of group: String) throws(NodeRefusal) -> NodeNamespace {
    guard let found = known.first(where: { $0.log.tree.groups[group] != nil }) else {
      throw .notFound("Group")
    }
    return found
  }

  /// The tree around a group, as it can be read now: without what has not been synced yet.
  func tree(around group: String) throws(NodeRefusal) -> NamespaceTree {
    let tree = try home(of: group).view(of: identity.account)
    guard tree.groups[group] != nil else { throw .notFound("Group") }
    return tree
  }

  func namespace(_ id: String) throws(NodeRefusal) -> NodeNamespace {
    guard let namespace = namespaces[id], takesPart(in: namespace) else { throw .notFound("Namespace") }
    return namespace
  }

  // MARK: Writing

  /// Founds a namespace. Throws when the id is taken.
  mutating func found(_ birth: NamespaceBirth, at milliseconds: Int64) throws(NodeRefusal) {
    guard namespaces[birth.id] == nil else { throw NodeRefusal(409, "the namespace is founded already") }
    let entry = LogEntry(
      position: LogEntry.Position(time: 1, node: identity.key), author: birth.founding.account,
      at: milliseconds, op: .namespaceCreated(birth))
    namespaces[birth.id] = NodeNamespace(log: try NamespaceLog(entry))
    news.append(GovernanceNews(namespace: birth.id, entry: entry, isOurs: true))
  }

  /// Founds a namespace of the node's own account and answers it.
  mutating func found(
    _ target: ApplicationTarget, name: String?, _ founding: NamespaceTree.Founding, at milliseconds: Int64
  ) throws(NodeRefusal) -> NamespaceTree {
    let id = NamespaceTree.id(founder: founding.account, salt: founding.salt)
    try found(
      NamespaceBirth(
        id: id, founding: founding, target: target, device: secrets.credential.bound, name: name),
      at: milliseconds)
    return try namespace(id).log.tree
  }

  /// Does an op in the namespace a group stands in, and tells about it. Throws what is not allowed.
  mutating func write(_ op: GovernanceOp, in group: String, by author: String, at milliseconds: Int64)
    throws(NodeRefusal)
  {
    let id = try home(of: group).id
    let node = identity.key
    guard var namespace = namespaces[id] else { throw .notFound("Group") }
    let entry = try namespace.log.append(op, by: author, on: node, at: milliseconds)
    namespaces[id] = namespace
    news.append(GovernanceNews(namespace: id, entry: entry, isOurs: true))
  }

  /// Takes over lines that other nodes wrote. A namespace that is not known is taken in where its log says that the
  /// node belongs to it.
  ///
  /// - Parameter arrival: when the data of a namespace that is taken in can be read.
  mutating func merge(_ entries: [LogEntry], of id: String, arrival: NodeNamespace.Arrival) {
    guard namespaces[id] == nil else {
      let new = namespaces[id]?.log.merge(entries) ?? []
      news += new.map { GovernanceNews(namespace: id, entry: $0, isOurs: false) }
      return
    }
    guard let birth = entries.first, var log = try? NamespaceLog(birth), log.tree.id == id else { return }
    let rest = log.merge(entries)
    let namespace = NodeNamespace(log: log, arrival: arrival)
    guard takesPart(in: namespace) else { return }
    namespaces[id] = namespace
    news += ([birth] + rest).map { GovernanceNews(namespace: id, entry: $0, isOurs: false) }
  }

  /// What has happened since this was asked last.
  mutating func takeNews() -> [GovernanceNews] {
    defer { news = [] }
    return news
  }

  /// The log of a namespace came over a link, and with it what is in the namespace.
  ///
  /// Whether that is news.
  mutating func dataArrived(of id: String) -> Bool {
    guard namespaces[id]?.arrival == .awaited else { return false }
    namespaces[id]?.arrival = .here
    return true
  }

  /// Whether what is in the namespace of a group has not arrived.
  func isWaiting(_ group: String) -> Bool {
    (try? home(of: group)).map { $0.arrival != .here } ?? false
  }

  mutating func releaseSync() {
    for id in namespaces.keys { namespaces[id]?.arrival = .here }
  }

  /// The process was started again: what it kept in memory only is made anew, and the node's own key too if that was lost.
  mutating func restart(newNodeKey: Bool, random: SeededRandom) {
    secrets = secrets.restarted(newNodeKey: newNodeKey, random: random)
    if newNodeKey { devices.replaceSelf(by: secrets.credential) }
  }

  /// The node becomes a device of another account.
  mutating func adopt(_ credential: DeviceCredential) {
    secrets.root = nil
    secrets.credential = credential
    devices.becomeDevice(of: credential)
  }
}

/// A line that is new on a node.
struct GovernanceNews: Sendable {
  let namespace: String
  let entry: LogEntry
  /// Whether it was written here, and others have to be told.
  let isOurs: Bool
}

/// A namespace on a node.
struct NodeNamespace: Sendable {
  /// Whether what was in the namespace before the node joined can be read.
  enum Arrival: Sendable, Hashable {
    case here
    /// With the log that is on its way.
    case awaited
    /// When the test says so.
    case held
  }

  var log: NamespaceLog
  var arrival = Arrival.here

  var id: String { log.tree.id }

  /// What can be read now. Until the data arrives, a node knows of its own membership and nothing else.
  func view(of account: String) -> NamespaceTree {
    guard arrival != .here else { return log.tree }
    var tree = log.tree
    for (id, record) in tree.groups {
      guard id == tree.id || record.members[account] != nil else {
        tree.groups[id] = nil
        continue
      }
      tree.groups[id]?.members = record.members.filter { $0.key == account }
      tree.groups[id]?.contexts = [:]
      tree.groups[id]?.metadata = nil
      tree.groups[id]?.memberMetadata = [:]
    }
    return tree
  }
}
