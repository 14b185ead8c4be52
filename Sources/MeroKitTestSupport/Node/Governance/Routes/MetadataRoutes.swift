import MeroWire

/// 20 §5.8.
enum MetadataRoutes {
  static let rows: [NodeRoute] = [
    read("/admin-api/groups/{group_id}/metadata", "account:group:list[{group_id}]") { _, group, _ in
      group.metadata
    },
    write("/admin-api/groups/{group_id}/metadata") { .group($0["group_id"]) },
    read("/admin-api/groups/{group_id}/members/{account}/metadata", "token:group:list[{group_id}]") {
      tree, group, exchange in group.memberMetadata[tree.account(addressedBy: exchange["account"])]
    },
    write("/admin-api/groups/{group_id}/members/{account}/metadata") {
      .member($0["account"], in: $0["group_id"])
    },
    read("/admin-api/groups/{group_id}/contexts/{context_id}/metadata", "token:group:list[{group_id}]") {
      _, group, exchange in
      guard let context = group.contexts[exchange["context_id"]] else {
        throw NodeRefusal.notFound("Context in this group")
      }
      return context.metadata
    },
    write("/admin-api/groups/{group_id}/contexts/{context_id}/metadata") {
      .context($0["context_id"], in: $0["group_id"])
    },
  ]

  private static func read(
    _ template: String, _ access: String,
    _ find: @escaping @Sendable (NamespaceTree, GroupRecord, NodeExchange) throws -> MetadataRecord?
  ) -> NodeRoute {
    NodeRoute(.get, template, access) { state, exchange in
      let tree = try state.tree(exchange["group_id"], for: exchange.caller)
      let found = try find(tree, try tree.record(exchange["group_id"]), exchange)
      // A bare null is what older nodes answer.
      guard let found else { return state.enveloped(.null) }
      return .data(found.json)
    }
  }

  private static func write(
    _ template: String, _ target: @escaping @Sendable (NodeExchange) -> GovernanceOp.MetadataTarget
  ) -> NodeRoute {
    NodeRoute(.put, template, "token:group:manage[{group_id}]", body: .strict(["name", "data"])) {
      state, exchange in
      let op = GovernanceOp.metadataSet(
        target(exchange), name: try exchange.fields.optionalString("name"), data: try data(exchange.fields))
      try state.govern(op, in: exchange["group_id"], exchange)
      return .empty
    }
  }

  private static func data(_ fields: NodeFields) throws(NodeRefusal) -> [String: String] {
    guard let value = fields["data"] else { return [:] }
    guard let object = value.objectValue else { throw .invalid("data", "must be an object") }
    var data: [String: String] = [:]
    for (key, value) in object {
      guard let text = value.stringValue else { throw .invalid("data", "must hold strings") }
      data[key] = text
    }
    return data
  }
}
