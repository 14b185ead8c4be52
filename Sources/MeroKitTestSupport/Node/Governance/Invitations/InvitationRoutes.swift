import MeroWire

/// Invitations, and joins on them (20 §5.5, §5.9, §6.7).
enum InvitationRoutes {
  private static let request = ["expirationTimestamp", "recursive", "admitters", "admitterAddrs"]

  static let rows: [NodeRoute] = [
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/invite", "token:namespace:manage[{namespace_id}]",
      body: .strict(request)
    ) { state, exchange in
      try state.invite(to: try state.rootTree(exchange["namespace_id"]).id, exchange)
    },
    NodeRoute(
      .post, "/admin-api/groups/{group_id}/invite", "token:group:manage[{group_id}]", body: .strict(request)
    ) { state, exchange in
      try state.invite(to: exchange["group_id"], exchange)
    },
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/join", "token:namespace:manage[{namespace_id}]",
      body: .strict(["invitation", "groupName"])
    ) { state, exchange in
      let invitation = try GroupInvitation(try exchange.fields.required("invitation"))
      guard invitation.groupId == exchange["namespace_id"] else {
        throw NodeRefusal(400, "invalid invitation: its group_id does not match namespace_id")
      }
      return try state.join(invitation, named: state.isOld ? "groupId" : "namespaceId", exchange)
    },
    NodeRoute(
      .post, "/admin-api/groups/join", "token:group:manage", body: .strict(["invitation", "groupName"])
    ) { state, exchange in
      let invitation = try GroupInvitation(try exchange.fields.required("invitation"))
      return try state.join(invitation, named: "groupId", exchange)
    },
    NodeRoute(
      .post, "/admin-api/namespaces/{namespace_id}/admit", "token:unknown",
      body: .strict(["invitation", "signedOp"]), admit),
  ]

  /// For a joiner without a node: carries its signed join.
  private static let admit: NodeHandler = { state, exchange in
    let id = exchange["namespace_id"]
    let invitation = try GroupInvitation(try exchange.fields.required("invitation"))
    let op = try SignedJoin(try exchange.fields.hex("signedOp", count: 1...65_536))
    guard op.namespace == id else { throw NodeRefusal(400, "the op is a join of another namespace") }
    guard op.invitation.groupId == invitation.groupId, op.invitation.body == invitation.body else {
      throw NodeRefusal(400, "the op carries another invitation")
    }
    let home = try state.governance.home(of: invitation.groupId)
    guard home.id == id else { throw NodeRefusal(400, "the invitation is to another namespace") }
    let identity = state.governance.identity
    guard invitation.admitters.isEmpty || invitation.admitters.contains(identity.account) else {
      throw NodeRefusal(403, "this node is not one of the invitation's admitters")
    }
    guard !home.log.tree.liveDevices(of: identity.account).isEmpty else {
      throw NodeRefusal(409, "the node has no device to endorse with")
    }
    let claim = JoinClaim(invitation: op.invitation, device: op.credential.bound, joinedAt: exchange.seconds)
    do throws(NodeRefusal) {
      try state.governance.write(
        .memberJoined(claim), in: invitation.groupId, by: claim.device.account, at: exchange.milliseconds)
    } catch { throw NodeRefusal(403, "invitation rejected: \(error.message)") }
    state.settle(at: exchange.now)
    return state.enveloped(["published": true])
  }
}

extension NodeState {
  /// Mints an invitation, or one for every group of the tree that the inviter may invite to.
  fileprivate func invite(to group: String, _ exchange: NodeExchange) throws(NodeRefusal) -> NodeAnswer {
    let tree = try governance.tree(around: group)
    let asked = try exchange.fields.optionalInteger("expirationTimestamp", UInt64.self)
    guard asked != 0 else { throw .invalid("expirationTimestamp", "must be positive") }
    let seconds = min(asked ?? GroupInvitation.longestValidity, GroupInvitation.longestValidity)
    let admitters = try exchange.fields.ids("admitters") ?? []
    let addresses = try exchange.fields.strings("admitterAddrs")
    let author = account(of: exchange.caller)

    func mint(_ id: String) throws(NodeRefusal) -> JSONObject {
      let record = try tree.record(id)
      var invitation = GroupInvitation(
        inviterKey: governance.identity.key, groupId: id, expiresAt: exchange.seconds + Int64(seconds),
        salt: random.bytes(32), role: .member,
        admitters: Set(admitters.isEmpty ? tree.admitters(of: id) : admitters).sorted())
      invitation.inviterAccount = author
      invitation.admitterAddresses =
        addresses ?? ["/dns4/\(exchange.host)/tcp/2428/p2p/\(governance.identity.key)"]
      invitation.applicationId = try? Hex.decode(record.target.applicationId)
      invitation.appKey = try? Hex.decode(record.target.appKey)
      let secrets = governance.secrets
      NodeSecrets.made { try invitation.sign(with: secrets.signing) }
      var entry: JSONObject = ["invitation": invitation.json]
      entry["groupName"] = record.metadata?.name.map { .string($0) }
      return entry
    }

    if try exchange.fields.optionalBool("recursive") ?? false {
      try tree.checkInvitation(as: .member, to: group, by: author)
      var entries: [JSONValue] = []
      for id in tree.subtree(of: group)
      where (try? tree.checkInvitation(as: .member, to: id, by: author)) != nil {
        var entry = try mint(id)
        entry["groupId"] = .string(id)
        entries.append(.object(entry))
      }
      return .data(["invitations": .array(entries)])
    }
    try tree.checkInvitation(as: .member, to: group, by: author)
    return .data(.object(try mint(group)))
  }
}

extension NamespaceTree {
  /// Who admits claims where an invitation names nobody: the admins and the attested nodes.
  fileprivate func admitters(of group: String) -> [String] {
    members(of: group).filter { account in
      isAdmin(account, of: group) || role(of: account, in: group)?.isTee == true
        || grantOfAuthorship(to: account, for: group) != nil
    }
  }
}
