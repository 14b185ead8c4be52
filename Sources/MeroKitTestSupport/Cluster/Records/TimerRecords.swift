import MeroWire

/// When a timer fires: exactly one of the three (70 §2.20).
enum TimerSchedule {
  case at(Int64)
  case every(Int64)
  case cron(CronSchedule)

  /// Throws what is wrong with it.
  init(_ json: JSONValue) throws(Refusal) {
    guard json.objectValue?.count == 1 else {
      throw .invalidArgument("schedule", "takes exactly one of at, everyMs and cron")
    }
    if let at = json["at"]?.int64 {
      self = .at(at)
    } else if let span = json["everyMs"]?.int64 {
      self = .every(span)
    } else if let cron = CronSchedule(json["cron"]?.stringValue ?? "") {
      self = .cron(cron)
    } else {
      throw .invalidArgument("schedule.cron", "is not five fields of a time that comes")
    }
  }

  /// The first time of a timer that is made now. What was to happen in the past happens at once, and not in the past.
  func first(at now: Int64) -> Int64? {
    if case .at(let time) = self { return max(time, now) }
    return next(after: now)
  }

  /// The time after one; `nil` when there is none.
  func next(after time: Int64) -> Int64? {
    switch self {
    case .at: return nil
    case .every(let span):
      let (next, isBeyondTime) = time.addingReportingOverflow(span)
      return isBeyondTime ? nil : next
    case .cron(let cron): return cron.next(after: time)
    }
  }
}

/// A method that an app runs at set times, with no person behind it.
final class TimerRecord: Record {
  let app: AppRecord
  let method: String
  let args: JSONValue
  let schedule: TimerSchedule
  /// The schedule as it was given.
  let scheduleJSON: JSONValue
  let createdAt: Int64
  /// `nil` when it does not fire any more.
  var nextAt: Int64? { didSet { changed() } }
  var lastAt: Int64? { didSet { changed() } }
  var lastError: JSONValue? { didSet { changed() } }

  init(
    id: String, app: AppRecord, method: String, args: JSONValue, schedule: JSONValue, createdAt: Int64
  ) throws(Refusal) {
    self.app = app
    self.method = method
    self.args = args
    self.schedule = try TimerSchedule(schedule)
    scheduleJSON = schedule
    self.createdAt = createdAt
    guard let first = self.schedule.first(at: createdAt) else {
      throw .invalidArgument("schedule", "never comes")
    }
    nextAt = first
    super.init(id: id)
  }

  /// As the API document has it.
  var json: JSONValue {
    var json = described
    json["timerId"] = .string(id)
    json["appId"] = .string(app.id)
    json["enabled"] = .bool(nextAt != nil)
    return .object(json)
  }

  private var described: JSONObject {
    var json: JSONObject = [
      "method": .string(method), "args": args, "schedule": scheduleJSON, "createdAt": JSONValue(createdAt),
    ]
    json["nextAt"] = nextAt.map { JSONValue($0) }
    json["lastAt"] = lastAt.map { JSONValue($0) }
    json["lastError"] = lastError
    return json
  }

  override class var table: String { "timers" }

  override func written() -> JSONObject {
    var row = described
    row["app"] = .string(app.id)
    return row
  }

  init(_ row: RecordRow, _ state: ClusterState) throws {
    app = try row.record("app", in: state.apps)
    method = try row.string("method")
    args = try row.json("args")
    scheduleJSON = try row.json("schedule")
    schedule = try TimerSchedule(scheduleJSON)
    createdAt = try row.time("createdAt")
    nextAt = row.optional("nextAt")?.int64
    lastAt = row.optional("lastAt")?.int64
    lastError = row.optional("lastError")
    super.init(id: row.id)
  }
}
