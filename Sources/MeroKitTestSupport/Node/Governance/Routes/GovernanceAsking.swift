import MeroWire

/// How handlers read and write governance.
extension NodeState {
  /// The tree around a group, for whoever asks. A group outside an account's reach does not exist for it (20 §1.5).
  func tree(_ group: String, for caller: NodeCaller) throws(NodeRefusal) -> NamespaceTree {
    let tree = try governance.tree(around: group)
    guard sees(group, in: tree, caller) else { throw .notFound("Group") }
    return tree
  }

  func sees(_ group: String, in tree: NamespaceTree, _ caller: NodeCaller) -> Bool {
    guard let account = caller.account else { return true }
    if let device = caller.device, tree.isRevoked(device) { return false }
    return tree.isMember(account, of: group)
  }

  /// The tree of a namespace: 404 for anything that is no root.
  func namespaceTree(_ id: String) throws(NodeRefusal) -> NamespaceTree {
    try governance.namespace(id).view(of: governance.identity.account)
  }

  /// As `namespaceTree`, where a subgroup's id is a mistake of its own.
  func rootTree(_ id: String) throws(NodeRefusal) -> NamespaceTree {
    let tree = try governance.tree(around: id)
    guard tree.id == id else { throw NodeRefusal(400, "\(id) is not a namespace but a group in one") }
    return tree
  }

  /// The build of an installed application: of that bytecode, or the latest.
  func target(_ application: String, appKey: String?) throws(NodeRefusal) -> ApplicationTarget {
    guard let found = applications[application] else { throw .notFound("Application") }
    guard let appKey else {
      guard let latest = found.latest else { throw .notFound("Bytecode of the application") }
      return latest.target
    }
    guard let build = applications.build(appKey) else { throw .notFound("Bytecode \(appKey)") }
    guard build.applicationId == application else {
      throw NodeRefusal(400, "the bytecode is of another application")
    }
    return build.target
  }

  /// Founds a namespace of the node's account.
  mutating func found(_ target: ApplicationTarget, name: String?, _ exchange: NodeExchange)
    throws(NodeRefusal) -> NamespaceTree
  {
    let founding = NamespaceTree.Founding(account: governance.identity.account, salt: makeId())
    let tree = try governance.found(target, name: name, founding, at: exchange.milliseconds)
    settle(at: exchange.now)
    return tree
  }

  /// Does an op as the caller.
  mutating func govern(_ op: GovernanceOp, in group: String, _ exchange: NodeExchange) throws(NodeRefusal) {
    try governance.write(op, in: group, by: account(of: exchange.caller), at: exchange.milliseconds)
    settle(at: exchange.now)
  }

  /// Subgroups as the caller may see them: Restricted ones only as an admin of the parent or a member (20 §1.5).
  func subgroups(of parent: String, in tree: NamespaceTree, for caller: NodeCaller) -> JSONValue {
    let account = account(of: caller)
    let visible = tree.children(of: parent).filter { group in
      group.isOpen || tree.isAdmin(account, of: parent) || tree.isMember(account, of: group.id)
    }
    return .array(
      visible.map { group in
        var entry: JSONObject = ["groupId": .string(group.id)]
        entry["name"] = group.metadata?.name.map { .string($0) }
        return .object(entry)
      })
  }

  /// Nodes of before put some flat answers into an envelope, which clients have to bear.
  func flat(_ value: JSONValue) -> NodeAnswer { isOld ? .data(value) : .flat(value) }

  /// The other way round.
  func enveloped(_ value: JSONValue) -> NodeAnswer { isOld ? .flat(value) : .data(value) }
}

extension NodeBuild {
  var target: ApplicationTarget {
    ApplicationTarget(applicationId: applicationId, appKey: blobId, version: version)
  }
}

extension NodeFields {
  /// A list of ids; `nil` where the field is absent.
  func ids(_ name: String) throws(NodeRefusal) -> [String]? {
    guard let texts = try strings(name) else { return nil }
    let ids = texts.map(NodeId.read)
    guard !ids.contains(nil) else { throw .invalid(name, "must hold 64 hex characters each") }
    return ids.compactMap { $0 }
  }

  /// Bytes in hex; an empty text is none.
  func hex(_ name: String, count: ClosedRange<Int>) throws(NodeRefusal) -> [UInt8] {
    guard let bytes = try optionalHex(name, count: count) else { throw .invalid(name, "is missing") }
    return bytes
  }

  func optionalHex(_ name: String, count: ClosedRange<Int>) throws(NodeRefusal) -> [UInt8]? {
    guard let text = try optionalString(name, 0...1_000_000) else { return nil }
    guard !text.isEmpty, let bytes = try? Hex.decode(text), count.contains(bytes.count) else {
      throw .invalid(name, "must be hex of \(count.lowerBound) to \(count.upperBound) bytes")
    }
    return bytes
  }
}
