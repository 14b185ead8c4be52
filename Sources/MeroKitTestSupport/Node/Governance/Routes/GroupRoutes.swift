import MeroWire

/// 20 §5.6.
enum GroupRoutes {
  private static let manage = "token:group:manage[{group_id}]"
  private static let read = "account:group:list[{group_id}]"

  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/groups", "token:group:create",
      body: .strict(["applicationId", "appKey", "name", "parentGroupId"]), create),
    NodeRoute(.get, "/admin-api/groups/{group_id}", read, info),
    NodeRoute(.delete, "/admin-api/groups/{group_id}", manage, body: .strict([])) { state, exchange in
      let id = exchange["group_id"]
      try state.govern(.groupDeleted(id), in: id, exchange)
      return .data(["isDeleted": true])
    },
    NodeRoute(.get, "/admin-api/groups/{group_id}/contexts", read, contexts),
    NodeRoute(.get, "/admin-api/groups/{group_id}/subgroups", read) { state, exchange in
      let id = exchange["group_id"]
      let tree = try state.tree(id, for: exchange.caller)
      return state.flat(["subgroups": state.subgroups(of: id, in: tree, for: exchange.caller)])
    },
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/reparent", manage, body: .strict(["newParentId"]), reparent),
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/contexts/{context_id}/remove", manage, body: .strict([])
    ) { state, exchange in
      let id = exchange["group_id"]
      try state.govern(.contextDetached(exchange["context_id"], from: id), in: id, exchange)
      return .empty
    },
    NodeRoute(.post, "/admin-api/groups/{group_id}/leave", manage, leave),
    NodeRoute(.post, "/admin-api/groups/{group_id}/sync", manage, body: .strict([]), sync),
    NodeRoute(.post, "/admin-api/groups/{group_id}/join-via-inheritance", manage, joinByInheritance),
    NodeRoute(
      .put, "/admin-api/groups/{group_id}/settings/default-capabilities", manage,
      body: .strict(["defaultCapabilities"])
    ) { state, exchange in
      let id = exchange["group_id"]
      let mask = GroupCapabilities(rawValue: try exchange.fields.integer("defaultCapabilities"))
      try state.govern(.defaultsSet(mask, in: id), in: id, exchange)
      return .empty
    },
    NodeRoute(
      .put, "/admin-api/groups/{group_id}/settings/subgroup-visibility", manage,
      body: .strict(["subgroupVisibility"]), setVisibility),
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/transfer-ownership", manage,
      body: .strict(["newOwner", "rootProof"])
    ) { state, exchange in
      let id = exchange["group_id"]
      let op = GovernanceOp.OwnerOp.transferOwnership(of: id, to: try exchange.fields.id("newOwner"))
      try state.governAsOwner(op, in: id, exchange)
      return .empty
    },
    NodeRoute(.post, "/admin-api/groups/{group_id}/owner-delete", manage, body: .strict(["rootProof"])) {
      state, exchange in
      let id = exchange["group_id"]
      try state.governAsOwner(.deleteGroup(id), in: id, exchange)
      return .empty
    },
  ]

  private static let create: NodeHandler = { state, exchange in
    let target = try state.target(
      exchange.fields.id("applicationId"), appKey: exchange.fields.optionalId("appKey"))
    let name = try exchange.fields.optionalString("name")
    try MetadataRules.check(name: name, data: [:])
    if let parent = try exchange.fields.optionalId("parentGroupId") {
      return .data([
        "groupId": .string(try state.createGroup(in: parent, isOpen: false, name: name, exchange))
      ])
    }
    let tree = try state.found(target, name: name, exchange)
    return .data(["groupId": .string(tree.id)])
  }

  private static let info: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.tree(id, for: exchange.caller)
    let group = try tree.record(id)
    var info = tree.infoJSON(group, upgrade: state.governance.upgradeJSON(group))
    if state.isOld { info["ownerOpCounter"] = nil }
    return .data(.object(info))
  }

  private static let contexts: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let all = try state.tree(id, for: exchange.caller).record(id).contexts.values.sorted { $0.id < $1.id }
    let entries = try exchange.page(of: all).map { context -> JSONValue in
      var entry: JSONObject = ["contextId": .string(context.id)]
      entry["name"] = context.metadata?.name.map { .string($0) }
      return .object(entry)
    }
    return .data(.array(entries))
  }

  private static let reparent: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let parent = try exchange.fields.id("newParentId")
    let tree = try state.governance.tree(around: id)
    let elsewhere = try? state.governance.tree(around: parent)
    if let elsewhere, elsewhere.id != tree.id {
      throw NodeRefusal(400, "a group stays in its namespace")
    }
    if try tree.record(id).parent == parent { return state.flat(["reparented": false]) }
    try state.govern(.groupReparented(id, to: parent), in: id, exchange)
    return state.flat(["reparented": true])
  }

  private static let leave: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    guard try state.governance.tree(around: id).id != id else {
      throw NodeRefusal(400, "a namespace is left as a namespace")
    }
    try state.govern(.memberLeft(id), in: id, exchange)
    return .data(["groupId": .string(id), "memberPublicKey": .string(state.governance.identity.key)])
  }

  /// Pulls what linked nodes know that has not come yet.
  private static let sync: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    _ = try state.governance.tree(around: id)
    return state.pullingFromPeers { state, _ in
      let tree = try state.governance.tree(around: id)
      let group = try tree.record(id)
      return .data([
        "groupId": .string(id), "appKey": .string(group.target.appKey),
        "targetApplicationId": .string(group.target.applicationId),
        "memberCount": JSONValue(tree.members(of: id).count), "contextCount": JSONValue(group.contexts.count),
      ])
    }
  }

  private static let joinByInheritance: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.governance.tree(around: id)
    let isDirect = tree.path(of: state.account(of: exchange.caller), in: id) == .direct
    if !isDirect { try state.govern(.memberJoinedOpen(id), in: id, exchange) }
    return .data([
      "groupId": .string(id), "memberPublicKey": .string(state.governance.identity.key),
      "wasInherited": .bool(!isDirect),
    ])
  }

  private static let setVisibility: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let word = try exchange.fields.string("subgroupVisibility")
    guard word == "open" || word == "restricted" else {
      throw NodeRefusal.invalid("subgroupVisibility", "must be open or restricted")
    }
    try state.govern(.visibilitySet(isOpen: word == "open", in: id), in: id, exchange)
    return .empty
  }
}
