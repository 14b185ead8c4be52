import MeroWire

/// What a cluster does by itself when its time comes.
private enum DueWork {
  case presence(AppRecord)
  case upgrade(AppRecord)
  case job(JobRecord)
  case timer(TimerRecord)
}

extension ClusterState {
  /// How many missed times of one timer are made up for when the clock jumps; the others are left out.
  private static let mostMissed = 100

  /// Has ``runDue(at:)`` look again at this time.
  func schedule(at time: Int64) {
    guard time < nextDue ?? .max else { return }
    nextDue = time
    dueRevision += 1
  }

  /// Finds out when something falls due next, after the state was read.
  func scheduleAll() {
    nextDue = firstDue()?.at
    dueRevision += 1
  }

  /// Does what fell due up to now, in the order it fell due and each as of its own time, so that it makes no difference
  /// how far the clock moves at once.
  func runDue(at now: Int64) {
    guard var time = nextDue, time <= now else { return }
    var runs: [String: Int] = [:]
    while let due = firstDue(), due.at <= now {
      time = max(time, due.at)
      switch due.work {
      case .presence(let app): expirePresence(in: app, at: time)
      case .upgrade(let app): finishUpgrade(of: app, at: time)
      case .job(let job): advance(job, at: time)
      case .timer(let timer):
        runs[timer.id, default: 0] += 1
        fire(timer, at: time, skippingTo: runs[timer.id, default: 0] < Self.mostMissed ? nil : now)
      }
    }
    scheduleAll()
  }

  /// An app whose code is not there waits for it with everything, as does one that is to move to such a version: nothing of what
  /// it is due to run is lost (ADR 18).
  private func firstDue() -> (at: Int64, work: DueWork)? {
    var first: (at: Int64, id: String, work: DueWork)?
    func consider(_ at: Int64?, _ id: String, _ work: DueWork) {
      guard let at, (at, id) < (first?.at ?? .max, first?.id ?? "") else { return }
      first = (at, id, work)
    }
    for app in apps.values {
      consider(app.presence.nextExpiry, app.id, .presence(app))
      if let upgrade = app.upgrade, !upgrade.version.isUnknown, !app.package.isUnknown {
        consider(upgrade.endsAt, app.id, .upgrade(app))
      }
    }
    for job in nextJobs() { consider(dueTime(of: job), job.id, .job(job)) }
    for timer in timers.values where !timer.app.package.isUnknown {
      consider(timer.nextAt, timer.id, .timer(timer))
    }
    return first.map { ($0.at, $0.work) }
  }
}
