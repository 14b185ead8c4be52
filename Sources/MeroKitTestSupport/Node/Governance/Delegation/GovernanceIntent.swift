import MeroWire

/// A governance op that a device signed and a relay publishes (20 §5.4, 30 §9, §10).
enum GovernanceIntent {
  static let handler: NodeHandler = { state, exchange in
    let scope = exchange["group_id"]
    let bytes = try exchange.fields.hex("op", count: 1...65_536)
    let warrant = try state.warrant(.governance, exchange)
    guard warrant.plane <= 1 else { throw NodeRefusal(400, "the warrant is of an unknown plane") }
    try warrant.check(
      path: scope, covers: DelegatedOp.hash(bytes, plane: warrant.plane), executor: state.governance.identity,
      at: exchange.seconds)
    let op = try DelegatedOp(bytes, plane: warrant.plane, scope: scope, author: warrant.authorAccount)
    try state.governance.delegation.check(warrant, in: "governance \(scope)")
    let group = try state.perform(op, warrant, exchange)
    state.governance.delegation.spend(warrant, in: "governance \(scope)")
    var answer: JSONObject = ["groupId": .string(group)]
    if case .founding = op {
      let isAttested = state.governance.hardware.presented != nil
      answer["teeEnabled"] = .bool(isAttested)
      if !isAttested { answer["teeError"] = "this relay is not attested" }
    }
    return .data(.object(answer))
  }
}

extension NodeState {
  /// Does the op with the author's rights, and answers the group acted on.
  fileprivate mutating func perform(_ op: DelegatedOp, _ warrant: Warrant, _ exchange: NodeExchange)
    throws(NodeRefusal) -> String
  {
    let scope = exchange["group_id"]
    let author = warrant.authorAccount
    if case .founding(let founder, let credential, let salt) = op {
      return try found(founder, credential, salt, warrant, exchange)
    }
    // To whoever is no part of it, a group this node does not know is one it may not act in.
    guard let tree = (try? governance.home(of: scope))?.log.tree else {
      throw NodeRefusal(403, "this node takes no part in \(scope)")
    }
    guard warrant.plane == 0 || tree.id == scope else {
      throw NodeRefusal(403, "a root op is published on its namespace")
    }
    try requireAuthorship(for: scope)
    guard !tree.isRevoked(warrant.deviceKey) else {
      throw NodeRefusal(403, "the author's device was revoked here")
    }
    let change: GovernanceOp
    let group: String
    switch op {
    case .op(let op, let acted): (change, group) = (op, acted)
    case .target(let application, let package, let version):
      (change, group) = (try target(application, package, version, tree, scope), scope)
    case .contextCapability:
      try tree.requireAdmin(author, of: scope)
      return scope
    case .founding: preconditionFailure("a founding has no group to act in")
    }
    try governance.write(change, in: scope, by: author, at: exchange.milliseconds)
    settle(at: exchange.now)
    return group
  }

  /// A group's first application: the relay installs it, and fills in the bytecode.
  private mutating func target(
    _ application: String, _ package: String, _ version: String, _ tree: NamespaceTree, _ group: String
  ) throws(NodeRefusal) -> GovernanceOp {
    guard try tree.record(group).target.appKey.isEmpty else {
      throw NodeRefusal(403, "the group has an application; another one is not delegated")
    }
    guard let published = applications.published(package, version) else {
      throw NodeRefusal(502, "the registry publishes no \(package)@\(version)")
    }
    let build = install(published)
    guard build.applicationId == application else {
      throw NodeRefusal(403, "\(package)@\(version) is another application")
    }
    return .targetSet(build.target, in: group, cascade: true)
  }

  private mutating func found(
    _ founder: String, _ credential: DeviceCredential, _ salt: String, _ warrant: Warrant,
    _ exchange: NodeExchange
  ) throws(NodeRefusal) -> String {
    let id = exchange["group_id"]
    try credential.check("op")
    guard founder == warrant.authorAccount, credential.bound.account == founder,
      credential.signingKey == warrant.device
    else { throw NodeRefusal(403, "only the founder's own device founds a namespace") }
    guard NamespaceTree.id(founder: founder, salt: salt) == id else {
      throw NodeRefusal(403, "the namespace's id is not derived from its founder and salt")
    }
    let identity = governance.identity
    let relay = identity.account == founder ? nil : (identity.account, governance.secrets.credential.bound)
    var birth = NamespaceBirth(
      id: id, founding: NamespaceTree.Founding(account: founder, salt: salt),
      target: ApplicationTarget(applicationId: "", appKey: "", version: nil), device: credential.bound)
    birth.relay = relay
    birth.isRelayAttested = governance.hardware.presented != nil
    birth.isRelayMock = governance.hardware.presented == .mock
    try governance.found(birth, at: exchange.milliseconds)
    settle(at: exchange.now)
    return id
  }
}
