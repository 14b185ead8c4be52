import MeroCrypto
import MeroWire

/// What a relay does for accounts on their warrants (20 §5.4).
enum IntentRoutes {
  private static let inContext = "delegated:context:intent[{context_id}]"
  private static let any = "delegated:context:intent"

  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/contexts/{context_id}/intents", inContext, describe),
    NodeRoute(
      .post, "/admin-api/contexts/{context_id}/intents", inContext,
      body: .plain(["method", "argsJson", "warrant", "authorProof"]), perform),
    NodeRoute(
      .post, "/admin-api/contexts/{context_id}/presence-intents", inContext,
      body: .plain(["state", "seq", "sentAtMs", "signature", "authorProof"]), PresenceIntent.handler),
    NodeRoute(.get, "/admin-api/groups/{group_id}/context-intents", any, describeCreation),
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/context-intents", any,
      body: .plain(["warrant", "authorProof", "initArgs"]), create),
    NodeRoute(.get, "/admin-api/groups/{group_id}/governance-intents", any, describeGovernance),
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/governance-intents", any,
      body: .plain(["warrant", "authorProof", "op"]), GovernanceIntent.handler),
  ]

  // MARK: Writes

  private static let describe: NodeHandler = { state, exchange in
    guard let context = state.contexts[exchange["context_id"]], context.isJoined,
      let build = state.applications.build(context.blobId)
    else { throw NodeRefusal(404, "this node can be no warrant's executor here") }
    var answer = state.executor
    let granted = state.authorshipGrant(for: context.groupId)
    answer["canAuthorOnBehalf"] = .bool(granted != nil)
    answer["groupId"] = .string(context.groupId)
    answer["grantedOnGroupId"] = granted.map { .string($0) }
    answer["releaseBytecodeId"] = .string(build.blobId)
    answer["releaseVersion"] = .string(build.version)
    return .data(.object(answer))
  }

  private static let perform: NodeHandler = { state, exchange in
    let id = exchange["context_id"]
    let method = try exchange.fields.string("method", 1...256)
    let arguments = try exchange.fields.required("argsJson")
    let warrant = try state.warrant(.write, exchange)
    let hash = domainHash("calimero.warrant.intent.v1", [Array(method.utf8), Array(arguments.data())])
    try warrant.check(path: id, covers: hash, executor: state.governance.identity, at: exchange.seconds)
    guard let context = state.contexts[id] else { throw NodeRefusal.notFound("Context") }
    guard Hex.encode(warrant.build) == context.blobId else {
      throw NodeRefusal(403, "the warrant pins another release than this node runs")
    }
    try state.requireAuthorship(for: context.groupId)
    try state.requireWriter(warrant, in: context.groupId)
    try state.governance.delegation.check(warrant, in: id)
    do {
      let run = try state.execute(
        method, arguments, in: id, as: warrant.authorAccount, at: exchange.now)
      state.governance.delegation.spend(warrant, in: id)
      return .data(["rootHash": .string(run.rootHash), "returns": run.output])
    } catch let failure as ExecutionFailure {
      throw failure.refusal
    }
  }

  // MARK: Creations

  private static let describeCreation: NodeHandler = { state, exchange in
    let group = exchange["group_id"]
    let tree = try state.governance.tree(around: group)
    var answer = state.executor
    answer["groupId"] = .string(group)
    answer["canCreateOnBehalf"] = .bool(state.authorshipGrant(for: group) != nil)
    if let text = exchange.query["author"] {
      guard let author = NodeId.read(text) else { throw NodeRefusal(400, "author must be 64 hex characters") }
      let context = RegisteredContext(id: "", applicationId: "", serviceName: nil, createdBy: author)
      answer["authorMayCreate"] = .bool(
        (try? tree.check(.contextRegistered(context, in: group), by: author)) != nil)
    }
    return .data(.object(answer))
  }

  private static let create: NodeHandler = { state, exchange in
    let group = exchange["group_id"]
    let arguments = try exchange.fields.required("initArgs")
    let warrant = try state.warrant(.creation, exchange)
    let hash = domainHash("calimero.context-creation.init.v1", [Array(arguments.data())])
    try warrant.check(path: group, covers: hash, executor: state.governance.identity, at: exchange.seconds)
    let tree = try state.governance.tree(around: group)
    try state.requireAuthorship(for: group)
    try state.governance.checkCreation(ofContextIn: group, by: warrant.authorAccount)
    let target = try tree.record(group).target
    guard target.applicationId == Hex.encode(warrant.build) else {
      throw NodeRefusal(409, "the application is no longer the group's target")
    }
    guard let build = state.applications.build(target.appKey) else {
      throw NodeRefusal.notYet("the bytecode of the group's application is not here yet")
    }
    let id = Hex.encode(SHA256.hash(Array("context\n\(Hex.encode(warrant.seed))".utf8)))
    guard state.contexts[id] == nil else { throw NodeRefusal(409, "a context of this seed exists") }
    // A context that was deleted keeps its ledger: the warrant that made it makes it once.
    try state.governance.delegation.check(warrant, in: id)
    do {
      try state.createContext(
        id, in: group, running: build, arguments: arguments, serviceName: warrant.serviceName,
        name: warrant.name,
        by: warrant.authorAccount, at: exchange.now)
    } catch let failure as ExecutionFailure {
      throw NodeRefusal(400, failure.data?.stringValue ?? failure.type)
    }
    state.governance.delegation.spend(warrant, in: id)
    return .data([
      "contextId": .string(id), "groupId": .string(group),
      "memberPublicKey": .string(state.governance.identity.key),
    ])
  }

  private static let describeGovernance: NodeHandler = { state, exchange in
    let group = exchange["group_id"]
    _ = try state.governance.tree(around: group)
    var answer = state.executor
    answer["groupId"] = .string(group)
    answer["canActOnBehalf"] = .bool(state.authorshipGrant(for: group) != nil)
    return .data(.object(answer))
  }
}

extension NodeState {
  /// Whose account and key a warrant has to name.
  fileprivate var executor: JSONObject {
    let identity = governance.identity
    return [
      "executorAccount": .string(relay?.claimed.account ?? identity.account),
      "executorKey": .string(relay?.claimed.key ?? identity.key),
    ]
  }

  /// The group where this node may author for members of `group`; nil where it may not.
  func authorshipGrant(for group: String) -> String? {
    guard let tree = (try? governance.home(of: group))?.log.tree else { return nil }
    let account = governance.identity.account
    if relay?.hasGrant == true || tree.role(of: account, in: group) == .relayTee { return group }
    return tree.grantOfAuthorship(to: account, for: group)
  }

  func requireAuthorship(for group: String) throws(NodeRefusal) {
    let role = governance.role(of: governance.identity.account, in: group)
    guard role != GroupRole.readOnly.rawValue, role != GroupRole.readOnlyTee.rawValue else {
      throw NodeRefusal(403, "this node only reads here")
    }
    guard authorshipGrant(for: group) != nil else {
      throw NodeRefusal(403, "this node may not author on behalf of members of group \(group)")
    }
  }

  /// Whether the author of a warrant may write.
  fileprivate func requireWriter(_ warrant: Warrant, in group: String) throws(NodeRefusal) {
    let tree = try governance.home(of: group).log.tree
    guard !tree.isRevoked(warrant.deviceKey) else {
      throw NodeRefusal(403, "the author's device was revoked here")
    }
    guard let role = tree.role(of: warrant.authorAccount, in: group) else {
      throw NodeRefusal(403, "the author is not a member")
    }
    guard role.mayWrite else { throw NodeRefusal(403, "the author only reads here") }
  }

  /// The warrant of a request, by the device that its author's proof certifies.
  mutating func warrant(_ kind: Warrant.Kind, _ exchange: NodeExchange) throws(NodeRefusal) -> Warrant {
    let warrant = try Warrant(try exchange.fields.hex("warrant", count: 1...65_536), kind)
    let proof = try DeviceCredential(hex: try exchange.fields.string("authorProof"), field: "authorProof")
    guard proof.account == warrant.author, proof.signingKey == warrant.device else {
      throw NodeRefusal(400, "the author's proof is not of the device that signed the warrant")
    }
    governance.delegation.present(warrant, kind)
    return warrant
  }
}
