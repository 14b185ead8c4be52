import Foundation
import MeroHTTP
import MeroWire

/// The auth service's routes that need no session (10 §2.1 to §2.3).
enum AuthRoutes {
  static let rows: [NodeRoute] = [
    NodeRoute(.get, "/auth/health", "public", health),
    NodeRoute(.get, "/auth/providers", "public", providers),
    NodeRoute(.post, "/auth/token", "public", body: .raw, token),
    NodeRoute(.post, "/auth/refresh", "public", body: .raw, refresh),
    NodeRoute(.get, "/auth/validate", "public", validate),
    NodeRoute(.head, "/auth/validate", "public", validate),
    NodeRoute(.post, "/auth/validate", "public", validate),
    NodeRoute(.post, "/auth/logout", "public", body: .raw, logout),
    NodeRoute(.post, "/auth/mock-token", "public", body: .raw, mockToken),
  ]

  private static let health: NodeHandler = { state, exchange in
    .service([
      "status": .string(state.system.isStoreAvailable ? "alive" : "not_alive"),
      "storage": .bool(state.system.isStoreAvailable),
      "uptime_seconds": JSONValue(exchange.seconds - state.system.startedAt),
    ])
  }

  private static let providers: NodeHandler = { state, _ in
    func provider(_ name: String, _ type: String, _ description: String) -> JSONValue {
      [
        "name": .string(name), "type": .string(type), "description": .string(description),
        "configured": true, "config": [:],
      ]
    }
    var all = [provider("user_password", "credentials", "Authenticates users with a password")]
    if state.relay != nil {
      all.append(provider("account_proof", "signature", "Authenticates devices of accounts"))
    }
    return .service(["providers": .array(all), "count": JSONValue(all.count)])
  }

  private static let token: NodeHandler = { state, exchange in
    state.counters.tokenCalls += 1
    let fields = try AuthFields(exchange)
    let method = try fields.filled("auth_method")
    let publicKey = try fields.filled("public_key")
    let client = try fields.filled("client_name")
    let door = LoginThrottle.Door(method: method, publicKey: publicKey)
    let data = fields.object["provider_data"] ?? [:]
    let key = try state.logIn(at: door, now: exchange.seconds) { state throws(NodeRefusal) in
      if method == "account_proof" { return try AccountLogin.key(fields, &state, exchange) }
      guard method == "user_password" else {
        throw .service(401, "Authentication failed: no provider for \(method)")
      }
      guard let name = data["username"]?.stringValue, let password = data["password"]?.stringValue else {
        throw .service(401, "Authentication failed: invalid credentials")
      }
      return try state.key(of: name, password: password, at: exchange.seconds)
    }
    return pair(state.auth.mint(for: key, at: exchange.seconds, nodeURL: host(in: client)))
  }

  /// The host a client that names itself by a URL is bound to.
  private static func host(in client: String) -> String? {
    guard client.hasPrefix("http://") || client.hasPrefix("https://") else { return nil }
    return URL(string: client)?.host
  }

  private static let refresh: NodeHandler = { state, exchange in
    state.counters.refreshCalls += 1
    let fields = try AuthFields(exchange)
    let now = exchange.seconds
    guard let access = state.auth.claims(of: try fields.filled("access_token"), .access),
      !state.auth.isForgotten(access)
    else {
      throw NodeRefusal.service(401, "Invalid access token")
    }
    guard state.auth.isExpired(access, at: now) else {
      throw NodeRefusal.service(401, "Access token still valid")
    }
    guard let refresh = state.auth.claims(of: try fields.filled("refresh_token"), .refresh),
      refresh.expiresAt + NodeClaims.leeway >= now
    else { throw NodeRefusal.service(401, "Invalid refresh token") }
    guard refresh.subject == access.subject, refresh.keyId == access.keyId else {
      throw NodeRefusal.service(401, "Access and refresh token belong to different subjects")
    }
    if let bound = refresh.nodeURL, bound != exchange.host {
      throw NodeRefusal.service(403, "Token is not valid for this node", authError: "invalid_node")
    }
    return try renew(refresh, &state, at: now)
  }

  private static func renew(
    _ claims: NodeClaims, _ state: inout NodeState, at now: Int64
  ) throws(NodeRefusal) -> NodeAnswer {
    let key = state.auth.keys[claims.keyId]
    guard state.auth.consume(claims) else {
      // The owner would be locked out if a replay revoked the root key; an app is let in again by the owner.
      if let key, key.kind != .root { state.auth.revoke(key.id, at: now) }
      throw .service(401, "Refresh token was used before", authError: "token_reuse")
    }
    guard let key, key.isLive(at: now) else {
      throw .service(500, "Failed to refresh token: the key is not valid")
    }
    let family = state.auth.family(of: claims)
    return pair(state.auth.mint(for: key, at: now, family: family, nodeURL: claims.nodeURL))
  }

  private static let validate: NodeHandler = { state, exchange in
    let caller = try NodeGuard.caller(
      NodeGuard.Request(
        bearer: exchange.bearer, host: exchange.host, parameters: [:], now: exchange.seconds), state)
    return .service(
      "",
      headers: [
        "x-auth-user": caller.subject ?? "",
        "x-auth-permissions": caller.permissions.map(\.text).joined(separator: ","),
      ])
  }

  private static let logout: NodeHandler = { state, exchange in
    let fields = try AuthFields(exchange)
    if let unknown = fields.object.keys.first(where: { $0 != "refresh_token" }) {
      throw NodeRefusal(400, "unknown field `\(unknown)`, expected `refresh_token`", .serviceField)
    }
    guard let claims = state.auth.claims(of: try fields.filled("refresh_token"), .refresh) else {
      throw NodeRefusal.service(401, "Invalid refresh token")
    }
    state.counters.logoutCalls += 1
    if let family = state.auth.family(of: claims) { state.auth.revokeFamily(family) }
    if let key = state.auth.keys[claims.keyId], key.kind != .root {
      state.auth.revoke(key.id, at: exchange.seconds)
    }
    return .service(["success": true])
  }

  private static let mockToken: NodeHandler = { state, exchange in
    guard state.auth.servesMockTokens else { throw NodeRefusal(404, "", .none) }
    let fields = try AuthFields(exchange)
    let name = try fields.filled("client_name")
    let permissions = fields.object["permissions"]?.arrayValue?.compactMap(\.stringValue) ?? ["admin"]
    var lifetimes = NodeAuth.Lifetimes.root
    lifetimes.access = fields.object["access_token_expiry"]?.int64 ?? lifetimes.access
    lifetimes.refresh = fields.object["refresh_token_expiry"]?.int64 ?? lifetimes.refresh
    let key = state.auth.addKey(
      .root, publicKey: "mock:\(name)", method: "mock", name: name, permissions: permissions,
      at: exchange.seconds)
    let url = fields.object["node_url"]?.stringValue
    return pair(
      state.auth.mint(
        for: key, at: exchange.seconds, nodeURL: url.flatMap { URL(string: $0)?.host }, lifetimes: lifetimes))
  }

  static func pair(_ pair: NodeAuth.Pair) -> NodeAnswer {
    .service([
      "access_token": .string(pair.access), "refresh_token": .string(pair.refresh), "error": .null,
    ])
  }
}

/// The JSON of a request to the auth service, with its refusals: 400 for bad JSON, 422 for a field that fails.
struct AuthFields {
  let object: JSONObject

  init(_ exchange: NodeExchange) throws(NodeRefusal) {
    guard NodeBodyReader.isJSON(exchange.headers), let json = try? JSONValue(parsing: exchange.body),
      let object = json.objectValue
    else { throw NodeRefusal(400, "Invalid JSON", .serviceField) }
    self.object = object
  }

  /// A text that is not empty.
  func filled(_ name: String) throws(NodeRefusal) -> String {
    guard let text = object[name]?.stringValue, !text.isEmpty else {
      throw NodeRefusal(422, "\(name): must not be empty", .serviceField)
    }
    return text
  }

  func text(_ name: String) throws(NodeRefusal) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw NodeRefusal(422, "\(name): must be a string", .serviceField)
    }
    return text
  }

  func texts(_ name: String) throws(NodeRefusal) -> [String] {
    guard let value = object[name], !value.isNull else { return [] }
    guard let list = value.arrayValue?.map(\.stringValue), !list.contains(nil) else {
      throw NodeRefusal(422, "\(name): must be an array of strings", .serviceField)
    }
    return list.compactMap { $0 }
  }
}

extension NodeExchange {
  /// The token in the authorization header.
  var bearer: String? { Self.bearer(in: headers) }

  static func bearer(in headers: HTTPHeaders) -> String? {
    guard let header = headers["authorization"], header.lowercased().hasPrefix("bearer ") else { return nil }
    let token = header.dropFirst("bearer ".count).trimmingCharacters(in: .whitespaces)
    return token.isEmpty ? nil : token
  }
}
