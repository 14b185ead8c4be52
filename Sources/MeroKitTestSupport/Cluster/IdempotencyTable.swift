import MeroWire

/// The answers a cluster keeps so that a request can be repeated (70 §2.7).
struct IdempotencyTable {
  struct Key: Hashable {
    let account: String
    /// The app, or the operation for what is not done to an app.
    let scope: String
    let key: String
  }

  enum Answer {
    case success(status: Int, JSONValue)
    case refusal(Refusal)
  }

  private struct Entry {
    let contents: [UInt8]
    let at: Int64
    /// `nil` while the request runs.
    var answer: Answer?
  }

  static let lifetime: Int64 = 24 * 3_600_000

  private var entries: [Key: Entry] = [:]
  /// Keys in the order they were made, to forget them in.
  private var ages: [(key: Key, at: Int64)] = []
  private var forgotten = 0

  /// The kept answer, or `nil` when the request is new and counts as running from here on. Throws while the first one
  /// runs, and when the key was used for something else. `contents` is a hash of what the request asks for.
  mutating func begin(_ key: Key, contents: [UInt8], at now: Int64) throws(Refusal) -> Answer? {
    forget(at: now)
    guard let entry = entries[key] else {
      entries[key] = Entry(contents: contents, at: now)
      ages.append((key, now))
      return nil
    }
    guard entry.contents == contents else {
      throw Refusal(
        409, "IDEMPOTENCY_KEY_REUSED", "the idempotency key was used before with other contents")
    }
    guard let answer = entry.answer else {
      throw Refusal(
        409, "IDEMPOTENCY_IN_PROGRESS", "the first request with this key is still running", retryAfterMs: 200)
    }
    return answer
  }

  /// Keeps the answer of a request that ran.
  mutating func finish(_ key: Key, _ answer: Answer) {
    entries[key]?.answer = answer
  }

  /// Forgets a request that ran nothing.
  mutating func abandon(_ key: Key) {
    guard let entry = entries[key], entry.answer == nil else { return }
    entries[key] = nil
  }

  private mutating func forget(at now: Int64) {
    while forgotten < ages.count, ages[forgotten].at + Self.lifetime <= now {
      let age = ages[forgotten]
      // A key that was abandoned and begun anew is as old as its second beginning.
      if entries[age.key]?.at == age.at { entries[age.key] = nil }
      forgotten += 1
    }
    if forgotten > 1024, forgotten * 2 > ages.count {
      ages.removeFirst(forgotten)
      forgotten = 0
    }
  }
}
