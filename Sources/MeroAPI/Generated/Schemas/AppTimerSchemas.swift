// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// When a timer fires. Exactly one field is set.
  public struct TimerSchedule: Codable, Sendable, Hashable {
    /// Once, at these Unix milliseconds.
    public var at: Int64?
    /// Again and again, this far apart; at least 1000.
    public var everyMs: Int64?
    /// Five fields, in UTC.
    public var cron: String?

    /// Creates one from its fields.
    public init(at: Int64? = nil, everyMs: Int64? = nil, cron: String? = nil) {
      self.at = at
      self.everyMs = everyMs
      self.cron = cron
    }
  }

  /// A method an app runs at set times.
  public struct Timer: Codable, Sendable, Hashable {
    /// The timer's id.
    public var timerId: String
    /// The app.
    public var appId: String
    /// The method.
    public var method: String
    /// Its arguments.
    public var args: JSONValue?
    /// When a timer fires. Exactly one field is set.
    public var schedule: TimerSchedule
    /// Whether it fires.
    public var enabled: Bool
    /// Unix milliseconds of the next time.
    public var nextAt: Int64?
    /// Unix milliseconds of the last time.
    public var lastAt: Int64?
    /// Why the last run failed, if it did.
    public var lastError: ErrorInfo?
    /// Unix milliseconds.
    public var createdAt: Int64

    /// Creates one from its fields.
    public init(
      timerId: String,
      appId: String,
      method: String,
      args: JSONValue? = nil,
      schedule: TimerSchedule,
      enabled: Bool,
      nextAt: Int64? = nil,
      lastAt: Int64? = nil,
      lastError: ErrorInfo? = nil,
      createdAt: Int64
    ) {
      self.timerId = timerId
      self.appId = appId
      self.method = method
      self.args = args
      self.schedule = schedule
      self.enabled = enabled
      self.nextAt = nextAt
      self.lastAt = lastAt
      self.lastError = lastError
      self.createdAt = createdAt
    }
  }

  /// An app's timers.
  public struct TimerList: Codable, Sendable, Hashable {
    /// By next time.
    public var timers: [Timer]
    /// Pass it as cursor for the next page.
    public var nextCursor: String?

    /// Creates one from its fields.
    public init(timers: [Timer], nextCursor: String? = nil) {
      self.timers = timers
      self.nextCursor = nextCursor
    }
  }
}
