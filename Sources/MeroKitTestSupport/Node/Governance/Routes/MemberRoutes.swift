import MeroWire

/// 20 §5.7.
enum MemberRoutes {
  private static let manage = "token:group:manage[{group_id}]"
  private static let read = "account:group:list[{group_id}]"

  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin-api/groups/{group_id}/members", read, list),
    NodeRoute(.post, "/admin-api/groups/{group_id}/members", manage, body: .strict(["members"]), add),
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/members/remove", manage, body: .strict(["members"]), remove),
    NodeRoute(
      .put, "/admin-api/groups/{group_id}/members/{account}/role", manage, body: .strict(["role"])
    ) { state, exchange in
      let role = try role(try exchange.fields.string("role"), field: "role")
      try state.change(exchange) { .roleSet($0, role, in: $1) }
      return .empty
    },
    NodeRoute(.get, "/admin-api/groups/{group_id}/members/{account}/capabilities", read) { state, exchange in
      let tree = try state.tree(exchange["group_id"], for: exchange.caller)
      let account = tree.account(addressedBy: exchange["account"])
      guard let mask = tree.capabilities(of: account, in: exchange["group_id"]) else {
        throw NodeRefusal.notFound("Member")
      }
      return .data(["capabilities": JSONValue(mask.rawValue)])
    },
    NodeRoute(
      .put, "/admin-api/groups/{group_id}/members/{account}/capabilities", manage,
      body: .strict(["capabilities"])
    ) { state, exchange in
      let mask = GroupCapabilities(rawValue: try exchange.fields.integer("capabilities"))
      try state.change(exchange) { .capabilitiesSet($0, mask, in: $1) }
      return .empty
    },
    NodeRoute(
      .put, "/admin-api/groups/{group_id}/members/{account}/auto-follow", manage,
      body: .strict(["autoFollowContexts", "autoFollowSubgroups"])
    ) { state, exchange in
      let flags = GroupMember.AutoFollow(
        contexts: try exchange.fields.bool("autoFollowContexts"),
        subgroups: try exchange.fields.bool("autoFollowSubgroups"))
      try state.change(exchange) { .autoFollowSet($0, flags, in: $1) }
      return .empty
    },
    NodeRoute(.get, "/admin-api/groups/{group_id}/member-devices", read, devices),
  ]

  private static let list: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.tree(id, for: exchange.caller)
    let group = try tree.record(id)
    let members = try exchange.page(of: tree.members(of: id)).map { tree.memberJSON($0, of: group) }
    var answer: JSONObject = ["members": .array(members)]
    if state.isOld { answer["selfIdentity"] = .string(state.governance.identity.account) }
    return .flat(.object(answer))
  }

  private static let add: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.governance.tree(around: id)
    let rows = try rows(exchange.fields.required("members"))
    // All or nothing: what is asked in one go is checked before any of it is done.
    for (account, role) in rows {
      try tree.check(
        .memberAdded(account, role, in: id), by: state.account(of: exchange.caller))
    }
    for (value, role) in rows {
      try state.govern(.memberAdded(tree.account(addressedBy: value), role, in: id), in: id, exchange)
    }
    return .empty
  }

  private static func rows(_ json: JSONValue) throws(NodeRefusal) -> [(String, GroupRole)] {
    guard let list = json.arrayValue, !list.isEmpty else { throw .invalid("members", "must not be empty") }
    var rows: [(String, GroupRole)] = []
    for item in list {
      guard let object = item.objectValue else { throw .invalid("members", "must hold objects") }
      if let unknown = object.keys.first(where: { $0 != "identity" && $0 != "role" }) {
        throw .invalid("members.\(unknown)", "unknown field")
      }
      let fields = NodeFields(object)
      rows.append((try fields.id("identity"), try role(try fields.string("role"), field: "role")))
    }
    return rows
  }

  private static func role(_ word: String, field: String) throws(NodeRefusal) -> GroupRole {
    guard let role = GroupRole(rawValue: word) else { throw .invalid(field, "names no role") }
    guard !role.isTee else { throw NodeRefusal(400, "a TEE role comes from attestation only") }
    return role
  }

  private static let remove: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    guard let values = try exchange.fields.ids("members"), !values.isEmpty else {
      throw NodeRefusal.invalid("members", "must not be empty")
    }
    // On a copy first, so that a list is done whole or not at all.
    var tree = try state.governance.home(of: id).log
    let accounts = values.map { tree.tree.account(addressedBy: $0) }
    let author = state.account(of: exchange.caller)
    for account in accounts {
      _ = try tree.append(
        .memberRemoved(account, from: id), by: author, on: author, at: exchange.milliseconds)
    }
    for account in accounts { try state.govern(.memberRemoved(account, from: id), in: id, exchange) }
    return .empty
  }

  private static let devices: NodeHandler = { state, exchange in
    let id = exchange["group_id"]
    let tree = try state.tree(id, for: exchange.caller)
    let account = state.account(of: exchange.caller)
    let shown =
      tree.isAdmin(account, of: id) ? tree.members(of: id) : tree.members(of: id).filter { $0 == account }
    return .flat(["members": .array(try exchange.page(of: shown).map { tree.devicesJSON(of: $0) })])
  }
}

extension NodeState {
  /// Does an op about the member that the path names.
  fileprivate mutating func change(
    _ exchange: NodeExchange, _ op: (_ account: String, _ group: String) -> GovernanceOp
  ) throws(NodeRefusal) {
    let group = exchange["group_id"]
    let account = try governance.tree(around: group).account(addressedBy: exchange["account"])
    try govern(op(account, group), in: group, exchange)
  }
}
