import Foundation
import MeroWire

/// Something operators decide together (70 §2.22).
final class DecisionRecord: Record {
  enum Kind: String {
    case approveDeployer = "deployer.approve"
    case approveDeployment = "deployment.approve"
    case addOperator = "operator.add"
    case removeOperator = "operator.remove"
    case suspendAccount = "account.suspend"
    case suspendOrg = "org.suspend"
  }

  enum State: String { case pending, approved, rejected, expired }

  enum Verdict: String { case approve, reject }

  /// One operator's word, with the request that it signed.
  struct Vote {
    let verdict: Verdict
    let reason: String?
    let at: Int64
    let evidence: SignedRequest
  }

  static let lifetime: Int64 = 14 * 86_400_000

  let kind: Kind
  let subject: String
  let summary: String
  let payload: JSONValue
  let threshold: Int
  let createdAt: Int64
  /// Oldest first, one of each operator.
  var votes: [Vote] = [] { didSet { changed() } }
  private(set) var outcome: State? { didSet { changed() } }
  private(set) var decidedAt: Int64? { didSet { changed() } }

  var expiresAt: Int64 { createdAt + Self.lifetime }

  init(
    id: String, kind: Kind, subject: String, summary: String, payload: JSONValue, threshold: Int,
    createdAt: Int64
  ) {
    self.kind = kind
    self.subject = subject
    self.summary = summary
    self.payload = payload
    self.threshold = threshold
    self.createdAt = createdAt
    super.init(id: id)
  }

  func state(at now: Int64) -> State { outcome ?? (now < expiresAt ? .pending : .expired) }

  /// When it was decided, or ran out of time.
  func end(at now: Int64) -> Int64? { decidedAt ?? (now < expiresAt ? nil : expiresAt) }

  func close(_ outcome: State, at now: Int64) {
    self.outcome = outcome
    decidedAt = now
  }

  override class var table: String { "decisions" }

  override func written() -> JSONObject {
    var row: JSONObject = [
      "kind": .string(kind.rawValue), "subject": .string(subject), "summary": .string(summary),
      "payload": payload, "threshold": JSONValue(threshold), "createdAt": JSONValue(createdAt),
      "votes": .object(JSONObject(votes.map { ($0.evidence.key, $0.written) })),
    ]
    row["outcome"] = outcome.map { .string($0.rawValue) }
    row["decidedAt"] = decidedAt.map { JSONValue($0) }
    return row
  }

  init(_ row: RecordRow) throws {
    kind = try row.word("kind")
    subject = try row.string("subject")
    summary = try row.string("summary")
    payload = try row.json("payload")
    threshold = Int(try row.integer("threshold"))
    createdAt = try row.time("createdAt")
    outcome = try row.optional("outcome").map { _ in try row.word("outcome") }
    decidedAt = row.optional("decidedAt")?.int64
    votes = try row.rows("votes").map(Vote.init)
    super.init(id: row.id)
  }
}

extension DecisionRecord.Vote {
  fileprivate var written: JSONValue {
    var row: JSONObject = [
      "verdict": .string(verdict.rawValue), "at": JSONValue(at),
      "signature": .string(Base64URL.encode(evidence.signature)), "method": .string(evidence.method),
      "path": .string(evidence.path), "body": .string(Base64URL.encode(evidence.body)),
      "issuedAt": JSONValue(evidence.issuedAt), "expiresAt": JSONValue(evidence.expiresAt),
      "nonce": .string(Base64URL.encode(evidence.nonce)),
    ]
    row["reason"] = reason.map { .string($0) }
    return .object(row)
  }

  fileprivate init(_ row: RecordRow) throws {
    self.init(
      verdict: try row.word("verdict"), reason: row.optional("reason")?.stringValue,
      at: try row.integer("at"),
      evidence: SignedRequest(
        key: row.id, signature: try row.bytes("signature"), method: try row.string("method"),
        path: try row.string("path"), body: Data(try row.bytes("body")),
        issuedAt: try row.time("issuedAt"), expiresAt: try row.integer("expiresAt"),
        nonce: try row.bytes("nonce")))
  }
}
