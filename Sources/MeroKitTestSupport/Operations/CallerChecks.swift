import MeroWire

// The checks every operation begins with, in the order of 70 §2.8: credential, suspension, scope, existence, role.

extension ClusterState {
  /// Whose request it is. Throws 401, then 403 for a suspended account, then 403 for a missing scope.
  func caller(_ exchange: Exchange) throws -> Caller {
    guard let token = exchange.bearer, let pair = accessTokens[token] else { throw Refusal.unauthenticated }
    let session = pair.session
    let isUnheardOf = pair.issuedBy != exchange.node && exchange.now < pair.issuedAt + sessionLag
    if isUnheardOf { throw Refusal.unauthenticated }
    if session.isRevoked { throw Refusal.tokenRevoked }
    if exchange.now >= pair.accessExpiresAt { throw Refusal.tokenExpired }
    if session.account.isSuspended { throw Refusal.suspended("account") }
    if session.kind == .consent {
      for scope in exchange.operation.scopes where !session.scopes.contains(scope) {
        throw Refusal(
          403, "SCOPE_MISSING", "the session lacks the scope \(scope)", details: ["scope": .string(scope)])
      }
    }
    session.lastSeenAt = exchange.now
    return Caller(account: session.account, session: session, scopes: session.scopes)
  }

  /// An organization the caller belongs to, with its role there. Throws 404 for strangers.
  func org(_ id: String, for caller: Caller) throws -> (OrgRecord, OrgRole) {
    guard let org = orgs[id], let role = org.role(of: caller.account.id) else {
      throw Refusal.notFound("organization")
    }
    if org.isSuspended { throw Refusal.suspended("organization") }
    return (org, role)
  }

  /// An app the caller has a role in. Throws 404 for strangers, and 503 when this node has not heard of it.
  func app(_ exchange: Exchange, for caller: Caller) throws -> (AppRecord, AppRole) {
    guard let app = apps[exchange.path["app"] ?? ""], let role = app.role(of: caller.account) else {
      throw Refusal.notFound("app")
    }
    guard app.position(at: applied(by: exchange.node)) != nil else {
      throw Refusal(503, "SYNCING", "this node has not received the app yet", retryAfterMs: 250)
    }
    return (app, role)
  }

  /// As ``app(_:for:)``, and throws 403 when the app or its organization is suspended or the role is weaker than `role`.
  func usableApp(_ exchange: Exchange, for caller: Caller, as role: AppRole) throws -> AppRecord {
    let (app, own) = try app(exchange, for: caller)
    if app.org.isSuspended { throw Refusal.suspended("organization") }
    if app.state == .suspended { throw Refusal.suspended("app") }
    guard own.strength >= role.strength else {
      throw Refusal.forbidden("do this; it takes a \(role.rawValue)")
    }
    return app
  }

  /// Throws 409 unless the app is in a state to answer. Views go on while it is upgraded.
  func requireReady(_ app: AppRecord, forView isView: Bool = false) throws {
    if app.state == .ready || (isView && app.state == .upgrading) { return }
    throw Refusal(
      409, "APP_NOT_READY", "the app is \(app.state.rawValue)",
      details: ["state": .string(app.state.rawValue)])
  }

  /// Throws unless the text can be a name: trimmed, no control characters (70 §2.2). Its length the document checks.
  func requireName(_ name: String) throws {
    guard let first = name.first, let last = name.last, !first.isWhitespace, !last.isWhitespace else {
      throw Refusal.invalidArgument("name", "begins or ends with a space")
    }
    guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw Refusal.invalidArgument("name", "has a control character")
    }
  }
}
