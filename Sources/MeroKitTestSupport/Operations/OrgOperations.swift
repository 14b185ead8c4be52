import MeroCrypto
import MeroWire

extension ClusterState {
  static let orgHandlers: [String: Handler] = [
    "org_create": { state, _, x in try state.createOrg(x) },
    "org_get": { state, _, x in try state.getOrg(x) },
    "org_list": { state, _, x in try state.listOrgs(x) },
    "org_update": { state, _, x in try state.updateOrg(x) },
    "org_delete": { state, _, x in try state.deleteOrg(x) },
  ]

  private func createOrg(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    guard caller.key?.orgs.isEmpty ?? true else {
      throw Refusal.forbidden("make organizations, since its key is limited to others")
    }
    let fields = try x.fields()
    let name = fields["name"]?.stringValue ?? ""
    try requireName(name)
    return try once(x, caller) {
      let org = OrgRecord(id: ids.id("org", at: x.now), name: name, createdAt: x.now)
      org.members[caller.account.id] = OrgRecord.Member(role: .owner, joinedAt: x.now)
      orgs.insert(org)
      return (201, describe(org, role: .owner))
    }
  }

  private func getOrg(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, role) = try org(x, for: caller)
    _ = try x.fields()
    return .answer(200, describe(org, role: role))
  }

  private func updateOrg(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, role) = try org(x, for: caller)
    try require(role, "rename the organization")
    let name = try x.fields()["name"]?.stringValue ?? ""
    try requireName(name)
    org.name = name
    return .answer(200, describe(org, role: role))
  }

  private func deleteOrg(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let (org, role) = try org(x, for: caller)
    guard role == .owner else { throw Refusal.forbidden("delete the organization; it takes an owner") }
    _ = try x.fields()
    if let app = org.apps.values.first(where: { $0.state == .upgrading }) {
      throw Refusal(409, "CONFLICT", "the app \(app.name) is being upgraded")
    }
    try requireConfirmation(x, by: caller)
    for app in org.apps.values.sorted(by: { $0.id < $1.id }) { delete(app, by: caller.account, at: x.now) }
    for invite in Array(invites.values) where invite.org === org { invites.remove(invite.id) }
    for deployer in Array(deployers.values) where deployer.org == org.id { end(deployer, at: x.now) }
    forgetPackages(of: org)
    quotas.remove(org.id)
    orgs.remove(org.id)
    return .answer(204, nil)
  }

  /// The check of the role for what owners and admins do.
  func require(_ role: OrgRole, _ what: String) throws {
    guard role.strength >= OrgRole.admin.strength else { throw Refusal.forbidden(what) }
  }

  private func listOrgs(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    // By name; the id decides between equal ones.
    let own = orgs.values.filter { $0.role(of: caller.account.id) != nil && caller.mayKnow(org: $0) }
    return try list("orgs", own, x, for: caller, by: { "\($0.name.lowercased())\u{0}\($0.id)" }) {
      describe($0, role: $0.role(of: caller.account.id) ?? .viewer)
    }
  }

  private func describe(_ org: OrgRecord, role: OrgRole) -> JSONValue {
    [
      "orgId": .string(org.id), "name": .string(org.name), "role": .string(role.rawValue),
      "createdAt": JSONValue(org.createdAt), "memberCount": JSONValue(org.members.count),
      "teamCount": JSONValue(org.teams.count), "appCount": JSONValue(org.apps.count),
      "suspended": .bool(org.isSuspended),
    ]
  }

  /// Runs what makes something once per idempotency key and gives the kept answer to repeats. A refusal keeps nothing,
  /// except the app's own answer to its initialisation, which ran.
  func once(_ x: Exchange, _ caller: Caller, _ make: () throws -> (Int, JSONValue)) throws -> Outcome {
    try onceInTime(x, caller) {
      let (status, json) = try make()
      return .answer(status, json)
    }
  }

  /// As ``once(_:_:_:)`` for what may pause: the key counts as in progress until it goes on.
  func onceInTime(_ x: Exchange, _ caller: Caller, _ make: () throws -> Outcome) throws -> Outcome {
    guard let key = x.json?["idempotencyKey"]?.stringValue else { return try make() }
    let place = IdempotencyTable.Key(
      account: caller.account.id, scope: "\(x.operation.id) \(x.path["app"] ?? "")", key: key)
    if !x.isResumed {
      switch try kept.begin(place, contents: SHA256.hash(x.body), at: x.now) {
      case .success(let status, let json)?: return .answer(status, json)
      case .refusal(let refusal)?: throw refusal
      case nil: break
      }
    }
    do {
      let outcome = try make()
      if case .answer(let status, let json) = outcome {
        kept.finish(place, .success(status: status, json ?? .null))
      }
      if case .pause(let seconds, var begun) = outcome {
        begun.key = place
        return .pause(seconds: seconds, begun)
      }
      return outcome
    } catch {
      if let refusal = error as? Refusal, refusal.hasRun {
        kept.finish(place, .refusal(refusal))
      } else {
        kept.abandon(place)
      }
      throw error
    }
  }
}

extension Refusal {
  /// Whether the app's code ran, so that its answer is kept for the idempotency key (70 §2.15).
  var hasRun: Bool { code == "METHOD_FAILED" || code == "METHOD_TRAPPED" }
}
