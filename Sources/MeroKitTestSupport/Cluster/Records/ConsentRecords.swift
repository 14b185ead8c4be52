import MeroWire

/// What an app asks a person for (70 §2.14). Nobody misses it after a restart: the app begins again.
final class ConsentRecord {
  enum Answer {
    case approved(ConsentApproval)
    case denied(AccountRecord?)
  }

  let id: String
  let package: String
  let scopes: [String]
  /// The apps it asks for; empty lets the person choose.
  let apps: [String]
  let redirectUri: String
  /// The app's own, given back unchanged.
  let state: String
  let codeChallenge: String
  let label: String?
  let expiresAt: Int64
  var answer: Answer?

  init(
    id: String, package: String, scopes: [String], apps: [String], redirectUri: String, state: String,
    codeChallenge: String, label: String?, expiresAt: Int64
  ) {
    self.id = id
    self.package = package
    self.scopes = scopes
    self.apps = apps
    self.redirectUri = redirectUri
    self.state = state
    self.codeChallenge = codeChallenge
    self.label = label
    self.expiresAt = expiresAt
  }

  /// Where it stands, in the document's words.
  func state(at now: Int64) -> String {
    switch answer {
    case .denied?: "denied"
    case .approved(let approval)? where approval.exchange == nil: "approved"
    case .approved?: "spent"
    case nil: now < expiresAt ? "open" : "expired"
    }
  }
}

/// A person's yes, and the code the app gets for it.
final class ConsentApproval {
  /// What became of the code.
  enum Exchange {
    case session(TokenPair)
    /// Somebody had the code and not the verifier, so it is no secret any more.
    case failed
  }

  let grant: GrantRecord
  let code: String
  let codeExpiresAt: Int64
  var exchange: Exchange?

  init(grant: GrantRecord, code: String, codeExpiresAt: Int64) {
    self.grant = grant
    self.code = code
    self.codeExpiresAt = codeExpiresAt
  }
}

/// What an account has allowed a package.
final class GrantRecord: Record {
  let account: AccountRecord
  let package: String
  let scopes: [String]
  /// Empty for all of the account's.
  let apps: [String]
  let createdAt: Int64
  /// The ids of the sessions made with it, which end with it.
  var sessions: [String] = [] { didSet { changed() } }
  /// When a session that is forgotten was last seen.
  private(set) var lastUsedAt: Int64? { didSet { changed() } }

  func forget(_ session: SessionRecord) {
    sessions.removeAll { $0 == session.id }
    lastUsedAt = max(lastUsedAt ?? 0, session.lastSeenAt)
  }

  init(
    id: String, account: AccountRecord, package: String, scopes: [String], apps: [String], createdAt: Int64
  ) {
    self.account = account
    self.package = package
    self.scopes = scopes
    self.apps = apps
    self.createdAt = createdAt
    super.init(id: id)
  }

  override class var table: String { "grants" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "account": .string(account.id), "package": .string(package),
      "scopes": .array(scopes.map { .string($0) }), "apps": .array(apps.map { .string($0) }),
      "createdAt": JSONValue(createdAt), "sessions": .array(sessions.map { .string($0) }),
    ]
    row["lastUsedAt"] = lastUsedAt.map { JSONValue($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    account = try row.record("account", in: state.accounts)
    package = try row.string("package")
    scopes = try row.strings("scopes")
    apps = try row.strings("apps")
    createdAt = try row.time("createdAt")
    sessions = try row.strings("sessions")
    lastUsedAt = row.optional("lastUsedAt")?.int64
    super.init(id: row.id)
  }
}
