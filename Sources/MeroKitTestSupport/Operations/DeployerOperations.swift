import MeroWire

// Organizations that apply to deploy, and those that may (70 §2.21).

extension ClusterState {
  static let deployerHandlers: [String: Handler] = [
    "signup_create": { state, _, x in try state.applyToDeploy(x) },
    "signup_get": { state, _, x in try state.getSignup(x) },
    "deployer_list": { state, _, x in try state.listDeployers(x) },
    "deployer_remove": { state, _, x in try state.removeDeployer(x) },
  ]

  func deployer(of org: OrgRecord) -> DeployerRecord? {
    deployers.values.first { $0.org == org.id }
  }

  /// Whether the account belongs to an organization that may deploy.
  func isDeployer(_ account: AccountRecord) -> Bool {
    deployers.values.contains { orgs[$0.org]?.role(of: account.id) != nil }
  }

  /// The check of the role for publishing and deploying: an admin of an organization that may.
  @discardableResult
  func requireDeployer(_ org: OrgRecord, _ role: OrgRole, to act: String) throws -> DeployerRecord {
    guard role.strength >= OrgRole.admin.strength else { throw Refusal.forbidden(act) }
    guard let deployer = deployer(of: org) else {
      throw Refusal(403, "FORBIDDEN", "\(org.name) is not a deployer, so it may not \(act)")
    }
    return deployer
  }

  /// Takes the right to deploy from an organization: no new apps come from what it deployed.
  func end(_ deployer: DeployerRecord, at now: Int64) {
    deployers.remove(deployer.id)
    for deployment in deployments.values where deployment.org == deployer.org && deployment.wanted == .live {
      deployment.wanted = .paused
      deployment.updatedAt = now
    }
  }

  private func applyToDeploy(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let found = try x.peek("org").map { try org($0, for: caller) }
    if let (_, role) = found, role.strength < OrgRole.admin.strength {
      throw Refusal.forbidden("apply for the organization")
    }
    let fields = try x.fields()
    guard let (org, _) = found else { throw Refusal.notFound("organization") }
    guard deployer(of: org) == nil else {
      throw Refusal(409, "ALREADY_EXISTS", "\(org.name) is a deployer")
    }
    let isWaiting = signups.values.contains { $0.org == org.id && $0.decision.state(at: x.now) == .pending }
    guard !isWaiting else { throw Refusal(409, "ALREADY_EXISTS", "\(org.name) has applied already") }
    let id = ids.id("sgn", at: x.now)
    let (reason, contact) = (fields["reason"]?.stringValue ?? "", fields["contact"]?.stringValue)
    var facts: JSONObject = ["signupId": .string(id), "name": .string(org.name), "reason": .string(reason)]
    facts["contact"] = contact.map { .string($0) }
    let decision = open(
      .approveDeployer, about: org.id, "deployer \(org.name)", payload: .object(facts), at: x.now)
    let signup = SignupRecord(
      id: id, org: org.id, reason: reason, contact: contact, decision: decision, createdAt: x.now)
    signups.insert(signup)
    return .answer(201, describe(signup, at: x.now))
  }

  private func getSignup(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    guard let signup = signups[x.path["signup"] ?? ""],
      isOperator(caller.account) || mayKnow(signup.org, caller)
    else { throw Refusal.notFound("application") }
    _ = try x.fields()
    return .answer(200, describe(signup, at: x.now))
  }

  private func listDeployers(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    let all = isOperator(caller.account)
    let visible = deployers.values.compactMap { deployer -> (key: String, json: JSONValue)? in
      guard let org = orgs[deployer.org], all || mayKnow(deployer.org, caller) else { return nil }
      return ("\(org.name.lowercased())\u{0}\(deployer.id)", describe(deployer, org))
    }
    return try list("deployers", visible, x, for: caller, by: \.key) { $0.json }
  }

  private func removeDeployer(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    guard let deployer = deployers[x.path["deployer"] ?? ""],
      isOperator(caller.account) || mayKnow(deployer.org, caller)
    else { throw Refusal.notFound("deployer") }
    try requireOperator(caller)
    _ = try x.fields()
    let name = orgs[deployer.org]?.name ?? deployer.org
    _ = try requireOperatorSignature(x, by: caller, "remove deployer \(name)")
    end(deployer, at: x.now)
    return .answer(204, nil)
  }

  private func describe(_ signup: SignupRecord, at now: Int64) -> JSONValue {
    var answer: JSONObject = [
      "signupId": .string(signup.id), "orgId": .string(signup.org), "reason": .string(signup.reason),
      "state": .string(signup.decision.state(at: now).rawValue), "decisionId": .string(signup.decision.id),
      "createdAt": JSONValue(signup.createdAt),
    ]
    answer["contact"] = signup.contact.map { .string($0) }
    answer["decidedAt"] = signup.decision.end(at: now).map { JSONValue($0) }
    return .object(answer)
  }

  private func describe(_ deployer: DeployerRecord, _ org: OrgRecord) -> JSONValue {
    [
      "deployerId": .string(deployer.id), "orgId": .string(org.id), "name": .string(org.name),
      "packages": .array(deployer.packages.map { .string($0) }), "approvedAt": JSONValue(deployer.approvedAt),
    ]
  }
}

extension FakeCloud {
  /// Limits what a deployer may publish to names under these prefixes, such as `com.example`. No prefixes: any name that
  /// nobody else publishes. The document has no operation for it; operators of a real cluster agree on it.
  public func limitDeployer(org: String, toPackages prefixes: [String]) {
    store.withState { state in
      state.orgs[org].flatMap { state.deployer(of: $0) }?.packages = prefixes
    }
  }
}
