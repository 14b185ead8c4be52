import MeroWire

/// The answers a cluster keeps so that a request can be repeated (70 §2.7).
///
/// A request that runs is remembered here only: it has changed nothing yet, so a cluster that ends forgets it.
struct IdempotencyTable {
  struct Key: Hashable {
    let account: String
    /// The app, or the operation for what is not done to an app.
    let scope: String
    let key: String

    /// Neither ids nor operations have a space in them.
    fileprivate var id: String { "\(account) \(scope) \(key)" }
  }

  enum Answer {
    case success(status: Int, JSONValue)
    case refusal(Refusal)
  }

  private struct Entry {
    let contents: [UInt8]
    let at: Int64
  }

  static let lifetime: Int64 = 24 * 3_600_000

  private let answers: Table<AnswerRecord>
  private var running: [String: Entry] = [:]
  /// Answers in the order their requests came, to forget them in.
  private var ages: [(id: String, at: Int64)] = []
  private var forgotten = 0

  init(_ ledger: Ledger) {
    self.init(Table(ledger))
  }

  private init(_ answers: Table<AnswerRecord>) {
    self.answers = answers
  }

  /// The kept answer, or `nil` when the request is new and counts as running from here on. Throws while the first one
  /// runs, and when the key was used for something else. `contents` is a hash of what the request asks for.
  ///
  /// One that runs is forgotten in the same time as an answer, so that no key is lost whatever became of its request.
  mutating func begin(_ key: Key, contents: [UInt8], at now: Int64) throws(Refusal) -> Answer? {
    forget(at: now)
    let id = key.id
    let known = answers[id].flatMap { $0.at + Self.lifetime > now ? $0 : nil }
    let current = running[id].flatMap { $0.at + Self.lifetime > now ? $0 : nil }
    guard let first = known?.contents ?? current?.contents else {
      running[id] = Entry(contents: contents, at: now)
      return nil
    }
    guard first == contents else {
      throw Refusal(
        409, "IDEMPOTENCY_KEY_REUSED", "the idempotency key was used before with other contents")
    }
    guard let known else {
      throw Refusal(
        409, "IDEMPOTENCY_IN_PROGRESS", "the first request with this key is still running", retryAfterMs: 200)
    }
    return known.answer
  }

  /// Keeps the answer of a request that ran.
  mutating func finish(_ key: Key, _ answer: Answer) {
    let id = key.id
    guard let entry = running.removeValue(forKey: id) else { return }
    answers.insert(AnswerRecord(id: id, contents: entry.contents, at: entry.at, answer: answer))
    ages.append((id, entry.at))
  }

  /// Forgets a request that ran nothing.
  mutating func abandon(_ key: Key) {
    running[key.id] = nil
  }

  /// Forgets every answer and every request that runs.
  mutating func forgetAll() {
    for id in answers.values.map(\.id) { answers.remove(id) }
    self = IdempotencyTable(answers)
  }

  private mutating func forget(at now: Int64) {
    while forgotten < ages.count, ages[forgotten].at + Self.lifetime <= now {
      let age = ages[forgotten]
      // A key that was used anew after a day is as old as its second use.
      if answers[age.id]?.at == age.at { answers.remove(age.id) }
      forgotten += 1
    }
    if forgotten > 1024, forgotten * 2 > ages.count {
      ages.removeFirst(forgotten)
      forgotten = 0
    }
  }
}

extension IdempotencyTable {
  /// Takes over the answers that were kept.
  mutating func restore(_ rows: inout KeptRows) throws {
    try answers.restore(&rows) { try AnswerRecord($0) }
    ages = answers.values.map { ($0.id, $0.at) }.sorted { $0.at < $1.at }
  }
}
