import MeroWire

// Timers: methods that an app runs at set times, with no person behind it (70 §2.20).

extension ClusterState {
  static let timerHandlers: [String: Handler] = [
    "app_timer_create": { state, _, x in try state.createTimer(x) },
    "app_timer_list": { state, _, x in try state.listTimers(x) },
    "app_timer_delete": { state, _, x in try state.deleteTimer(x) },
  ]

  private func createTimer(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .manager)
    let fields = try x.fields()
    let name = fields["method"]?.stringValue ?? ""
    let args = fields["args"] ?? [:]
    guard args.objectValue != nil || args.arrayValue != nil else {
      throw Refusal.invalidArgument("args", "is neither an object nor an array")
    }
    let timer = try TimerRecord(
      id: ids.id("tmr", at: x.now), app: app, method: name, args: args, schedule: fields["schedule"] ?? [:],
      createdAt: x.now)
    return try once(x, caller) {
      _ = try method(name, of: app)
      try requireReady(app, forView: true)
      try requireWritable(app, at: x.now)
      timers.insert(timer)
      if let first = timer.nextAt { schedule(at: first) }
      return (201, timer.json)
    }
  }

  private func listTimers(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .manager)
    _ = try x.fields()
    try requireReady(app, forView: true)
    // By next time; those that are over come last.
    let own = timers.values.filter { $0.app === app }.map { timer -> (key: String, timer: TimerRecord) in
      let time = String(timer.nextAt ?? .max)
      return (String(repeating: "0", count: max(0, 19 - time.count)) + time + timer.id, timer)
    }
    return try list("timers", own, x, for: caller, by: \.key) { $0.timer.json }
  }

  private func deleteTimer(_ x: Exchange) throws -> Outcome {
    let app = try usableApp(x, for: caller(x), as: .manager)
    _ = try x.fields()
    try requireReady(app, forView: true)
    if let timer = timers[x.path["timer"] ?? ""], timer.app === app { timers.remove(timer.id) }
    return .answer(204, nil)
  }

  /// Runs a timer's method. A run that fails is remembered and stops nothing.
  ///
  /// - Parameter end: leaves out the times up to this one.
  func fire(_ timer: TimerRecord, at now: Int64, skippingTo end: Int64?) {
    timer.nextAt = timer.schedule.next(after: end ?? timer.nextAt ?? now)
    timer.lastAt = now
    do {
      try requireMayRun(timer.app, for: nil, at: now)
      let method = try method(timer.method, of: timer.app)
      guard method.seconds <= Self.callSeconds else { throw Self.trapped(.time) }
      try spendCall(of: timer.app.org, at: now)
      _ = try apply(method, timer.method, timer.args, to: timer.app, by: nil, at: now)
      timer.lastError = nil
    } catch {
      timer.lastError = (error as? Refusal)?.info
    }
  }
}
