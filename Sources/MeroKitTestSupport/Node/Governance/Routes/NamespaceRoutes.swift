import MeroWire

/// 20 §5.5, without what has to do with invitations.
enum NamespaceRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/namespaces", "account:namespace:list", list),
    NodeRoute(
      .post, "/admin-api/namespaces", "token:namespace:create",
      body: .strict(["applicationId", "name", "appKey"]), create),
    NodeRoute(.get, "/admin-api/namespaces/{namespace_id}", "token:namespace:list[{namespace_id}]") {
      state, exchange in
      .data(try state.namespaceTree(exchange["namespace_id"]).namespaceJSON)
    },
    NodeRoute(
      .delete, "/admin-api/namespaces/{namespace_id}", "token:namespace:manage[{namespace_id}]",
      body: .strict([]), delete),
    NodeRoute(
      .get, "/admin-api/namespaces/for-application/{application_id}",
      "token:namespace:list[{application_id}]"
    ) { state, exchange in
      let found = list(state, exchange.caller).filter {
        $0.root.target.applicationId == exchange["application_id"]
      }
      return .data(.array(try exchange.page(of: found).map(\.namespaceJSON)))
    },
    NodeRoute(
      .get, "/admin-api/namespaces/{namespace_id}/groups", "account:namespace:list[{namespace_id}]"
    ) { state, exchange in
      let id = exchange["namespace_id"]
      let tree = try state.tree(id, for: exchange.caller)
      guard tree.id == id else { throw NodeRefusal.notFound("Namespace") }
      return .data(state.subgroups(of: id, in: tree, for: exchange.caller))
    },
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/groups", "token:group:create",
      body: .plain(["groupName", "visibility"], open: true), createGroup),
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/leave", "token:namespace:manage[{namespace_id}]", leave),
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/admin", "token:admin",
      body: .strict(["newAdmin", "rootProof"]), changeAdmin),
  ]

  private static func list(_ state: NodeState, _ caller: NodeCaller) -> [NamespaceTree] {
    let trees = state.governance.known.map { $0.view(of: state.governance.identity.account) }
    guard caller.isAccount else { return trees }
    return trees.filter { tree in tree.groups.keys.contains { state.sees($0, in: tree, caller) } }
  }

  private static let list: NodeHandler = { state, exchange in
    .data(.array(try exchange.page(of: list(state, exchange.caller)).map(\.namespaceJSON)))
  }

  private static let create: NodeHandler = { state, exchange in
    let target = try state.target(
      exchange.fields.id("applicationId"), appKey: exchange.fields.optionalId("appKey"))
    let name = try exchange.fields.optionalString("name")
    try MetadataRules.check(name: name, data: [:])
    let tree = try state.found(target, name: name, exchange)
    return .data(["namespaceId": .string(tree.id), "founding": tree.founding.json])
  }

  private static let delete: NodeHandler = { state, exchange in
    let id = try state.rootTree(exchange["namespace_id"]).id
    try state.govern(.namespaceDeleted, in: id, exchange)
    return .data(["isDeleted": true])
  }

  private static let createGroup: NodeHandler = { state, exchange in
    let id = try state.rootTree(exchange["namespace_id"]).id
    let isOpen: Bool
    switch try exchange.fields.optionalString("visibility")?.lowercased() {
    case nil, "open": isOpen = true
    case "restricted": isOpen = false
    case _?: throw NodeRefusal(400, "visibility must be open or restricted")
    }
    // A bad name does not keep the group from being made: it is just not set.
    let name = try? exchange.fields.optionalString("groupName", 1...64)
    return .data([
      "groupId": .string(try state.createGroup(in: id, isOpen: isOpen, name: name ?? nil, exchange))
    ])
  }

  private static let leave: NodeHandler = { state, exchange in
    let id = try state.rootTree(exchange["namespace_id"]).id
    try state.govern(.memberLeft(id), in: id, exchange)
    return .data([
      "namespaceId": .string(id), "memberPublicKey": .string(state.governance.identity.key),
    ])
  }

  private static let changeAdmin: NodeHandler = { state, exchange in
    let id = try state.rootTree(exchange["namespace_id"]).id
    try state.governAsOwner(.changeAdmin(to: exchange.fields.id("newAdmin")), in: id, exchange)
    return .empty
  }
}

extension NodeState {
  mutating func createGroup(in parent: String, isOpen: Bool, name: String?, _ exchange: NodeExchange)
    throws(NodeRefusal) -> String
  {
    let salt = makeId()
    let author = account(of: exchange.caller)
    let id = NamespaceTree.subgroupId(admin: author, parent: parent, isOpen: isOpen, salt: salt)
    try govern(
      .groupCreated(GroupBirth(id: id, parent: parent, isOpen: isOpen, name: name)), in: parent, exchange)
    return id
  }
}
