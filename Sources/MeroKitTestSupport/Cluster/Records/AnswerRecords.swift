import MeroWire

/// An answer that is kept so that its request can be repeated (70 §2.7). The id names account, scope and key.
final class AnswerRecord: Record {
  let contents: [UInt8]
  /// When the request came.
  let at: Int64
  let answer: IdempotencyTable.Answer

  init(id: String, contents: [UInt8], at: Int64, answer: IdempotencyTable.Answer) {
    self.contents = contents
    self.at = at
    self.answer = answer
    super.init(id: id)
  }

  override class var table: String { "answers" }

  override func written() -> JSONObject {
    ["contents": .string(Base64URL.encode(contents)), "at": JSONValue(at), "answer": answer.written]
  }

  init(_ row: RecordRow) throws {
    contents = try row.bytes("contents")
    at = try row.integer("at")
    guard let fields = try row.json("answer").objectValue else { throw row.damage("answer") }
    answer = try IdempotencyTable.Answer(RecordRow(table: row.table, id: row.id, fields: fields))
    super.init(id: row.id)
  }
}

extension IdempotencyTable.Answer {
  fileprivate var written: JSONValue {
    switch self {
    case .success(let status, let json):
      return ["status": JSONValue(status), "json": json]
    case .refusal(let refusal):
      var row: JSONObject = [
        "status": JSONValue(refusal.status), "code": .string(refusal.code),
        "message": .string(refusal.message),
      ]
      row["details"] = refusal.details
      row["retryAfterMs"] = refusal.retryAfterMs.map { JSONValue($0) }
      return .object(row)
    }
  }

  fileprivate init(_ row: RecordRow) throws {
    let status = Int(clamping: try row.integer("status"))
    if let json = row.optional("json") {
      self = .success(status: status, json)
    } else {
      self = .refusal(
        Refusal(
          status, try row.string("code"), try row.string("message"), details: row.optional("details"),
          retryAfterMs: row.optional("retryAfterMs")?.int64))
    }
  }
}
