import Foundation
import MeroHTTP
import MeroWire

/// The auth service's routes for whoever holds a session: keys, clients and their permissions (10 §2.1, §2.4).
enum KeyRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/admin/identity", "service", identity),
    NodeRoute(.get, "/admin/metrics", "service", metrics),
    NodeRoute(.post, "/admin/revoke", "service:keys:delete", body: .raw, revokeClient),
    NodeRoute(.get, "/admin/keys", "service:keys:list", listRootKeys),
    NodeRoute(.post, "/admin/keys", "service:admin", body: .raw, createRootKey),
    NodeRoute(.delete, "/admin/keys/{key_id}", "service:keys:delete", deleteRootKey),
    NodeRoute(.get, "/admin/keys/clients", "service:keys:clients:list", listClientKeys),
    NodeRoute(.post, "/admin/client-key", "service:admin", body: .raw, createClientKey),
    NodeRoute(
      .delete, "/admin/keys/{key_id}/clients/{client_id}", "service:keys:clients:delete", deleteClientKey),
    NodeRoute(.get, "/admin/keys/{key_id}/permissions", "service:keys:permissions:get", permissions),
    NodeRoute(.put, "/admin/keys/{key_id}/permissions", "service:admin", body: .raw, updatePermissions),
  ]

  private static let identity: NodeHandler = { _, _ in
    .service([
      "service": "calimero-auth", "version": "0.11.0", "authentication_mode": "forward",
      "providers": ["user_password"],
    ])
  }

  private static let metrics: NodeHandler = { state, _ in
    .service([
      "token_calls": JSONValue(state.counters.tokenCalls),
      "refresh_calls": JSONValue(state.counters.refreshCalls),
      "keys": JSONValue(state.auth.allKeys.count),
    ])
  }

  // MARK: Root keys

  private static let listRootKeys: NodeHandler = { state, _ in
    .service(
      .array(
        state.auth.allKeys.filter { $0.kind == .root }.map { key in
          [
            "key_id": .string(key.id), "public_key": .string(key.publicKey),
            "auth_method": .string(key.method),
            "created_at": JSONValue(key.createdAt),
            "revoked_at": key.revokedAt.map { JSONValue($0) } ?? .null,
            "permissions": .array(key.permissions.map { .string($0) }),
          ]
        }))
  }

  private static let createRootKey: NodeHandler = { state, exchange in
    let fields = try AuthFields(exchange)
    let publicKey = try fields.filled("public_key")
    let method = try fields.filled("auth_method")
    let known = state.auth.allKeys.first {
      $0.kind == .root && $0.publicKey == publicKey && $0.method == method && $0.revokedAt == nil
    }
    if method == "user_password", let password = fields.object["provider_data"]?["password"]?.stringValue {
      guard (8...128).contains(password.count) else {
        throw NodeRefusal.service(400, "A password has 8 to 128 characters")
      }
      let name = fields.object["provider_data"]?["username"]?.stringValue ?? publicKey
      state.auth.setUser(name, password: password, at: exchange.seconds)
    } else if known == nil {
      _ = state.auth.addKey(
        .root, publicKey: publicKey, method: method, name: publicKey, permissions: ["admin"],
        at: exchange.seconds)
    }
    return .service(["status": true, "message": known == nil ? "Key was created" : "Key was updated"])
  }

  private static let deleteRootKey: NodeHandler = { state, exchange in
    let key = try find(exchange["key_id"], state)
    guard key.kind == .root else { throw NodeRefusal.service(404, "Key not found") }
    let others = state.auth.allKeys.filter {
      $0.kind == .root && $0.id != key.id && $0.isLive(at: exchange.seconds)
    }
    guard !others.isEmpty else {
      return .service(["status": false, "message": "Cannot delete the last active root key"])
    }
    state.auth.revoke(key.id, at: exchange.seconds)
    return .service(["key_id": .string(key.id), "revoked_at": JSONValue(exchange.seconds)])
  }

  // MARK: Client keys

  private static let listClientKeys: NodeHandler = { state, exchange in
    .service(
      .array(
        state.auth.allKeys.compactMap { key in
          guard let root = key.rootKeyId else { return nil }
          return [
            "client_id": .string(key.id), "root_key_id": .string(root), "name": .string(key.name),
            "permissions": .array(key.permissions.map { .string($0) }),
            "created_at": JSONValue(key.createdAt),
            "revoked_at": key.revokedAt.map { JSONValue($0) } ?? .null,
            "is_valid": .bool(key.isLive(at: exchange.seconds)),
          ]
        }))
  }

  private static let createClientKey: NodeHandler = { state, exchange in
    let fields = try AuthFields(exchange)
    let context = try fields.text("context_id").flatMap { $0.isEmpty ? nil : $0 }
    let identity = try fields.text("context_identity").flatMap { $0.isEmpty ? nil : $0 }
    let asked = try fields.texts("permissions")
    let lifetime = try fields.lifetime() ?? NodeAuth.Lifetimes.clientKey
    guard let root = exchange.caller.keyId.flatMap({ state.auth.keys[$0] }) ?? state.auth.allKeys.first else {
      throw NodeRefusal.service(500, "There is no root key")
    }
    let grant = ClientGrant(
      name: try fields.text("application_id") ?? "client", permissions: asked, context: context,
      identity: identity, lifetime: lifetime)
    return AuthRoutes.pair(try state.auth.make(grant, below: root, at: exchange.seconds))
  }

  private static let deleteClientKey: NodeHandler = { state, exchange in
    let key = try find(exchange["client_id"], state)
    guard key.rootKeyId == exchange["key_id"] else { throw NodeRefusal.service(404, "Client key not found") }
    state.auth.revoke(key.id, at: exchange.seconds)
    return .service(["message": "Client key deleted", "revoked_at": JSONValue(exchange.seconds)])
  }

  private static let revokeClient: NodeHandler = { state, exchange in
    let key = try find(try AuthFields(exchange).filled("client_id"), state)
    guard key.kind != .root else { throw NodeRefusal.service(404, "Client key not found") }
    state.auth.revoke(key.id, at: exchange.seconds)
    return .service(["success": true, "message": "Tokens revoked"])
  }

  // MARK: Permissions

  private static let permissions: NodeHandler = { state, exchange in
    answer(try find(exchange["key_id"], state))
  }

  private static let updatePermissions: NodeHandler = { state, exchange in
    let fields = try AuthFields(exchange)
    let key = try find(exchange["key_id"], state)
    let removed = Set(try fields.texts("remove"))
    var kept = key.permissions.filter { !removed.contains($0) }
    for added in try fields.texts("add") where !kept.contains(added) { kept.append(added) }
    guard !kept.isEmpty else { throw NodeRefusal.service(400, "A key keeps at least one permission") }
    state.auth.update(key.id) { $0.permissions = kept }
    return answer(try find(key.id, state))
  }

  private static func answer(_ key: NodeKey) -> NodeAnswer {
    .service(["permissions": .array(key.permissions.map { .string($0) })])
  }

  private static func find(_ id: String, _ state: NodeState) throws(NodeRefusal) -> NodeKey {
    guard let key = state.auth.keys[id] else { throw .service(404, "Key not found") }
    return key
  }
}

extension AuthFields {
  /// How long a client key is to live, in seconds.
  fileprivate func lifetime() throws(NodeRefusal) -> Int64? {
    guard let value = object["ttl_secs"], !value.isNull else { return nil }
    guard let seconds = value.uint64, seconds > 0 else {
      throw NodeRefusal(422, "ttl_secs: must be a positive integer", .serviceField)
    }
    return Int64(clamping: seconds)
  }
}
