// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// Where a job stands.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct JobState: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits.
    public static let queued = JobState(rawValue: "queued")
    /// It runs.
    public static let running = JobState(rawValue: "running")
    /// It returned.
    public static let done = JobState(rawValue: "done")
    /// It failed.
    public static let failed = JobState(rawValue: "failed")
    /// It was stopped.
    public static let cancelled = JobState(rawValue: "cancelled")

    /// The words known when this was written, in the document's order.
    public static let known: [JobState] = [.queued, .running, .done, .failed, .cancelled]
  }

  /// A compute job: a method that runs longer than a call may.
  public struct Job: Codable, Sendable, Hashable {
    /// The job's id.
    public var jobId: String
    /// The app.
    public var appId: String
    /// The method.
    public var method: String
    /// Where a job stands.
    public var state: JobState
    /// 0 to 1, when the method reports it.
    public var progress: Double?
    /// What it returned, once done.
    public var result: JSONValue?
    /// Why it failed.
    public var error: ErrorInfo?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds.
    public var startedAt: Int64?
    /// Unix milliseconds.
    public var finishedAt: Int64?

    /// Creates one from its fields.
    public init(
      jobId: String,
      appId: String,
      method: String,
      state: JobState,
      progress: Double? = nil,
      result: JSONValue? = nil,
      error: ErrorInfo? = nil,
      createdAt: Int64,
      startedAt: Int64? = nil,
      finishedAt: Int64? = nil
    ) {
      self.jobId = jobId
      self.appId = appId
      self.method = method
      self.state = state
      self.progress = progress
      self.result = result
      self.error = error
      self.createdAt = createdAt
      self.startedAt = startedAt
      self.finishedAt = finishedAt
    }
  }
}
