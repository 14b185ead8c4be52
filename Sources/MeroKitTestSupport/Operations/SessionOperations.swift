import MeroWire

// Sessions: two opaque tokens, a rotation with ten seconds of grace, sign-out (70 §2.9).

extension ClusterState {
  static let sessionHandlers: [String: Handler] = [
    "auth_refresh": { state, _, x in try state.refresh(x) },
    "auth_signout": { state, _, x in try state.signOut(x) },
    "auth_session_get": { state, _, x in try state.whoAmI(x) },
    "auth_session_list": { state, _, x in try state.listSessions(x) },
    "auth_session_revoke": { state, _, x in try state.revokeSession(x) },
  ]

  /// How long a session that is over, or a key that was revoked, is told from one that never was.
  private static let afterlife: Int64 = 30 * 86_400_000
  /// How often is looked for what nobody needs any more.
  private static let tidying: Int64 = 3_600_000

  func openSession(
    for account: AccountRecord, kind: SessionRecord.Kind, scopes: [String], apps: [String] = [],
    label: String?,
    _ x: Exchange
  ) -> TokenPair {
    let session = SessionRecord(
      id: ids.id("ses", at: x.now), account: account, kind: kind, scopes: scopes, apps: apps,
      label: label, createdAt: x.now)
    sessions.insert(session)
    return issue(for: session, x)
  }

  /// A session as it is answered, with the spans counted from now.
  func session(_ pair: TokenPair, at now: Int64) -> JSONValue {
    let session = pair.session
    return [
      "sessionId": .string(session.id), "accountId": .string(session.account.id),
      "name": .string(session.account.name), "kind": .string(session.kind.rawValue),
      "accessToken": .string(pair.access), "accessExpiresAt": JSONValue(pair.accessExpiresAt),
      "accessExpiresInMs": JSONValue(max(0, pair.accessExpiresAt - now)),
      "refreshToken": .string(pair.refresh),
      "refreshExpiresAt": JSONValue(pair.refreshExpiresAt),
      "scopes": .array(session.scopes.map { .string($0) }), "clusterId": .string(Hex.encode(clusterId)),
    ]
  }

  /// Ends a session at every node, with its streams.
  func revoke(_ session: SessionRecord) {
    session.isRevoked = true
    endStreams(.ended) { $0.credential == session.id }
    for app in apps.values { removePresence(in: app) { $0.session == session.id } }
  }

  private func issue(for session: SessionRecord, _ x: Exchange) -> TokenPair {
    forgetOldCredentials(at: x.now)
    let pair = TokenPair(
      session: session, access: ids.token("cms_"), refresh: ids.token("cmr_"), issuedAt: x.now,
      issuedBy: x.node)
    accessTokens[pair.access] = pair
    tokens.insert(pair)
    session.pair = pair
    return pair
  }

  /// Drops what tells nobody anything any more: a refresh token that was traded, once it would be over anyway, and
  /// sessions and keys that ended long ago.
  private func forgetOldCredentials(at now: Int64) {
    guard now >= credentialsTidiedAt + Self.tidying else { return }
    credentialsTidiedAt = now
    var gone: Set<String> = []
    for session in Array(sessions.values) {
      guard let pair = session.pair, now >= pair.refreshExpiresAt + Self.afterlife else { continue }
      gone.insert(session.id)
      sessions.remove(session.id)
      // They hold each other.
      session.pair = nil
      for grant in grants.values where grant.sessions.contains(session.id) {
        grant.forget(session)
      }
    }
    for pair in Array(tokens.values) where gone.contains(pair.session.id) || pair.isForgettable(at: now) {
      accessTokens[pair.access] = nil
      tokens.remove(pair.id)
      // Each holds the next: nothing is to hold them all.
      pair.successor = nil
    }
    for key in Array(apiKeys.values) {
      if let revokedAt = key.revokedAt, now >= revokedAt + Self.afterlife { apiKeys.remove(key.id) }
    }
  }

  private func refresh(_ x: Exchange) throws -> Outcome {
    let token = try x.fields()["refreshToken"]?.stringValue ?? ""
    guard let pair = tokens[token] else { throw Refusal.unauthenticated }
    let session = pair.session
    if session.isRevoked { throw Refusal.tokenRevoked }
    if let successor = pair.successor {
      guard x.now <= successor.issuedAt + TokenPair.reuseGrace else {
        revoke(session)
        throw Refusal(
          401, "REFRESH_REUSED", "the refresh token was presented twice; the session is revoked")
      }
      return .answer(200, self.session(successor, at: x.now))
    }
    if x.now >= pair.refreshExpiresAt { throw Refusal.tokenExpired }
    let successor = issue(for: session, x)
    pair.successor = successor
    return .answer(200, self.session(successor, at: x.now))
  }

  private func signOut(_ x: Exchange) throws -> Outcome {
    // The document lets no key come here.
    if let session = try caller(x).session { revoke(session) }
    return .answer(204, nil)
  }

  private func listSessions(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    let open = sessions.values.filter {
      $0.account === caller.account && !$0.isRevoked && x.now < $0.pair?.refreshExpiresAt ?? 0
    }
    return try list("sessions", open, x, for: caller, by: \.id, isBefore: >) { session in
      var answer: JSONObject = [
        "sessionId": .string(session.id), "kind": .string(session.kind.rawValue),
        "createdAt": JSONValue(session.createdAt), "lastSeenAt": JSONValue(session.lastSeenAt),
        "expiresAt": JSONValue(session.pair?.refreshExpiresAt ?? 0),
        "current": .bool(session === caller.session),
        "scopes": .array(session.scopes.map { .string($0) }),
      ]
      answer["label"] = session.label.map { .string($0) }
      return .object(answer)
    }
  }

  /// Ending a session that is over already succeeds, so that a repeat does.
  private func revokeSession(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    guard let session = sessions[x.path["session"] ?? ""], session.account === caller.account else {
      throw Refusal.notFound("session")
    }
    _ = try x.fields()
    revoke(session)
    return .answer(204, nil)
  }

  private func whoAmI(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    var answer: JSONObject = [
      "accountId": .string(caller.account.id), "name": .string(caller.account.name),
      "kind": caller.key == nil ? "session" : "apiKey",
    ]
    answer["sessionId"] = caller.session.map { .string($0.id) }
    answer["keyId"] = caller.key.map { .string($0.id) }
    answer["scopes"] = .array(caller.scopes.map { .string($0) })
    answer["operator"] = .bool(isOperator(caller.account))
    answer["deployer"] = .bool(isDeployer(caller.account))
    return .answer(200, .object(answer))
  }
}
