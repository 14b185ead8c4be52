import Foundation
import MeroWire

/// Contexts, presence and blobs over links.
extension NodeState {
  // MARK: Writing

  /// A method has changed a context here: tells the others.
  ///
  /// - Parameter before: the state it was run on.
  mutating func contextWasWritten(
    _ method: String, _ arguments: JSONValue, in id: String, as account: String, seed: UInt64,
    before: NodeContext, at now: Date
  ) {
    guard !links.outgoing.isEmpty || links.replicas[id] != nil, let after = contexts[id] else {
      return
    }
    var replica = links.replicas[id] ?? ContextReplica(ContextState(before))
    let write = ContextWrite(
      position: LogEntry.Position(time: replica.nextTime, node: governance.identity.key), context: id,
      method: method, arguments: arguments, account: account, at: now, seed: seed)
    replica.record(write, leaving: ContextState(after))
    links.replicas[id] = replica
    publish(.write(write))
  }

  /// A context's state was made otherwise than by its methods: what comes is counted from here.
  mutating func contextBeginsAnew(_ id: String) {
    guard links.replicas[id] != nil, let context = contexts[id] else { return }
    links.replicas[id] = ContextReplica(ContextState(context))
  }

  mutating func take(_ write: ContextWrite) {
    guard let context = contexts[write.context], let package = applications.build(context.blobId)?.package
    else {
      return
    }
    guard
      var replica = links.replicas[write.context]
        ?? (context.isInitialised ? ContextReplica(ContextState(context)) : nil)
    else { return }
    let events = replica.add(write, running: package)
    links.replicas[write.context] = replica
    show(replica, in: write.context, events: events, at: write.at)
  }

  /// The state is here for all to see, or waits for the next sync.
  private mutating func show(
    _ replica: ContextReplica, in id: String, events: [(kind: String, data: JSONValue)]?, at now: Date
  ) {
    guard let context = contexts[id], replica.current.hash != context.stateHash else { return }
    let state = replica.current.snapshot
    guard context.isJoined, context.isInitialised, !isSyncHeld else {
      contexts.update(id) { $0.arriving = state }
      return
    }
    contexts.update(id) { $0.adopt(state) }
    send(.stateMutation(in: id, root: state.stateHash, events: events), at: now)
  }

  // MARK: Handing over

  /// What a node needs that is new in a namespace, or missed something: its log, then its contexts.
  mutating func everything(of namespace: String) -> [NodeMessage.Content] {
    guard let log = governance.namespaces[namespace]?.log else { return [] }
    var contents: [NodeMessage.Content] = [.log(namespace, log.entries)]
    for context in contexts.all where log.tree.groups[context.groupId] != nil {
      guard let handover = handover(of: context) else { continue }
      contents.append(.context(handover))
      contents += (presence.slots[context.id] ?? []).filter(\.isOwn).map { entry in
        .presence(
          LinkedPresence(
            context: context.id, author: entry.author, account: entry.account, slice: entry.slice,
            isOfNode: true))
      }
      contents += blobs.all.filter { $0.contexts.contains(context.id) }.map {
        .blob($0.bytes, context: context.id)
      }
    }
    return contents
  }

  /// A context whole; nil where this node has no state of it either.
  mutating func handover(of context: NodeContext) -> ContextHandover? {
    guard context.isInitialised, let package = applications.build(context.blobId)?.package else { return nil }
    let replica = links.replicas[context.id] ?? ContextReplica(ContextState(context))
    links.replicas[context.id] = replica
    return ContextHandover(
      context: context.id, group: context.groupId, package: package, serviceName: context.serviceName,
      replica: replica)
  }

  mutating func take(_ handover: ContextHandover, at now: Date) {
    guard governance.role(of: governance.identity.account, in: handover.group) != nil else { return }
    let blob = NodeBlobs.id(of: NodeApplications.bytecode(of: handover.package))
    if applications.build(blob) == nil { install(handover.package) }
    guard let context = contexts[handover.context] else { return }
    guard let known = links.replicas[context.id], context.isInitialised else {
      contexts.update(context.id) { $0.blobId = blob }
      links.replicas[context.id] = handover.replica
      show(handover.replica, in: context.id, events: nil, at: now)
      if context.isJoined { syncContext(context.id, at: now) }
      return
    }
    for write in handover.replica.writes
    where !known.writes.contains(where: { $0.position == write.position }) {
      take(write)
    }
  }

  /// Brings the contexts a node knows into line with what the groups of its account register.
  mutating func matchContexts(at now: Date) {
    let account = governance.identity.account
    var registered: Set<String> = []
    for namespace in governance.known {
      let tree = namespace.view(of: account)
      for (group, record) in tree.groups.sorted(by: { $0.key < $1.key }) {
        registered.formUnion(record.contexts.keys)
        guard tree.isMember(account, of: group) else { continue }
        for context in record.contexts.values.sorted(by: { $0.id < $1.id }) where contexts[context.id] == nil
        {
          guard !governance.deletedContexts.contains(context.id) else { continue }
          contexts[context.id] = NodeContext(
            id: context.id, groupId: group, applicationId: context.applicationId,
            blobId: record.target.appKey,
            serviceName: context.serviceName, isJoined: false, isInitialised: false, identities: [])
          if tree.autoFollow(of: account, in: group).contexts { joinContext(context.id, at: now) }
        }
      }
    }
    for context in contexts.all
    where !registered.contains(context.id) && !governance.isWaiting(context.groupId) {
      forgetPresence(in: context.id, at: now)
      contexts[context.id] = nil
      links.replicas[context.id] = nil
    }
  }

  /// Takes part in a context with the node's own key, and takes in what has come of it.
  mutating func joinContext(_ id: String, at now: Date) {
    let key = governance.identity.key
    contexts.update(id) { context in
      guard !context.isJoined else { return }
      context.isJoined = true
      context.identities = [key]
    }
    syncContext(id, at: now)
  }

  /// What was held back arrives.
  mutating func releaseSync(at now: Date) {
    governance.releaseSync()
    matchContexts(at: now)
    for id in contexts.ids { syncContext(id, at: now) }
  }

  // MARK: Presence and blobs

  mutating func take(_ presence: LinkedPresence, at now: Date) {
    guard contexts[presence.context] != nil else { return }
    if let slice = presence.slice {
      setPresence(
        in: presence.context, author: presence.author, account: presence.account, slice: slice, isOwn: false,
        isLinked: presence.isOfNode, at: now)
    } else {
      removePresence(in: presence.context, at: now) { $0.author == presence.author }
    }
  }
}

/// What a node says of who is present at it.
struct LinkedPresence: Sendable {
  let context: String
  let author: String
  let account: String?
  /// nil when the author is gone.
  let slice: [UInt8]?
  /// Whether the node said it of itself, and says it again as long as it runs. What a device said lasts until the device says it
  /// again, or no longer than anything does (10 §5).
  let isOfNode: Bool
}
