import MeroKit
import MeroWire

extension NodeSubcommand {
  static let groups = NodeSubcommand(
    name: "groups", summary: "List namespaces and the groups in them",
    help: """
      usage: mero node groups [OPTIONS]

      One line for each namespace, followed by the groups below it, each deeper one further to the right.
      """
  ) { invocation in
    try invocation.arguments.refusePositional()
    let admin = try invocation.connect().admin
    for namespace in try await admin.allNamespaces() {
      var json: JSONObject = ["groupId": .string(namespace.namespaceId), "isNamespace": true]
      json["name"] = namespace.name.map { .string($0) }
      json["memberCount"] = JSONValue(namespace.memberCount)
      json["contextCount"] = JSONValue(namespace.contextCount)
      invocation.report(
        "\(namespace.namespaceId)  \(namespace.name ?? "-")  members \(namespace.memberCount), "
          + "contexts \(namespace.contextCount)", json)
      var tree = GroupTree(invocation: invocation, admin: admin)
      let groups = try await admin.listNamespaceGroups(namespace.namespaceId)
      try await tree.report(groups, below: namespace.namespaceId, depth: 1)
    }
    return ExitCode.success
  }
}

/// Walks the groups of a namespace.
private struct GroupTree {
  let invocation: NodeInvocation
  let admin: AdminApi
  private var seen: Set<String> = []

  init(invocation: NodeInvocation, admin: AdminApi) {
    self.invocation = invocation
    self.admin = admin
  }

  mutating func report(_ groups: [SubgroupEntry], below parent: String, depth: Int) async throws {
    // A group that is moved while the tree is walked may be met again.
    for group in groups where seen.insert(group.groupId).inserted {
      var json: JSONObject = [
        "groupId": .string(group.groupId), "isNamespace": false, "parentId": .string(parent),
      ]
      json["name"] = group.name.map { .string($0) }
      let indent = String(repeating: "  ", count: depth)
      invocation.report("\(indent)\(group.groupId)  \(group.name ?? "-")", json)
      try await report(try await admin.listSubgroups(group.groupId), below: group.groupId, depth: depth + 1)
    }
  }
}
