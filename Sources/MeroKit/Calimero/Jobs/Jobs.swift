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
    /// It follows the app's events, and asks every two seconds while it cannot. It waits as long as the job takes; cancel
    /// the task to wait no longer, which leaves the job alone.
    ///
    /// ```swift
    /// let queued = try await client.apps.jobCreate(app: app, method: "rebuild", args: [:])
    /// let job = try await client.jobs.wait(app: app, job: queued.jobId)
    /// if job.state == .done { use(job.result) } else { show(job.error?.message) }
    /// ```
    ///
    /// - Throws: ``CalimeroError``, `NOT_FOUND` for a job or app that is not there or goes away.
    public func wait(app: String, job: String) async throws -> Components.Schemas.Job {
      let first = try await ask(app, job)
      if first.hasEnded { return first }
      let stream = core.events(app, kinds: ["calimero.job"], options: EventOptions(onGap: .resume))
      let connection = Locked(StreamConnection?.none)
      return try await withThrowingTaskGroup(of: Components.Schemas.Job?.self) { group in
        group.addTask { await Self.follow(stream, job) }
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
    private static func follow(_ stream: AppEventStream, _ job: String) async -> Components.Schemas.Job? {
      do {
        for try await event in stream where event.kind == "calimero.job" {
          guard event.data["jobId"]?.stringValue == job else { continue }
          let told = try event.data.decode(Components.Schemas.Job.self)
          if told.hasEnded { return told }
        }
      } catch {
        return nil
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
          let now = try await ask(app, job)
          if now.hasEnded { return now }
        }
        wasOpen = isOpen
        try await core.options.clock.sleep(Self.pollInterval)
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
