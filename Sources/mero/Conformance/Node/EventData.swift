import MeroKit
import MeroWire

/// The data of each kind of event: as a node writes it, and as the client reads it.
enum EventData {
  /// Reads what a vector says of an event's data.
  ///
  /// - Returns: the data as a node sends it, and the comparison with what the client makes of it.
  static func read(_ kind: String, _ event: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    switch kind {
    case "Custom", "SomethingNew":
      let data = try event.value("data")
      return (data, { try require("the data", $0.data, is: data) })
    default: break
    }
    let data = try event.object("data")
    let result =
      switch kind {
      case "StateMutation": try stateMutation(data)
      case "SyncStatus": try syncStatus(data)
      case "AppVersionChanged": try appVersion(data)
      case "XCall": try crossContextCall(data)
      case "MemberJoined", "MemberRemoved": try memberChange(data)
      case "MigrationProgress": try migrationProgress(data)
      case "CascadeProgress": try cascadeProgress(data)
      default: throw Mismatch("this build does not know the kind \(kind)")
      }
    try data.finish()
    return result
  }

  // MARK: Contexts

  private static func stateMutation(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let newRoot = try data.text("newRoot")
    guard try !data.value("events").isNull else {
      return (
        ["newRoot": .string(newRoot), "events": nil],
        { event in
          try require("the mutation", event.stateMutation, is: StateMutation(newRoot: newRoot, events: nil))
        }
      )
    }
    var wire: [JSONValue] = []
    var events: [StateMutation.Event] = []
    var contents: [JSONValue] = []
    for object in try data.objects("events") {
      let bytes = try object.numbers("dataBytes").compactMap { UInt8(exactly: $0) }
      let (kind, handler) = (try object.text("kind"), try object.textOrNull("handler"))
      wire.append([
        "kind": .string(kind), "data": .array(bytes.map { JSONValue($0) }),
        "handler": handler.map { .string($0) } ?? .null,
      ])
      events.append(StateMutation.Event(kind: kind, data: bytes, handler: handler))
      contents.append(try object.value("dataAsJson"))
      try object.finish()
    }
    return (
      ["newRoot": .string(newRoot), "events": .array(wire)],
      { event in
        try require("the mutation", event.stateMutation, is: StateMutation(newRoot: newRoot, events: events))
        try require("what was emitted", event.stateMutation?.events?.map(\.json), is: contents)
      }
    )
  }

  private static func syncStatus(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let syncState = try data.object("syncState")
    let (state, seconds) = (try syncState.text("state"), try syncState.number("retryInSecs"))
    try syncState.finish()
    let (failures, error) = (try data.number("failureCount"), try data.text("lastError"))
    func wire(_ name: String) -> JSONValue {
      [
        "syncState": ["state": .string(state), name: JSONValue(seconds)],
        "failureCount": JSONValue(failures), "lastError": .string(error),
      ]
    }
    let camel = wire("retryInSecs")
    return (
      wire("retry_in_secs"),
      { event in
        let report = SyncReport(
          syncState: ContextSyncState(.init(rawValue: state), retryInSecs: UInt64(exactly: seconds)),
          failureCount: failures, lastError: error)
        try require("the report", event.syncStatus, is: report)
        // Nodes differ in how they spell the members.
        let other = ContextEvent(contextId: "", kind: .syncStatus, payload: ["data": camel])
        try require("the report in camel case", other.syncStatus, is: report)
      }
    )
  }

  private static func appVersion(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let (from, to) = (try data.textOrNull("fromVersion"), try data.text("toVersion"))
    var wire: JSONObject = ["toVersion": .string(to)]
    if let from { wire["fromVersion"] = .string(from) }
    return (
      .object(wire),
      { event in
        try require(
          "the change", event.appVersionChange, is: AppVersionChange(fromVersion: from, toVersion: to))
      }
    )
  }

  private static func crossContextCall(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let outcome = try data.object("outcome")
    let (target, function) = (try data.text("targetContextId"), try data.text("function"))
    let (status, reason) = (try outcome.text("status"), try outcome.text("reason"))
    try outcome.finish()
    return (
      [
        "targetContextId": .string(target), "function": .string(function),
        "outcome": ["status": .string(status), "detail": ["reason": .string(reason)]],
      ],
      { event in
        try require(
          "the call", event.crossContextCall,
          is: CrossContextCall(
            targetContextId: target, function: function, status: .init(rawValue: status), reason: reason))
      }
    )
  }

  // MARK: Groups

  private static func memberChange(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let (account, role) = (try data.text("memberAccount"), try data.textOrNull("role"))
    var wire: JSONObject = ["memberAccount": .string(account)]
    if let role { wire["role"] = .string(role) }
    return (
      .object(wire),
      { event in
        try require(
          "the change", event.memberChange,
          is: MemberChange(memberAccount: account, role: role.map { MemberRole(rawValue: $0) }))
      }
    )
  }

  private static func migrationProgress(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let names = ["migrated", "inProgress", "unknown", "failed", "total"]
    let counts = try names.map { try data.number($0) }
    return (
      .object(JSONObject(zip(names, counts.map { JSONValue($0) }))),
      { event in
        guard case .progress(let progress) = event.migration else { throw Mismatch("no progress was read") }
        let read = [
          progress.migrated, progress.inProgress, progress.unknown, progress.failed, progress.total,
        ]
        try require("the progress", read, is: counts)
      }
    )
  }

  private static func cascadeProgress(_ data: VectorObject) throws -> (JSONValue, ExpectedEvent.Check) {
    let subgroup = try data.text("subgroupId")
    let (swapped, total) = (try data.number("localContextsSwapped"), try data.number("localContextsTotal"))
    return (
      [
        "subgroupId": .string(subgroup), "localContextsSwapped": JSONValue(swapped),
        "localContextsTotal": JSONValue(total),
      ],
      { event in
        guard case .cascade(let cascade) = event.migration else { throw Mismatch("no progress was read") }
        try require("the subgroup", cascade.subgroupId, is: subgroup)
        try require("what is done", cascade.localContextsSwapped, is: swapped)
        try require("all of it", cascade.localContextsTotal, is: total)
      }
    )
  }
}
