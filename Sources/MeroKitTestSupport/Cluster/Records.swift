import MeroWire

// What the cluster keeps. These are classes without a lock: they live inside `ClusterState`, which is only touched
// under the store's lock, and never leave it.

final class AccountRecord {
  let id: String
  let name: String
  let userHandle: [UInt8]
  var isSuspended = false
  var passkeys: [PasskeyRecord] = []

  init(id: String, name: String, userHandle: [UInt8]) {
    self.id = id
    self.name = name
    self.userHandle = userHandle
  }
}

final class PasskeyRecord {
  let id: String
  let credentialId: String
  let account: AccountRecord
  let key: PasskeyKey
  let isBackupEligible: Bool
  let label: String?
  let createdAt: Int64
  var counter: UInt32
  var isBackedUp: Bool
  var lastUsedAt: Int64?

  init(
    id: String, account: AccountRecord, _ registration: RelyingParty.Registration, label: String?,
    createdAt: Int64
  ) {
    self.id = id
    self.account = account
    self.label = label
    self.createdAt = createdAt
    credentialId = registration.credentialId
    key = registration.key
    counter = registration.counter
    isBackupEligible = registration.isBackupEligible
    isBackedUp = registration.isBackedUp
  }
}

final class CeremonyRecord {
  enum Purpose {
    case signUp(name: String, userHandle: [UInt8])
    case signIn(AccountRecord?)
  }

  enum Spent {
    case failed
    /// Finished: the same credential gets the same answer for a while.
    case finished(credential: JSONValue, TokenPair, at: Int64)
  }

  let purpose: Purpose
  let challenge: [UInt8]
  let expiresAt: Int64
  var spent: Spent?

  init(purpose: Purpose, challenge: [UInt8], expiresAt: Int64) {
    self.purpose = purpose
    self.challenge = challenge
    self.expiresAt = expiresAt
  }
}

final class SessionRecord {
  enum Kind: String { case passkey, consent }

  let id: String
  let account: AccountRecord
  let kind: Kind
  let scopes: [String]
  let label: String?
  let createdAt: Int64
  var lastSeenAt: Int64
  var isRevoked = false
  /// The pair that is good now.
  var pair: TokenPair?

  init(
    id: String, account: AccountRecord, kind: Kind, scopes: [String], label: String?, createdAt: Int64
  ) {
    self.id = id
    self.account = account
    self.kind = kind
    self.scopes = scopes
    self.label = label
    self.createdAt = createdAt
    lastSeenAt = createdAt
  }
}

/// An access token and the refresh token that came with it.
final class TokenPair {
  let session: SessionRecord
  let access: String
  let refresh: String
  let issuedAt: Int64
  /// The node that made it; others may hear of it later.
  let issuedBy: Int
  let accessExpiresAt: Int64
  let refreshExpiresAt: Int64
  /// What it was traded for, once.
  var successor: TokenPair?

  init(session: SessionRecord, access: String, refresh: String, issuedAt: Int64, issuedBy: Int) {
    self.session = session
    self.access = access
    self.refresh = refresh
    self.issuedAt = issuedAt
    self.issuedBy = issuedBy
    accessExpiresAt = issuedAt + 15 * 60_000
    refreshExpiresAt = issuedAt + 30 * 86_400_000
  }
}

enum OrgRole: String {
  case owner, admin, member, viewer

  /// Owner is the strongest.
  var strength: Int {
    switch self {
    case .owner: return 3
    case .admin: return 2
    case .member: return 1
    case .viewer: return 0
    }
  }
}

final class OrgRecord {
  struct Member {
    var role: OrgRole
    let joinedAt: Int64
  }

  let id: String
  var name: String
  let createdAt: Int64
  var isSuspended = false
  var members: [String: Member] = [:]
  var teams: [String: TeamRecord] = [:]
  var apps: [String: AppRecord] = [:]

  init(id: String, name: String, createdAt: Int64) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
  }

  func role(of account: String) -> OrgRole? {
    members[account]?.role
  }
}

final class TeamRecord {
  struct Member {
    var isLead: Bool
    let addedAt: Int64
  }

  let id: String
  var name: String
  var members: [String: Member] = [:]

  init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}

enum AppRole: String {
  case manager, writer, reader

  var strength: Int {
    switch self {
    case .manager: return 2
    case .writer: return 1
    case .reader: return 0
    }
  }
}

enum OrgAccess: String { case none, reader, writer }

enum AppState: String { case creating, ready, upgrading, suspended, deleting }

/// Who sends a request, and what its credential may do.
struct Caller {
  let account: AccountRecord
  let session: SessionRecord
  let scopes: [String]
}
