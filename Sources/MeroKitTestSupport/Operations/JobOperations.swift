import Foundation
import MeroWire

// Jobs: methods that run longer than a call may, one at a time in each app (70 §2.20).

extension ClusterState {
  static let jobHandlers: [String: Handler] = [
    "app_job_create": { state, _, x in try state.createJob(x) },
    "app_job_get": { state, _, x in try state.getJob(x) },
    "app_job_cancel": { state, _, x in try state.cancelJob(x) },
  ]

  private func createJob(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let app = try usableApp(x, for: caller, as: .writer)
    let fields = try x.fields()
    let (name, args) = try invocation(fields, x)
    return try once(x, caller) {
      _ = try method(name, of: app)
      try requireReady(app)
      try requireWritable(app, at: x.now)
      forgetOldJobs(at: x.now)
      let job = JobRecord(
        id: ids.id("job", at: x.now), app: app, account: caller.account, method: name, args: args,
        timeoutMs: fields["timeoutMs"]?.int64 ?? 600_000, createdAt: x.now)
      jobs.insert(job)
      tell(of: job, at: x.now)
      schedule(at: x.now)
      return (202, job.json)
    }
  }

  private func getJob(_ x: Exchange) throws -> Outcome {
    let job = try job(x)
    return .answer(200, job.json)
  }

  private func cancelJob(_ x: Exchange) throws -> Outcome {
    let job = try job(x)
    if !job.hasEnded {
      end(job, .cancelled, at: x.now)
      schedule(at: x.now)
    }
    return .answer(200, job.json)
  }

  private func job(_ x: Exchange) throws -> JobRecord {
    let (app, job) = try usableApp(x, for: caller(x), as: .writer) { app in
      forgetOldJobs(at: x.now)
      guard let job = jobs[x.path["job"] ?? ""], job.app === app else { throw Refusal.notFound("job") }
      return job
    }
    _ = try x.fields()
    try requireReady(app, forView: true)
    return job
  }

  private func forgetOldJobs(at now: Int64) {
    for job in jobs.values.filter({ ($0.finishedAt ?? now) + JobRecord.keptAfterEnd < now }) {
      jobs.remove(job.id)
    }
  }

  // MARK: Running

  /// The job of each app that runs, or else waits first. An app that is not ready begins none, nor does one whose organization
  /// is suspended; one whose code is not there goes on with none.
  func nextJobs() -> [JobRecord] {
    var next: [String: JobRecord] = [:]
    for job in jobs.values where !job.hasEnded {
      if let other = next[job.app.id], Self.turn(of: other) < Self.turn(of: job) { continue }
      next[job.app.id] = job
    }
    return next.values.filter { job in
      guard !job.app.package.isUnknown else { return false }
      return job.state == .running || (job.app.state == .ready && !job.app.org.isSuspended)
    }
  }

  /// Ids are in the order they were made.
  private static func turn(of job: JobRecord) -> (Int, String) { (job.state == .running ? 0 : 1, job.id) }

  /// When a job begins, reports a step, ends, or is out of time.
  func dueTime(of job: JobRecord) -> Int64 {
    guard let start = job.startedAt else { return job.createdAt }
    guard let method = job.app.package.definition.methods[job.method] else { return start }
    let step = method.seconds * 1000 * Double(job.steps + 1) / Double(method.steps)
    return start + min(Int64(step.rounded()), job.timeoutMs)
  }

  /// Takes a job on by what is due.
  func advance(_ job: JobRecord, at now: Int64) {
    guard let start = job.startedAt else {
      job.startedAt = now
      job.state = .running
      return tell(of: job, at: now)
    }
    do {
      let method = try method(job.method, of: job.app)
      if method.seconds * 1000 > Double(job.timeoutMs), now >= start + job.timeoutMs {
        throw Self.trapped(.time)
      }
      job.steps += 1
      guard job.steps >= method.steps else {
        job.progress = Double(job.steps) / Double(method.steps)
        return tell(of: job, at: now)
      }
      try requireMayRun(job.app, for: job.account, at: now)
      try spendCall(of: job.app.org, at: now)
      let answer = try apply(method, job.method, job.args, to: job.app, by: job.account, at: now)
      job.result = answer["result"]
      job.progress = 1
      end(job, .done, at: now)
    } catch {
      job.error = (error as? Refusal)?.info
      end(job, .failed, at: now)
    }
  }

  private func end(_ job: JobRecord, _ state: JobState, at now: Int64) {
    job.finishedAt = now
    job.state = state
    tell(of: job, at: now)
  }

  private func tell(of job: JobRecord, at now: Int64) {
    note("calimero.job", job.json, in: job.app, by: job.account, at: now)
  }
}
