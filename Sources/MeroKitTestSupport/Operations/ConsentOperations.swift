import MeroCrypto
import MeroWire

// Signing in an app that has no passkey of the cluster's, through the consent page (70 §2.14).

extension ClusterState {
  static let consentHandlers: [String: Handler] = [
    "consent_request_create": { state, _, x in try state.createConsent(x) },
    "consent_request_get": { state, _, x in try state.getConsent(x) },
    "consent_approve": { state, _, x in try state.approveConsent(x) },
    "consent_deny": { state, _, x in try state.denyConsent(x) },
    "consent_token": { state, _, x in try state.exchangeConsent(x) },
    "consent_grant_list": { state, _, x in try state.listGrants(x) },
    "consent_grant_revoke": { state, _, x in try state.revokeGrant(x) },
  ]

  private static let consentLifetime: Int64 = 10 * 60_000
  private static let codeLifetime: Int64 = 60_000

  /// Where answers about a package may go.
  func redirectUris(of package: String, at now: Int64) -> [String] {
    deployedRedirectUris(of: package, at: now) ?? redirectUriLists[package] ?? []
  }

  // MARK: The app

  private func createConsent(_ x: Exchange) throws -> Outcome {
    if let package = x.peek("package"), packages[package] == nil, deployment(of: package) == nil {
      throw Refusal.notFound("package")
    }
    let fields = try x.fields()
    let package = fields["package"]?.stringValue ?? ""
    let scopes = fields.texts("scopes")
    for scope in scopes where scope == "all" || !document.scopes.contains(scope) {
      throw Refusal.invalidArgument("scopes", "asks for \(scope), which cannot be granted")
    }
    let redirectUri = fields["redirectUri"]?.stringValue ?? ""
    guard RedirectRule.allows(redirectUri, by: redirectUris(of: package, at: x.now)) else {
      throw Refusal.invalidArgument("redirectUri", "is not among those of the package's deployment")
    }
    let challenge = fields["codeChallenge"]?.stringValue ?? ""
    guard (try? Base64URL.decode(challenge))?.count == 32 else {
      throw Refusal.invalidArgument("codeChallenge", "is not a SHA-256 in base64url")
    }
    if consents.count > 1000 { consents = consents.filter { x.now < $0.value.expiresAt } }
    let request = ConsentRecord(
      id: ids.id("crq", at: x.now), package: package, scopes: scopes, apps: fields.texts("apps"),
      redirectUri: redirectUri, state: fields["state"]?.stringValue ?? "", codeChallenge: challenge,
      label: fields["label"]?.stringValue, expiresAt: x.now + Self.consentLifetime)
    consents[request.id] = request
    return .answer(
      201,
      [
        "requestId": .string(request.id), "url": .string("\(consentOrigin)/consent?request=\(request.id)"),
        "expiresAt": JSONValue(request.expiresAt),
      ])
  }

  private func exchangeConsent(_ x: Exchange) throws -> Outcome {
    let fields = try x.fields()
    guard let request = consents[fields["requestId"]?.stringValue ?? ""] else {
      throw Refusal.notFound("consent request")
    }
    let code = fields["code"]?.stringValue ?? ""
    guard case .approved(let approval)? = request.answer,
      ConstantTime.equal(Array(code.utf8), Array(approval.code.utf8))
    else { throw Refusal(401, "UNAUTHENTICATED", "the code is not the one of this request") }
    guard x.now < approval.codeExpiresAt else { throw Refusal.consentExpired }
    if case .failed? = approval.exchange { throw Refusal.consentExpired }
    let verifier = fields["codeVerifier"]?.stringValue ?? ""
    let challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
    guard ConstantTime.equal(Array(challenge.utf8), Array(request.codeChallenge.utf8)) else {
      if approval.exchange == nil { approval.exchange = .failed }
      throw Refusal(401, "UNAUTHENTICATED", "the verifier is not the one the request was made with")
    }
    // The same exchange again, by an app that did not get the answer.
    if case .session(let pair)? = approval.exchange { return .answer(200, session(pair, at: x.now)) }
    let grant = approval.grant
    guard grants[grant.id] != nil else { throw Refusal.consentExpired }
    let pair = openSession(
      for: grant.account, kind: .consent, scopes: grant.scopes, apps: grant.apps, label: request.label, x)
    grant.sessions.append(pair.session.id)
    approval.exchange = .session(pair)
    return .answer(200, session(pair, at: x.now))
  }

  // MARK: The person

  private func getConsent(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let request = try consent(x, for: caller)
    _ = try x.fields()
    guard x.now < request.expiresAt else { throw Refusal.consentExpired }
    return .answer(200, describe(request, at: x.now))
  }

  private func approveConsent(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let request = try consent(x, for: caller)
    let fields = try x.fields()
    let scopes = fields.texts("scopes")
    let apps = fields["apps"] == nil ? request.apps : fields.texts("apps")
    try requireGrantable(scopes, apps, of: request, by: caller.account)
    try requireOpen(request, at: x.now)
    try requireConfirmation(x, by: caller)
    let address = approve(request, scopes: scopes, apps: apps, by: caller.account, at: x.now)
    return .answer(200, ["redirectUrl": .string(address)])
  }

  private func denyConsent(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let request = try consent(x, for: caller)
    _ = try x.fields()
    if case .denied? = request.answer {} else { try requireOpen(request, at: x.now) }
    return .answer(200, ["redirectUrl": .string(deny(request, by: caller.account))])
  }

  /// Throws unless this may be granted: something, and at most what was asked for.
  func requireGrantable(
    _ scopes: [String], _ apps: [String], of request: ConsentRecord, by account: AccountRecord
  ) throws {
    guard !scopes.isEmpty, Set(scopes).isSubset(of: request.scopes) else {
      throw Refusal.invalidArgument("scopes", "is not a part of what was asked for")
    }
    // What was asked for without an account may be of apps that this one has no part in; they grant nothing.
    let isChoice = request.apps.isEmpty
    let isPart =
      isChoice
      ? apps.allSatisfy { self.apps[$0]?.role(of: account) != nil } : Set(apps).isSubset(of: request.apps)
    guard isPart, isChoice || !apps.isEmpty else {
      throw Refusal.invalidArgument("apps", "is not a part of what was asked for")
    }
  }

  func requireOpen(_ request: ConsentRecord, at now: Int64) throws {
    guard request.state(at: now) == "open" else { throw Refusal.consentExpired }
  }

  /// The person says yes; answers where the browser goes.
  func approve(
    _ request: ConsentRecord, scopes: [String], apps: [String], by account: AccountRecord, at now: Int64
  ) -> String {
    let grant = GrantRecord(
      id: ids.id("grt", at: now), account: account, package: request.package,
      scopes: request.scopes.filter(scopes.contains), apps: apps, createdAt: now)
    grants.insert(grant)
    let approval = ConsentApproval(
      grant: grant, code: Base64URL.encode(ids.bytes(32)), codeExpiresAt: now + Self.codeLifetime)
    request.answer = .approved(approval)
    return RedirectRule.address(
      request.redirectUri, adding: [("code", approval.code), ("state", request.state)])
  }

  /// The person says no; answers where the browser goes.
  func deny(_ request: ConsentRecord, by account: AccountRecord?) -> String {
    request.answer = .denied(account)
    return RedirectRule.address(
      request.redirectUri, adding: [("error", "access_denied"), ("state", request.state)])
  }

  /// A request as the account may see it: one that somebody else has answered is none of its business.
  private func consent(_ x: Exchange, for caller: Caller) throws -> ConsentRecord {
    guard let request = consents[x.path["request"] ?? ""] else { throw Refusal.notFound("consent request") }
    let answeredBy: AccountRecord?
    switch request.answer {
    case .approved(let approval)?: answeredBy = approval.grant.account
    case .denied(let account)?: answeredBy = account
    case nil: answeredBy = nil
    }
    if let answeredBy, answeredBy !== caller.account { throw Refusal.notFound("consent request") }
    return request
  }

  private func describe(_ request: ConsentRecord, at now: Int64) -> JSONValue {
    var json: JSONObject = [
      "requestId": .string(request.id), "package": .string(request.package),
      "scopes": .array(request.scopes.map { .string($0) }), "apps": .array(request.apps.map { .string($0) }),
      "state": .string(request.state(at: now)), "redirectUri": .string(request.redirectUri),
      "expiresAt": JSONValue(request.expiresAt),
    ]
    json["packageName"] = displayName(of: request.package).map { .string($0) }
    json["publisher"] = publisherName(of: request.package).map { .string($0) }
    return .object(json)
  }

  // MARK: Grants

  private func listGrants(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    let own = grants.values.filter { $0.account === caller.account }
    return try list("grants", own, x, for: caller, by: \.id, isBefore: >, describe)
  }

  private func revokeGrant(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    guard let grant = grants[x.path["grant"] ?? ""], grant.account === caller.account else {
      throw Refusal.notFound("grant")
    }
    _ = try x.fields()
    for id in grant.sessions { sessions[id].map(revoke) }
    grants.remove(grant.id)
    return .answer(204, nil)
  }

  private func describe(_ grant: GrantRecord) -> JSONValue {
    var json: JSONObject = [
      "grantId": .string(grant.id), "package": .string(grant.package),
      "scopes": .array(grant.scopes.map { .string($0) }), "apps": .array(grant.apps.map { .string($0) }),
      "createdAt": JSONValue(grant.createdAt),
    ]
    json["packageName"] = displayName(of: grant.package).map { .string($0) }
    let seen = grant.sessions.compactMap { sessions[$0]?.lastSeenAt } + [grant.lastUsedAt].compactMap { $0 }
    json["lastUsedAt"] = seen.max().map { JSONValue($0) }
    return .object(json)
  }
}

extension Refusal {
  static let consentExpired = Refusal(
    410, "CONSENT_EXPIRED", "the consent request or its code is over or was used")
}
