import MeroWire

final class SessionRecord: Record {
  enum Kind: String { case passkey, consent }

  let account: AccountRecord
  let kind: Kind
  let scopes: [String]
  /// The apps a consented session is limited to; empty for no limit.
  let apps: [String]
  let label: String?
  let createdAt: Int64
  /// To the minute, so that reading does not write.
  var lastSeenAt: Int64 { didSet { changed() } }
  var isRevoked = false { didSet { changed() } }
  /// The pair that is good now.
  var pair: TokenPair?

  init(
    id: String, account: AccountRecord, kind: Kind, scopes: [String], apps: [String] = [], label: String?,
    createdAt: Int64
  ) {
    self.account = account
    self.kind = kind
    self.scopes = scopes
    self.apps = apps
    self.label = label
    self.createdAt = createdAt
    lastSeenAt = createdAt
    super.init(id: id)
  }

  override class var table: String { "sessions" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "account": .string(account.id), "kind": .string(kind.rawValue),
      "scopes": .array(scopes.map { .string($0) }), "apps": .array(apps.map { .string($0) }),
      "createdAt": JSONValue(createdAt), "lastSeenAt": JSONValue(lastSeenAt), "isRevoked": .bool(isRevoked),
    ]
    row["label"] = label.map { .string($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    account = try row.record("account", in: state.accounts)
    kind = try row.word("kind")
    scopes = try row.strings("scopes")
    apps = try row.strings("apps")
    label = row.optional("label")?.stringValue
    createdAt = try row.time("createdAt")
    lastSeenAt = try row.time("lastSeenAt")
    isRevoked = try row.bool("isRevoked")
    super.init(id: row.id)
  }
}

/// An access token and the refresh token that came with it, which is its id.
final class TokenPair: Record {
  let session: SessionRecord
  let access: String
  let issuedAt: Int64
  /// The node that made it; others may hear of it later.
  let issuedBy: Int
  let accessExpiresAt: Int64
  let refreshExpiresAt: Int64
  /// What it was traded for, once.
  var successor: TokenPair? { didSet { changed() } }

  /// How long a refresh token that was traded gives the same pair again.
  static let reuseGrace: Int64 = 10_000

  var refresh: String { id }

  /// Whether it was traded and would be over by now if it had not been: until then it betrays whoever sends it (70 §2.9).
  func isForgettable(at now: Int64) -> Bool {
    guard let successor else { return false }
    return now >= max(refreshExpiresAt, successor.issuedAt + Self.reuseGrace + 1)
  }

  init(session: SessionRecord, access: String, refresh: String, issuedAt: Int64, issuedBy: Int) {
    self.session = session
    self.access = access
    self.issuedAt = issuedAt
    self.issuedBy = issuedBy
    accessExpiresAt = issuedAt + 15 * 60_000
    refreshExpiresAt = issuedAt + 30 * 86_400_000
    super.init(id: refresh)
  }

  override class var table: String { "tokens" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "session": .string(session.id), "access": .string(access), "issuedAt": JSONValue(issuedAt),
      "issuedBy": JSONValue(issuedBy),
    ]
    row["successor"] = successor.map { .string($0.id) }
    return row
  }

  /// The pair without its successor, which may not have been read yet.
  convenience init(_ row: RecordRow, _ state: ClusterState) throws {
    self.init(
      session: try row.record("session", in: state.sessions), access: try row.string("access"),
      refresh: row.id, issuedAt: try row.time("issuedAt"), issuedBy: Int(try row.integer("issuedBy")))
  }
}

/// A machine's key (70 §2.13). The cluster knows its hash only.
final class ApiKeyRecord: Record {
  let account: AccountRecord
  let secretHash: [UInt8]
  let label: String
  let scopes: [String]
  /// The apps it is limited to; empty for no limit.
  let apps: [String]
  /// The organizations it is limited to; empty for no limit.
  let orgs: [String]
  let createdAt: Int64
  let expiresAt: Int64?
  /// To the minute.
  var lastUsedAt: Int64? { didSet { changed() } }
  var revokedAt: Int64? { didSet { changed() } }
  var isRevoked: Bool { revokedAt != nil }

  init(
    id: String, account: AccountRecord, secretHash: [UInt8], label: String, scopes: [String], apps: [String],
    orgs: [String], createdAt: Int64, expiresAt: Int64?
  ) {
    self.account = account
    self.secretHash = secretHash
    self.label = label
    self.scopes = scopes
    self.apps = apps
    self.orgs = orgs
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    super.init(id: id)
  }

  override class var table: String { "apiKeys" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "account": .string(account.id), "secretHash": .string(Base64URL.encode(secretHash)),
      "label": .string(label), "scopes": .array(scopes.map { .string($0) }),
      "apps": .array(apps.map { .string($0) }), "orgs": .array(orgs.map { .string($0) }),
      "createdAt": JSONValue(createdAt),
    ]
    row["revokedAt"] = revokedAt.map { JSONValue($0) }
    row["expiresAt"] = expiresAt.map { JSONValue($0) }
    row["lastUsedAt"] = lastUsedAt.map { JSONValue($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    account = try row.record("account", in: state.accounts)
    secretHash = try row.bytes("secretHash")
    label = try row.string("label")
    scopes = try row.strings("scopes")
    apps = try row.strings("apps")
    orgs = try row.strings("orgs")
    createdAt = try row.time("createdAt")
    expiresAt = row.optional("expiresAt")?.int64
    lastUsedAt = row.optional("lastUsedAt")?.int64
    revokedAt = row.optional("revokedAt")?.int64
    // A row from before the time was kept.
    if row.optional("isRevoked")?.boolValue == true { revokedAt = lastUsedAt ?? createdAt }
    super.init(id: row.id)
  }
}
