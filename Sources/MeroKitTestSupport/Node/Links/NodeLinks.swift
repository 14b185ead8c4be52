import Foundation

/// Whom a node is linked to, and what it has heard.
struct NodeLinks: Sendable {
  /// From the node to others.
  var outgoing: [NodeWire] = []
  /// From others to the node.
  var incoming: [NodeWire] = []
  /// The contexts that are shared over links.
  var replicas: [String: ContextReplica] = [:]
  private var heard: Set<NodeMessage.Id> = []
  private var lastNumber: UInt64 = 0

  /// Seconds until the next message of another node arrives; nil when none is on its way.
  var nextArrival: TimeInterval? { incoming.compactMap(\.nextArrival).min() }

  /// Whether a message is new here. Asking makes it known.
  mutating func isNew(_ message: NodeMessage) -> Bool { heard.insert(message.id).inserted }

  mutating func makeId(of node: String) -> NodeMessage.Id {
    lastNumber += 1
    let id = NodeMessage.Id(node: node, number: lastNumber)
    heard.insert(id)
    return id
  }
}

extension NodeState {
  /// Tells all linked nodes.
  mutating func publish(_ content: NodeMessage.Content) {
    guard !links.outgoing.isEmpty else { return }
    forward(NodeMessage(id: links.makeId(of: governance.identity.key), content: content), except: nil)
  }

  private mutating func forward(_ message: NodeMessage, except sender: String?) {
    for wire in links.outgoing where wire.to != sender {
      wire.send(message)
      afterwards { wire.poke() }
    }
  }

  /// Takes in what has arrived, each message once, and passes it on: nodes hear of each other by way of others too.
  mutating func receiveDue(at now: Date) {
    for wire in links.incoming {
      for message in wire.takeDue() where links.isNew(message) {
        take(message.content, at: now)
        settle(at: now)
        forward(message, except: wire.from)
      }
    }
  }

  mutating func take(_ content: NodeMessage.Content, at now: Date) {
    switch content {
    case .log(let namespace, let entries): take(entries, of: namespace, at: now)
    case .paired(let credential): governance.completePairing(credential)
    case .heartbeat(let heartbeat): take(heartbeat, at: now)
    case .context(let handover): take(handover, at: now)
    case .write(let write): take(write)
    case .presence(let presence): take(presence, at: now)
    case .blob(let bytes, let context): if contexts[context] != nil { blobs.addAtPeer(bytes, in: context) }
    case .build(let package):
      if applications.named(package.name) != nil { install(package) }
    }
  }

  /// Takes lines of a log over, and with a whole log what is in the namespace.
  mutating func take(_ entries: [LogEntry], of namespace: String, at now: Date) {
    governance.merge(entries, of: namespace, arrival: isSyncHeld ? .held : .here)
    // Single lines may have been on their way before the node joined.
    if case .namespaceCreated? = entries.first?.op, governance.dataArrived(of: namespace) {
      matchContexts(at: now)
    }
  }

  /// Looks at what changed in the logs: tells others, and does on this node what follows.
  mutating func settle(at now: Date) {
    while true {
      let news = governance.takeNews()
      if news.isEmpty { return }
      matchContexts(at: now)
      for item in news {
        if item.isOurs { tell(item) }
        react(to: item, at: now)
      }
    }
  }

  /// Whoever is new in a namespace needs all of its log; others the line, and of a new context the state it begins with.
  private mutating func tell(_ item: GovernanceNews) {
    switch item.entry.op {
    case .memberAdded, .memberJoined, .teeAdmitted, .deviceBound:
      for content in everything(of: item.namespace) { publish(content) }
    case .contextRegistered(let registered, _):
      publish(.log(item.namespace, [item.entry]))
      guard !links.outgoing.isEmpty, let context = contexts[registered.id],
        let handover = handover(of: context)
      else { return }
      publish(.context(handover))
    default: publish(.log(item.namespace, [item.entry]))
    }
  }
}

extension NodeStore {
  /// Takes in what other nodes sent and has arrived by now, as every look at the state does.
  func receive() { withState { _ in } }
}
