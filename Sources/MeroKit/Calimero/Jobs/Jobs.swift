import Foundation
import MeroAPI
import MeroHTTP
import MeroWire

extension CalimeroClient {
  /// Waiting for compute jobs. They are made, read and cancelled with ``CalimeroClient/apps``.
  public nonisolated var jobs: Jobs { Jobs(core: core) }

  /// What one does with jobs beyond single requests (70 §2.20).
  public struct Jobs: Sendable {
    /// Seconds between two questions while no event stream is open.
    private static let pollInterval: TimeInterval = 2

    let core: ClientCore

    /// Waits until a job has ended, and answers it as it ended: `done`, `failed` or `cancelled`.
    ///
    /// It follows the app's events, and asks every two seconds while it cannot. Once the job was found it waits as long
    /// as the job takes, also while no node can be reached; cancel the task to wait no longer, which leaves the job
    /// alone.
    ///
    /// ```swift
    /// let queued = try await client.apps.jobCreate(app: app, method: "rebuild", args: [:])
    /// let job = try await client.jobs.wait(app: app, job: queued.jobId)
    /// if job.state == .done { use(job.result) } else { show(job.error?.message) }
    /// ```
    ///
    /// - Throws: ``CalimeroError``, `NOT_FOUND` for a job or app that is not there or goes away; what asking for it
    ///   fails with the first time.
    public func wait(app: String, job: String) async throws -> Components.Schemas.Job {
      try await core.runs.run { try await ended(app, job) }
    }

    private func ended(_ app: String, _ job: String) async throws -> Components.Schemas.Job {
      let first = try await ask(app, job)
      if first.hasEnded { return first }
      let stream = core.events(app, kinds: ["calimero.job"], options: EventOptions(onGap: .resume))
      let connection = Locked(StreamConnection?.none)
      return try await withThrowingTaskGroup(of: Components.Schemas.Job?.self) { group in
        group.addTask { try await follow(stream, app, job) }
        group.addTask {
          for await state in stream.connection { connection.withLock { $0 = state } }
          connection.withLock { $0 = nil }
          return nil
        }
        group.addTask { try await poll(app, job, unless: connection) }
        defer { group.cancelAll() }
        do {
          while let ended = try await group.next() {
            if let ended { return ended }
          }
        } catch is CancellationError {
          throw CalimeroError.cancelled
        }
        throw CalimeroError.cancelled
      }
    }

    /// The job as an event says that it ended; nil when the stream ends before, of which the questions will say why.
    private func follow(
      _ stream: AppEventStream, _ app: String, _ job: String
    ) async throws -> Components.Schemas.Job? {
      var events = stream.makeAsyncIterator()
      while let event = try? await events.next() {
        guard event.kind == "calimero.job", event.data["jobId"]?.stringValue ?? job == job else { continue }
        // An event that cannot be read may be the last there is of this job: then the job itself says how it stands.
        let read = try? event.data.decode(Components.Schemas.Job.self)
        let told = if let read { read } else { try await askUntilTold(app, job) }
        if told.hasEnded { return told }
      }
      return nil
    }

    /// Asks as long as no stream is open, and once more when it is: the job may have ended before the node listened.
    private func poll(
      _ app: String, _ job: String, unless connection: Locked<StreamConnection?>
    ) async throws -> Components.Schemas.Job {
      var wasOpen = false
      while true {
        let isOpen = connection.withLock { $0 } == .open
        if !isOpen || !wasOpen {
          let now = try await askUntilTold(app, job)
          if now.hasEnded { return now }
        }
        wasOpen = isOpen
        try await core.options.clock.sleep(Self.pollInterval)
      }
    }

    /// Asks until it is told: over what waiting mends it asks again.
    private func askUntilTold(_ app: String, _ job: String) async throws -> Components.Schemas.Job {
      while true {
        do {
          return try await ask(app, job)
        } catch let error as CalimeroError where error.isMendedByWaiting {
          try await core.options.clock.sleep(Self.pollInterval)
        }
      }
    }

    private func ask(_ app: String, _ job: String) async throws -> Components.Schemas.Job {
      try await AppsApi(caller: core).jobGet(app: app, job: job)
    }
  }
}

extension Components.Schemas.Job {
  fileprivate var hasEnded: Bool { state == .done || state == .failed || state == .cancelled }
}

extension CalimeroError {
  /// Whether a question failed for what may be over in a moment.
  fileprivate var isMendedByWaiting: Bool {
    switch self {
    case .unknownOutcome: true
    case .api(let refusal): isRetryable || refusal.status == 502 || refusal.status == 504
    default: isRetryable
    }
  }
}
