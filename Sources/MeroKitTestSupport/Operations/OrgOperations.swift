import MeroCrypto
import MeroWire

extension ClusterState {
  static let orgHandlers: [String: Handler] = [
    "org_create": { state, _, x in try state.createOrg(x) },
    "org_get": { state, _, x in try state.getOrg(x) },
    "org_list": { state, _, x in try state.listOrgs(x) },
  ]

  private func createOrg(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
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
    let (org, role) = try org(x.path["org"] ?? "", for: caller)
    _ = try x.fields()
    return .answer(200, describe(org, role: role))
  }

  private func listOrgs(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    _ = try x.fields()
    // By name; the id decides between equal ones.
    let own = orgs.values.filter { $0.role(of: caller.account.id) != nil && caller.mayKnow(org: $0) }
      .map { (key: "\($0.name.lowercased())\u{0}\($0.id)", org: $0) }.sorted { $0.key < $1.key }
    let page = try pages.page(
      of: own, listing: "org_list \(caller.account.id)", cursor: x.query["cursor"], limit: x.limit(50),
      ids: ids, key: \.key)
    let items = page.items.map { describe($0.org, role: $0.org.role(of: caller.account.id) ?? .viewer) }
    var answer: JSONObject = ["orgs": .array(items)]
    answer["nextCursor"] = page.next.map { .string($0) }
    return .answer(200, .object(answer))
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
