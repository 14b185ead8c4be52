import MeroWire

// What organizations may use (70 §2.22).

extension ClusterState {
  static let quotaHandlers: [String: Handler] = [
    "ops_quota_get": { state, _, x in try state.getQuota(x) },
    "ops_quota_set": { state, _, x in try state.setQuota(x) },
  ]

  /// Something that an organization has only so much of.
  enum QuotaItem {
    /// One more app.
    case apps
    /// One more member.
    case members
    /// So many bytes more in sealed storage, besides those that uploads under way at this time will bring.
    case storage(adding: UInt64, at: Int64)
    /// One more call on the day of this time.
    case calls(at: Int64)
  }

  /// The last check before the work (70 §2.8): 403 when the organization has used up what it may.
  func requireQuota(_ org: OrgRecord, _ item: QuotaItem) throws {
    let quota = quotas[org.id]
    let limits = quota?.limits ?? QuotaRecord.Limits()
    switch item {
    case .apps where org.apps.count >= limits.apps:
      throw Refusal.quotaExceeded("apps", "\(limits.apps) apps")
    case .members where org.members.count >= limits.members:
      throw Refusal.quotaExceeded("members", "\(limits.members) members")
    case .storage(let bytes, let now)
    where !hasRoom(for: bytes, in: limits.storageBytes, taken: storage(promisedBy: org, at: now)):
      throw Refusal.quotaExceeded("storageBytes", "\(limits.storageBytes) bytes of storage")
    case .calls(let now) where (quota?.usedCalls(at: now) ?? 0) >= limits.callsPerDay:
      throw Refusal.quotaExceeded("callsPerDay", "\(limits.callsPerDay) calls a day")
    case .apps, .members, .storage, .calls: return
    }
  }

  /// Bytes in an organization's storage and those of uploads that were let begin: all of them may come to their end.
  private func storage(promisedBy org: OrgRecord, at now: Int64) -> [UInt64] {
    let open = uploads.values.filter {
      !$0.isFinished && now < $0.expiresAt && apps[$0.appId]?.org === org
    }
    return [quotas[org.id]?.usedStorageBytes ?? 0] + open.map { UInt64(clamping: $0.size) }
  }

  /// Sizes are what clients say, so their sum may be more than a number holds.
  private func hasRoom(for bytes: UInt64, in limit: UInt64, taken: [UInt64]) -> Bool {
    var left = limit
    for part in [bytes] + taken {
      guard part <= left else { return false }
      left -= part
    }
    return true
  }

  func countCall(of org: OrgRecord, at now: Int64) { quota(of: org).countCall(at: now) }

  /// Notes that bytes came to an organization's storage, or, when `bytes` is negative, went from it.
  func countStorage(of org: OrgRecord, adding bytes: Int64) {
    let quota = quota(of: org)
    let used = Int64(clamping: quota.usedStorageBytes)
    quota.usedStorageBytes = UInt64(max(0, used.addingReportingOverflow(bytes).partialValue))
  }

  private func quota(of org: OrgRecord) -> QuotaRecord {
    if let quota = quotas[org.id] { return quota }
    let quota = QuotaRecord(id: org.id)
    quotas.insert(quota)
    return quota
  }

  private func getQuota(_ x: Exchange) throws -> Outcome {
    try requireOperator(caller(x))
    let org = try anyOrg(x)
    _ = try x.fields()
    return .answer(200, describe(quotas[org.id] ?? QuotaRecord(id: org.id), at: x.now))
  }

  private func setQuota(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    try requireOperator(caller)
    let org = try anyOrg(x)
    let fields = try x.fields()
    let limits = QuotaRecord.Limits(
      apps: fields["apps"]?.int ?? 0, members: fields["members"]?.int ?? 0,
      storageBytes: fields["storageBytes"]?.uint64 ?? 0, callsPerDay: fields["callsPerDay"]?.uint64 ?? 0)
    for (name, value) in [("apps", limits.apps), ("members", limits.members)] where value < 0 {
      throw Refusal.invalidArgument(name, "is negative")
    }
    _ = try requireOperatorSignature(x, by: caller, "set the quota of \(org.name)")
    let quota = quota(of: org)
    quota.limits = limits
    return .answer(200, describe(quota, at: x.now))
  }

  /// Operators see every organization.
  private func anyOrg(_ x: Exchange) throws -> OrgRecord {
    guard let org = orgs[x.path["org"] ?? ""] else { throw Refusal.notFound("organization") }
    return org
  }

  private func describe(_ quota: QuotaRecord, at now: Int64) -> JSONValue {
    [
      "orgId": .string(quota.id), "apps": JSONValue(quota.limits.apps),
      "members": JSONValue(quota.limits.members), "storageBytes": JSONValue(quota.limits.storageBytes),
      "callsPerDay": JSONValue(quota.limits.callsPerDay),
      "usedStorageBytes": JSONValue(quota.usedStorageBytes), "usedCalls": JSONValue(quota.usedCalls(at: now)),
    ]
  }
}

extension Refusal {
  static func quotaExceeded(_ name: String, _ what: String) -> Refusal {
    Refusal(
      403, "QUOTA_EXCEEDED", "the organization may use \(what) and does",
      details: ["quota": .string(name)])
  }
}
