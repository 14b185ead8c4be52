import MeroWire

enum JobState: String { case queued, running, done, failed, cancelled }

/// A method that runs longer than a call may (70 §2.20).
final class JobRecord: Record {
  /// How long one that ended can still be asked for.
  static let keptAfterEnd: Int64 = 7 * 86_400_000

  let app: AppRecord
  let account: AccountRecord
  let method: String
  let args: JSONValue
  let timeoutMs: Int64
  let createdAt: Int64
  var state = JobState.queued { didSet { changed() } }
  var progress: Double? { didSet { changed() } }
  var result: JSONValue? { didSet { changed() } }
  var error: JSONValue? { didSet { changed() } }
  var startedAt: Int64? { didSet { changed() } }
  var finishedAt: Int64? { didSet { changed() } }
  /// How many steps it has reported.
  var steps = 0 { didSet { changed() } }

  init(
    id: String, app: AppRecord, account: AccountRecord, method: String, args: JSONValue, timeoutMs: Int64,
    createdAt: Int64
  ) {
    self.app = app
    self.account = account
    self.method = method
    self.args = args
    self.timeoutMs = timeoutMs
    self.createdAt = createdAt
    super.init(id: id)
  }

  var hasEnded: Bool { state == .done || state == .failed || state == .cancelled }

  /// As the API document has it.
  var json: JSONValue {
    var json = described
    json["jobId"] = .string(id)
    json["appId"] = .string(app.id)
    return .object(json)
  }

  private var described: JSONObject {
    var json: JSONObject = [
      "method": .string(method), "state": .string(state.rawValue), "createdAt": JSONValue(createdAt),
    ]
    json["progress"] = progress.flatMap { try? JSONNumber($0) }.map { .number($0) }
    json["result"] = result
    json["error"] = error
    json["startedAt"] = startedAt.map { JSONValue($0) }
    json["finishedAt"] = finishedAt.map { JSONValue($0) }
    return json
  }

  override class var table: String { "jobs" }

  override func written() -> JSONObject {
    var row = described
    row["app"] = .string(app.id)
    row["account"] = .string(account.id)
    row["args"] = args
    row["timeoutMs"] = JSONValue(timeoutMs)
    row["steps"] = JSONValue(steps)
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    app = try row.record("app", in: state.apps)
    account = try row.record("account", in: state.accounts)
    method = try row.string("method")
    args = try row.json("args")
    timeoutMs = try row.integer("timeoutMs")
    createdAt = try row.time("createdAt")
    self.state = try row.word("state")
    progress = row.optional("progress")?.double
    result = row.optional("result")
    error = row.optional("error")
    startedAt = row.optional("startedAt")?.int64
    finishedAt = row.optional("finishedAt")?.int64
    steps = Int(try row.integer("steps"))
    super.init(id: row.id)
  }
}
