import MeroWire

final class AccountRecord: Record {
  let name: String
  let userHandle: [UInt8]
  var isSuspended = false { didSet { changed() } }
  /// Oldest first.
  var passkeys: [PasskeyRecord] = []

  init(id: String, name: String, userHandle: [UInt8]) {
    self.name = name
    self.userHandle = userHandle
    super.init(id: id)
  }

  override class var table: String { "accounts" }

  override func written() -> JSONObject {
    [
      "name": .string(name), "userHandle": .string(Base64URL.encode(userHandle)),
      "isSuspended": .bool(isSuspended),
    ]
  }

  init(_ row: RecordRow) throws {
    name = try row.string("name")
    userHandle = try row.bytes("userHandle")
    isSuspended = try row.bool("isSuspended")
    super.init(id: row.id)
  }
}

final class PasskeyRecord: Record {
  let credentialId: String
  unowned let account: AccountRecord
  let key: PasskeyKey
  let isBackupEligible: Bool
  let createdAt: Int64
  var label: String? { didSet { changed() } }
  var counter: UInt32 { didSet { changed() } }
  var isBackedUp: Bool { didSet { changed() } }
  var lastUsedAt: Int64? { didSet { changed() } }

  init(
    id: String, account: AccountRecord, _ registration: RelyingParty.Registration, label: String?,
    createdAt: Int64
  ) {
    self.account = account
    self.label = label
    self.createdAt = createdAt
    credentialId = registration.credentialId
    key = registration.key
    counter = registration.counter
    isBackupEligible = registration.isBackupEligible
    isBackedUp = registration.isBackedUp
    super.init(id: id)
  }

  override class var table: String { "passkeys" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "credentialId": .string(credentialId), "account": .string(account.id), "key": key.written,
      "isBackupEligible": .bool(isBackupEligible), "createdAt": JSONValue(createdAt),
      "counter": JSONValue(UInt64(counter)), "isBackedUp": .bool(isBackedUp),
    ]
    row["label"] = label.map { .string($0) }
    row["lastUsedAt"] = lastUsedAt.map { JSONValue($0) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    account = try row.record("account", in: state.accounts)
    credentialId = try row.string("credentialId")
    key = try PasskeyKey(written: row.json("key"))
    isBackupEligible = try row.bool("isBackupEligible")
    createdAt = try row.time("createdAt")
    label = row.optional("label")?.stringValue
    counter = UInt32(clamping: try row.integer("counter"))
    isBackedUp = try row.bool("isBackedUp")
    lastUsedAt = row.optional("lastUsedAt")?.int64
    super.init(id: row.id)
  }
}

/// A passkey ceremony under way. It is not kept on disk: a person begins it again.
final class CeremonyRecord {
  enum Purpose {
    case signUp(name: String, userHandle: [UInt8], invite: String?)
    case signIn(AccountRecord?)
    case addPasskey(AccountRecord, label: String?)
  }

  enum Spent {
    case failed
    /// Finished: the same credential gets the same answer for a while.
    case finished(credential: JSONValue, TokenPair, at: Int64)
    /// A passkey was added: likewise.
    case added(credential: JSONValue, PasskeyRecord, at: Int64)
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
