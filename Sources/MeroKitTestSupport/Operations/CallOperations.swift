import Foundation
import MeroCrypto
import MeroWire

// Calls and views (70 §2.7, §2.15).

extension ClusterState {
  static let callHandlers: [String: Handler] = [
    "app_call": { state, _, x in try state.call(x) },
    "app_view": { state, _, x in try state.view(x) },
  ]

  /// How long a call may take; what takes longer is a job.
  static let callSeconds: TimeInterval = 30

  private func call(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .writer)
    let fields = try x.fields()
    let (name, args) = try invocation(fields, x)
    let key = fields["idempotencyKey"]?.stringValue.map {
      IdempotencyTable.Key(account: caller.account.id, scope: app.id, key: $0)
    }
    if let key, !x.isResumed {
      let contents = SHA256.hash(Array("\(name)\n".utf8) + (RawField.bytes(of: "args", in: x.body) ?? []))
      switch try kept.begin(key, contents: contents, at: x.now) {
      case .success(let status, .object(var json))?:
        json["replayed"] = true
        return .answer(status, .object(json))
      case .success(let status, let json)?: return .answer(status, json)
      case .refusal(let refusal)?: throw refusal
      case nil: break
      }
    }
    do {
      // Not before the key was looked up: what ran has run, whatever became of the app since.
      try requireReady(app)
      try requireWritable(app, at: x.now)
      let method = try method(name, of: app)
      if let expected = fields["ifSeq"]?.uint64, expected != app.now.seq {
        throw Refusal(
          409, "VERSION_CONFLICT", "the app's position is \(app.now.seq), not \(expected)",
          details: ["seq": JSONValue(app.now.seq)])
      }
      if method.seconds > 0, !x.isResumed {
        return .pause(seconds: min(method.seconds, Self.callSeconds), Begun(key: key))
      }
      guard method.seconds <= Self.callSeconds else { throw Self.trapped(.time) }
      try spendCall(of: app.org, at: x.now)
      let answer = try apply(method, name, args, to: app, by: caller.account, at: x.now)
      if let key { kept.finish(key, .success(status: 200, answer)) }
      return .answer(200, answer)
    } catch {
      if let key {
        if let refusal = error as? Refusal, refusal.hasRun {
          kept.finish(key, .refusal(refusal))
        } else {
          kept.abandon(key)
        }
      }
      throw error
    }
  }

  /// What a call would be refused for, for what an app runs with nobody asking at that moment: for `account`, or for itself.
  func requireMayRun(_ app: AppRecord, for account: AccountRecord?, at now: Int64) throws {
    if account?.isSuspended == true { throw Refusal.suspended("account") }
    if app.org.isSuspended { throw Refusal.suspended("organization") }
    if app.state == .suspended { throw Refusal.suspended("app") }
    try requireReady(app)
    try requireWritable(app, at: now)
  }

  /// Counts a run of a method among the organization's calls of the day, whoever had it run. Throws 403 when there are none
  /// left.
  func spendCall(of org: OrgRecord, at now: Int64) throws {
    try requireQuota(org, .calls(at: now))
    countCall(of: org, at: now)
  }

  /// Runs a method and takes the app one position on. When it throws, nothing has happened. What an app runs itself has
  /// no account.
  func apply(
    _ method: FakePackage.Method, _ name: String, _ args: JSONValue, to app: AppRecord,
    by account: AccountRecord?, at now: Int64
  ) throws -> JSONValue {
    let context = context(for: account, data: app.now.data, at: now)
    app.runs[name, default: 0] += 1
    let result = try run { () throws -> JSONValue in
      let result = try method.body(context, args)
      try requireOwnKinds(context)
      return try small(result)
    }
    enter(context, in: app, by: account, at: now)
    return [
      "result": result, "seq": JSONValue(app.now.seq), "replayed": false,
      "events": JSONValue(context.events.count),
    ]
  }

  /// A result that is larger than a node carries traps, of a call and of a view alike (70 §2.28).
  private func small(_ result: JSONValue) throws -> JSONValue {
    guard result.data().count <= Self.resultLimit else { throw FakePackage.Trap.memory }
    return result
  }

  /// Events whose kinds are the node's own trap, and those whose kinds would end their lines of a stream.
  func requireOwnKinds(_ context: FakeContext) throws {
    let isForeign = context.events.contains { event in
      event.kind.hasPrefix("calimero.") || event.kind.contains(where: \.isNewline)
    }
    if isForeign { throw FakePackage.Trap.trap }
  }

  /// Takes an app to the state that its code left, with the events it emitted.
  func enter(_ context: FakeContext, in app: AppRecord, by account: AccountRecord?, at now: Int64) {
    changes += 1
    app.apply(context.data, change: changes)
    for (index, event) in context.events.enumerated() {
      app.events.append(
        seq: app.now.seq, index: index, change: changes, kind: event.kind, data: event.data,
        actor: account?.id, at: now)
    }
    announce(app)
  }

  private func view(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .reader)
    let (name, args) = try invocation(try x.fields(), x)
    try requireReady(app, forView: true)
    let method = try method(name, of: app)
    guard let position = app.position(at: applied(by: x.node)) else { throw Refusal.notFound("app") }
    if let least = x.headers["x-calimero-min-seq"].flatMap({ UInt64($0) }), position.seq < least {
      guard x.isTimeUp else { return .waitForChange(wait(for: app), seconds: 2) }
      throw Refusal(
        503, "BEHIND", "this node is at \(position.seq) and was asked for \(least)",
        details: ["seq": JSONValue(position.seq)], retryAfterMs: 250)
    }
    let context = context(for: caller.account, data: position.data, at: x.now)
    app.runs[name, default: 0] += 1
    let result = try run { () throws -> JSONValue in try small(method.body(context, args)) }
    guard !context.hasWritten else {
      throw Refusal(409, "VIEW_WROTE", "\(name) changed state, so it is not a view; nothing was kept")
    }
    return .answer(200, ["result": result, "seq": JSONValue(position.seq)])
  }

  /// Method and arguments. Arguments are an object by name or an array in order.
  func invocation(_ fields: JSONObject, _ x: Exchange) throws -> (String, JSONValue) {
    let args = fields["args"] ?? .null
    guard args.objectValue != nil || args.arrayValue != nil else {
      throw Refusal.invalidArgument("args", "is neither an object nor an array")
    }
    if x.body.count > Self.argumentLimit,
      (RawField.bytes(of: "args", in: x.body)?.count ?? 0) > Self.argumentLimit
    {
      throw Refusal.tooLarge(Self.argumentLimit)
    }
    return (fields["method"]?.stringValue ?? "", args)
  }

  func method(_ name: String, of app: AppRecord) throws -> FakePackage.Method {
    guard let method = app.package.definition.methods[name] else {
      throw Refusal(404, "METHOD_NOT_FOUND", "\(app.package.name) has no method \(name)")
    }
    return method
  }

  func context(for account: AccountRecord?, data: AppData, at now: Int64) -> FakeContext {
    let ids = ids
    return FakeContext(
      account: account?.id, now: Date(timeIntervalSince1970: Double(now) / 1000), data: data,
      random: { ids.bytes($0) })
  }

  /// Runs an app's code and turns what it throws into the refusal a node answers with.
  func run<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as FakePackage.Failure {
      throw Self.methodFailed(failure.error)
    } catch let trap as FakePackage.Trap {
      throw Self.trapped(trap)
    } catch let arguments as FakePackage.InvalidArguments {
      throw Refusal(422, "ARGS_INVALID", arguments.reason, details: ["reason": .string(arguments.reason)])
    } catch {
      throw Self.methodFailed(.string(String(describing: error)))
    }
  }

  static func trapped(_ trap: FakePackage.Trap) -> Refusal {
    Refusal(
      422, "METHOD_TRAPPED", "the app's code trapped: \(trap.rawValue)",
      details: ["reason": .string(trap.rawValue)])
  }

  private static func methodFailed(_ error: JSONValue) -> Refusal {
    Refusal(422, "METHOD_FAILED", "the app's method returned an error", details: ["error": error])
  }

  /// Enters a request among those to be asked again when the app changes.
  func wait(for app: AppRecord) -> Waiter {
    let waiter = Waiter(appId: app.id)
    app.waiters.append(waiter)
    return waiter
  }
}
