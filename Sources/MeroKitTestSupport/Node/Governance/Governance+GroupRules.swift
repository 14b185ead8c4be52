import MeroWire

/// What the rest of the node asks.
extension Governance: GroupRules {
  func checkCreation(ofContextIn group: String, by account: String) throws(NodeRefusal) {
    let context = RegisteredContext(id: "", applicationId: "", serviceName: nil, createdBy: account)
    try home(of: group).log.tree.check(.contextRegistered(context, in: group), by: account)
  }

  func role(of account: String, in group: String) -> String? {
    (try? home(of: group))?.log.tree.role(of: account, in: group)?.rawValue
  }

  func isAdmin(_ account: String, of group: String) -> Bool {
    (try? home(of: group))?.log.tree.isAdmin(account, of: group) ?? false
  }

  func groups(of account: String) -> Set<String> {
    Set(
      known.flatMap { namespace in
        namespace.log.tree.groups.keys.filter { namespace.log.tree.isMember(account, of: $0) }
      })
  }

  func signingKeys(ofMembersOf group: String) -> [String] {
    guard let tree = (try? home(of: group))?.log.tree else { return [] }
    return tree.members(of: group).flatMap { tree.liveDevices(of: $0).map(\.signingKey) }
  }

  func signingKeys(of account: String) -> [String] {
    if account == identity.account { return [identity.key] }
    let devices = known.flatMap { $0.log.tree.liveDevices(of: account) }
    return Set(devices.map(\.signingKey)).sorted()
  }

  func migrationRefusingWrites(in group: String) -> String? {
    migrations.isInProgress(group) ? group : nil
  }

  func name(ofContext context: String) -> String? {
    registration(of: context)?.context.metadata?.name
  }

  func targetBuild(of group: String) -> String? {
    (try? home(of: group))?.log.tree.groups[group]?.target.appKey
  }

  func namespaceSizes() -> [NamespaceSize] {
    known.map { namespace in
      let tree = namespace.log.tree
      return NamespaceSize(
        id: tree.id, groups: Set(tree.groups.keys), members: tree.members(of: tree.id).count)
    }
  }

  mutating func foundNamespace(
    _ build: NodeBuild, name: String?, random: SeededRandom, at milliseconds: Int64
  ) -> String {
    let founding = NamespaceTree.Founding(account: identity.account, salt: Hex.encode(random.bytes(32)))
    return NodeSecrets.made { try found(build.target, name: name, founding, at: milliseconds).id }
  }

  mutating func contextWasCreated(
    _ context: NodeContext, name: String?, by account: String, at milliseconds: Int64
  ) {
    var registered = RegisteredContext(
      id: context.id, applicationId: context.applicationId, serviceName: context.serviceName,
      createdBy: account)
    if let name {
      registered.metadata = MetadataRecord(name: name, data: [:], updatedAt: milliseconds, updatedBy: account)
    }
    do throws(NodeRefusal) {
      try write(
        .contextRegistered(registered, in: context.groupId), in: context.groupId, by: account,
        at: milliseconds)
    } catch {
      // Whoever makes a context over a route asked first whether it may; a test has to mind that itself.
      preconditionFailure("\(account) makes no context in group \(context.groupId): \(error.message)")
    }
  }

  /// The group keeps the context; the node has it no longer.
  mutating func contextWasDeleted(_ context: String) { deletedContexts.insert(context) }

  /// The group of a context and what it says about it, whether or not the node takes part in it.
  func registration(of context: String) -> (group: String, context: RegisteredContext)? {
    for namespace in known {
      let tree = namespace.view(of: identity.account)
      if let group = tree.group(ofContext: context), let found = tree.groups[group]?.contexts[context] {
        return (group, found)
      }
    }
    return nil
  }
}
