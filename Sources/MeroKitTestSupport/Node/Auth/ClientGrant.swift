/// What a client key is made for: a part of what the key above it may do (10 §2.4).
struct ClientGrant: Sendable {
  var name: String
  var permissions: [String]
  var context: String?
  var identity: String?
  /// Seconds.
  var lifetime = NodeAuth.Lifetimes.clientKey
}

extension NodeAuth {
  /// Makes a client key below a root key, and its first tokens.
  mutating func make(_ grant: ClientGrant, below root: NodeKey, at now: Int64) throws(NodeRefusal) -> Pair {
    let held = root.permissions.map(NodePermission.init)
    for permission in grant.permissions.map(NodePermission.init) {
      guard permission.words.first != "keys", permission.words != ["admin"] || grant.context == nil else {
        throw NodeRefusal.service(400, "Permission cannot be granted to a client key")
      }
      guard held.contains(where: { $0.covers(permission) }) else {
        throw NodeRefusal.service(400, "Root key does not have permission \(permission.text)")
      }
    }
    var permissions = grant.permissions
    if let context = grant.context, let identity = grant.identity {
      permissions.append("context[\(context),\(identity)]")
    }
    let key = addKey(
      .client(of: root.rootKeyId ?? root.id), publicKey: root.publicKey, method: root.method,
      name: grant.name, permissions: permissions, at: now,
      expiresAt: now.addingReportingOverflow(grant.lifetime).partialValue, contextId: grant.context,
      subject: root.subject)
    return mint(for: key, at: now)
  }
}
