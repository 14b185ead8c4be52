import MeroCrypto
import MeroWire

// The checks every operation begins with, in the order of 70 §2.8: credential, suspension, scope, existence, role.

extension ClusterState {
  /// Whose request it is. Throws 401, then 403 for a suspended account, then 403 for a missing scope.
  func caller(_ exchange: Exchange) throws -> Caller {
    guard let token = exchange.bearer else { throw Refusal.unauthenticated }
    let caller = try token.hasPrefix("cmk_") ? holder(ofKey: token, exchange) : holder(of: token, exchange)
    if caller.account.isSuspended { throw Refusal.suspended("account") }
    try requireScopes(of: caller, exchange)
    return caller
  }

  private func holder(of token: String, _ exchange: Exchange) throws -> Caller {
    guard let pair = accessTokens[token] else { throw Refusal.unauthenticated }
    let session = pair.session
    let isUnheardOf = pair.issuedBy != exchange.node && exchange.now < pair.issuedAt + sessionLag
    if isUnheardOf { throw Refusal.unauthenticated }
    if session.isRevoked { throw Refusal.tokenRevoked }
    if exchange.now >= pair.accessExpiresAt { throw Refusal.tokenExpired }
    let minute = exchange.now - exchange.now % 60_000
    if session.lastSeenAt < minute { session.lastSeenAt = minute }
    return Caller(account: session.account, session: session, key: nil, scopes: session.scopes)
  }

  /// The middle of a key is its id; the cluster knows the hash of the whole (70 §2.13).
  private func holder(ofKey token: String, _ exchange: Exchange) throws -> Caller {
    let parts = token.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let key = apiKeys["key_\(parts[1])"],
      ConstantTime.equal(SHA256.hash(Array(token.utf8)), key.secretHash)
    else { throw Refusal.unauthenticated }
    if key.isRevoked { throw Refusal.tokenRevoked }
    if let end = key.expiresAt, exchange.now >= end { throw Refusal.tokenExpired }
    let minute = exchange.now - exchange.now % 60_000
    if (key.lastUsedAt ?? 0) < minute { key.lastUsedAt = minute }
    return Caller(account: key.account, session: nil, key: key, scopes: key.scopes)
  }

  private func requireScopes(of caller: Caller, _ exchange: Exchange) throws {
    guard !caller.scopes.contains("all") else { return }
    let operation = exchange.operation
    if caller.key != nil, !operation.acceptsApiKey {
      if operation.takesConfirmation { throw Refusal.humanRequired }
      throw Refusal.scopeMissing("all")
    }
    let needed = operation.scopes.isEmpty ? Self.scopesNotListed(of: operation) : operation.scopes
    for scope in needed where !caller.scopes.contains(scope) { throw Refusal.scopeMissing(scope) }
  }

  /// What a credential that does not hold `all` needs for an operation that lists no scopes: `all`, except where that says
  /// otherwise (decision 20).
  private static func scopesNotListed(of operation: ServedOperation) -> [String] {
    // What a passkey confirms is the person's own word, whatever the session was granted (70 §2.11).
    if operation.takesConfirmation { return [] }
    switch operation.id {
    // Whose session it is, and the end of it; the second half of what a passkey confirmed.
    case "auth_session_get", "auth_signout", "auth_passkey_finish": return []
    // "Events and presence", as §2.13 has it.
    case "app_presence_set": return ["apps:events"]
    default: return ["all"]
    }
  }

  /// For what takes a passkey in some cases only, in the others: nothing was granted that covers it.
  func requireAllScopes(of caller: Caller) throws {
    guard caller.scopes.contains("all") else { throw Refusal.scopeMissing("all") }
  }

  /// An organization the caller belongs to, with its role there. Throws 404 for strangers.
  func org(_ id: String, for caller: Caller) throws -> (OrgRecord, OrgRole) {
    guard let org = orgs[id], let role = org.role(of: caller.account.id), caller.mayKnow(org: org) else {
      throw Refusal.notFound("organization")
    }
    if org.isSuspended { throw Refusal.suspended("organization") }
    return (org, role)
  }

  /// An app the caller has a role in. Throws 404 for strangers, and 503 when this node has not heard of it.
  func app(_ exchange: Exchange, for caller: Caller) throws -> (AppRecord, AppRole) {
    guard let app = apps[exchange.path["app"] ?? ""], let role = app.role(of: caller.account),
      caller.mayKnow(app: app)
    else {
      throw Refusal.notFound("app")
    }
    guard app.position(at: applied(by: exchange.node)) != nil else {
      throw Refusal(503, "SYNCING", "this node has not received the app yet", retryAfterMs: 250)
    }
    return (app, role)
  }

  /// As ``app(_:for:)``, and throws 403 when the app or its organization is suspended or the role is weaker than `role`.
  func usableApp(_ exchange: Exchange, for caller: Caller, as role: AppRole) throws -> AppRecord {
    try usableApp(exchange, for: caller, as: role) { _ in }.app
  }

  /// The same with something of the app's that the path names. What is not there is not found by whoever has a part in the
  /// app, before the role is looked at (70 §2.8).
  func usableApp<Part>(
    _ exchange: Exchange, for caller: Caller, as role: AppRole, finding part: (AppRecord) throws -> Part
  ) throws -> (app: AppRecord, part: Part) {
    let (app, own) = try app(exchange, for: caller)
    if app.org.isSuspended { throw Refusal.suspended("organization") }
    if app.state == .suspended { throw Refusal.suspended("app") }
    let found = try part(app)
    guard own.strength >= role.strength else {
      throw Refusal.forbidden("do this; it takes a \(role.rawValue)")
    }
    return (app, found)
  }

  /// Throws 409 unless the app is in a state to answer. Views go on while it is upgraded.
  func requireReady(_ app: AppRecord, forView isView: Bool = false) throws {
    if app.state == .ready || (isView && app.state == .upgrading) { return }
    throw Refusal(
      409, "APP_NOT_READY", "the app is \(app.state.rawValue)",
      details: ["state": .string(app.state.rawValue)])
  }

  /// Throws unless the text can be a name: trimmed, no control characters (70 §2.2). Its length the document checks.
  func requireName(_ name: String, field: String = "name") throws {
    guard let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace else {
      throw Refusal.invalidArgument(field, "begins or ends with a space")
    }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Refusal.invalidArgument(field, "has a control character")
    }
  }
}
