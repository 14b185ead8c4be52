import MeroWire

/// A question to a person: does this request come from you? (70 §2.11)
final class ConfirmationRecord {
  let account: AccountRecord
  let nonce: [UInt8]
  let challenge: [UInt8]
  let expiresAt: Int64
  /// When it was answered and with what: it is good once, and for a repeat of the same request and answer for a while.
  var spent: (at: Int64, answer: String)?

  init(account: AccountRecord, nonce: [UInt8], challenge: [UInt8], expiresAt: Int64) {
    self.account = account
    self.nonce = nonce
    self.challenge = challenge
    self.expiresAt = expiresAt
  }
}

/// A question to an operator: do you sign this request? (70 §2.12)
final class SigningRecord {
  let account: AccountRecord
  /// The request it was asked for.
  let request: [UInt8]
  /// What is signed: the request, this cluster and these minutes.
  let statement: [UInt8]
  let nonce: [UInt8]
  let issuedAt: Int64
  let expiresAt: Int64
  /// When it was answered, by which key and how: for a while the same answer may come again.
  var spent: (at: Int64, key: String, signature: [UInt8])?

  init(
    account: AccountRecord, request: [UInt8], statement: [UInt8], nonce: [UInt8], issuedAt: Int64,
    expiresAt: Int64
  ) {
    self.account = account
    self.request = request
    self.statement = statement
    self.nonce = nonce
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }
}

/// Somebody on the operator roster, by key in hex.
final class OperatorRecord: Record {
  let name: String
  /// The account that goes with the key.
  let account: AccountRecord?
  let addedAt: Int64

  init(key: String, name: String, account: AccountRecord?, addedAt: Int64) {
    self.name = name
    self.account = account
    self.addedAt = addedAt
    super.init(id: key)
  }

  override class var table: String { "operators" }

  override func written() -> JSONObject {
    var row: JSONObject = ["name": .string(name), "addedAt": JSONValue(addedAt)]
    row["account"] = account.map { .string($0.id) }
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    name = try row.string("name")
    account = try row.optional("account").map { _ in try row.record("account", in: state.accounts) }
    addedAt = try row.time("addedAt")
    super.init(id: row.id)
  }
}
