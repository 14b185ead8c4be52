import MeroWire

/// An invitation to an organization (70 §2.19). The cluster knows the hash of its code only.
final class InviteRecord: Record {
  enum State: String { case open, used, revoked, expired }

  /// How long a closed invitation stays known.
  static let afterlife: Int64 = 30 * 86_400_000

  let org: OrgRecord
  let codeHash: [UInt8]
  let role: OrgRole
  /// As they were when it was made; some may be gone since.
  let teams: [String]
  let label: String?
  let maxUses: Int
  let expiresAt: Int64
  let createdAt: Int64
  let createdBy: AccountRecord
  private(set) var uses = 0 { didSet { changed() } }
  private var usedUpAt: Int64? { didSet { changed() } }
  private var revokedAt: Int64? { didSet { changed() } }

  init(
    id: String, org: OrgRecord, codeHash: [UInt8], role: OrgRole, teams: [String], label: String?,
    maxUses: Int,
    expiresAt: Int64, createdAt: Int64, createdBy: AccountRecord
  ) {
    self.org = org
    self.codeHash = codeHash
    self.role = role
    self.teams = teams
    self.label = label
    self.maxUses = maxUses
    self.expiresAt = expiresAt
    self.createdAt = createdAt
    self.createdBy = createdBy
    super.init(id: id)
  }

  /// Whatever closed it first decides.
  func state(at now: Int64) -> State {
    if revokedAt != nil { return .revoked }
    if usedUpAt != nil { return .used }
    return now < expiresAt ? .open : .expired
  }

  /// Whether it is open, or was not long ago.
  func isKnown(at now: Int64) -> Bool {
    now < (revokedAt ?? usedUpAt ?? expiresAt) + Self.afterlife
  }

  func use(at now: Int64) {
    uses += 1
    if uses >= maxUses { usedUpAt = now }
  }

  /// Takes it back; one that is closed already stays closed as it is.
  func revoke(at now: Int64) {
    if state(at: now) == .open { revokedAt = now }
  }

  override class var table: String { "invites" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "org": .string(org.id), "codeHash": .string(Base64URL.encode(codeHash)), "role": .string(role.rawValue),
      "teams": .array(teams.map { .string($0) }), "maxUses": JSONValue(maxUses),
      "expiresAt": JSONValue(expiresAt), "createdAt": JSONValue(createdAt),
      "createdBy": .string(createdBy.id), "uses": JSONValue(uses),
    ]
    row["label"] = label.map { .string($0) }
    row["usedUpAt"] = usedUpAt.map { JSONValue($0) }
    row["revokedAt"] = revokedAt.map { JSONValue($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    org = try row.record("org", in: state.orgs)
    codeHash = try row.bytes("codeHash")
    role = try row.word("role")
    teams = try row.strings("teams")
    label = row.optional("label")?.stringValue
    maxUses = Int(try row.integer("maxUses"))
    expiresAt = try row.integer("expiresAt")
    createdAt = try row.time("createdAt")
    createdBy = try row.record("createdBy", in: state.accounts)
    uses = Int(try row.integer("uses"))
    usedUpAt = row.optional("usedUpAt")?.int64
    revokedAt = row.optional("revokedAt")?.int64
    super.init(id: row.id)
  }
}
