import Foundation
import MeroHTTP
import MeroWire

/// Performs what an ``OwnPresence`` decides, and keeps a ``PresentSet`` for all who read it, over one event stream.
actor PresenceDriver {
  /// What presence needs of its client. Each answers as if nothing were there when the client is gone.
  struct Client: Sendable {
    /// Sends an entry, with this access token when there is one, else as any request. Answers what it failed with.
    var put: @Sendable (OwnPresence.Statement, _ bearer: String?) async -> CalimeroError?
    var events: @Sendable () -> AppEventStream?
    /// The session in use.
    var session: @Sendable () async -> String?
  }

  /// Who is present at a moment.
  struct Snapshot: Sendable {
    let entries: [PresentSet.Entry]
    /// The session of this client.
    let session: String?
    let uptime: TimeInterval
  }

  private struct Listener {
    let hear: @Sendable (Snapshot) -> Void
    let end: Gate
  }

  nonisolated let failures = Announcements<CalimeroError>(isRemembering: false)
  private let client: Client
  private let clock: MeroClock
  private var own = OwnPresence()
  private var sending: Task<CalimeroError?, Never>?
  private var renewing: Task<Void, Never>?

  private var present = PresentSet()
  private var session: String?
  private var listeners: [Int: Listener] = [:]
  private var listenerCount = 0
  private var reading: Task<Void, Never>?
  /// Counts the readings: what comes of one that was stopped must not change a later one.
  private var readingCount = 0
  private var aging: (until: TimeInterval, task: Task<Void, Never>)?

  init(client: Client, clock: MeroClock) {
    self.client = client
    self.clock = clock
  }

  deinit {
    sending?.cancel()
    renewing?.cancel()
    reading?.cancel()
    aging?.task.cancel()
  }

  // MARK: What this session says

  func set(_ state: JSONValue) async throws {
    guard let statement = perform(.set(state)) else { return }
    let (outcome, isCurrent) = await send(statement)
    // Whoever set or cleared since has the last word, so that it was cancelled is nobody's failure.
    guard isCurrent else { return }
    switch outcome {
    case .taken, .missed: return
    case .refused(let error): throw error
    case .cancelled: throw CalimeroError.cancelled
    }
  }

  func clear() async { await say(.clear) }
  func pause() async { await say(.pause) }
  func resume() async { await say(.resume) }

  /// Says that the session left and ends everything that goes on: renewals, the stream, and all who listen. The
  /// versions stay, so that what is set afterwards is above what was said here.
  ///
  /// - Parameters:
  ///   - bearer: the token to say it with, when the session is over already.
  ///   - error: what those who read entries get; nil lets them end.
  func close(bearer: String? = nil, _ error: CalimeroError? = nil) async {
    let last = perform(.close)
    failures.dismiss()
    stopReading()
    endListeners(error.map { .failure($0) } ?? .success(()))
    if let last { _ = await client.put(last, bearer) }
  }

  private func say(_ input: OwnPresence.Input) async {
    if let statement = perform(input) { _ = await send(statement) }
  }

  /// Does what the machine says, and answers what is to be sent.
  private func perform(_ input: OwnPresence.Input) -> OwnPresence.Statement? {
    let milliseconds = max(0, clock.now().timeIntervalSince1970 * 1000)
    let moment = OwnPresence.Moment(milliseconds: UInt64(milliseconds), uptime: clock.uptime())
    var statement: OwnPresence.Statement?
    for effect in own.handle(input, at: moment) {
      switch effect {
      case .put(let next): statement = next
      case .report(let error): failures.announce(error)
      case .wait(let turn, let seconds): renew(turn, after: seconds)
      case .cancel:
        sending?.cancel()
        renewing?.cancel()
        (sending, renewing) = (nil, nil)
      }
    }
    return statement
  }

  private func renew(_ turn: Int, after seconds: TimeInterval) {
    // It does not hold the driver while it sleeps: one that nobody holds any more says nothing more.
    renewing = Task { [weak self, clock] in
      guard (try? await clock.sleep(seconds)) != nil, !Task.isCancelled else { return }
      await self?.say(.due(turn: turn))
    }
  }

  private func send(
    _ statement: OwnPresence.Statement
  ) async -> (outcome: OwnPresence.Outcome, isCurrent: Bool) {
    let task = Task { [client] in await client.put(statement, nil) }
    sending = task
    let failure = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    let outcome = OwnPresence.Outcome(failure)
    let isCurrent = own.isCurrent(statement)
    _ = perform(.ended(statement, outcome))
    return (outcome, isCurrent)
  }

  // MARK: Who is present

  /// Hears who is present now, when that is known, and after every change, until the task is cancelled.
  ///
  /// - Throws: what the event stream ended with. Returns when the app was deleted or the presence closed.
  func listen(_ hear: @escaping @Sendable (Snapshot) -> Void) async throws {
    listenerCount += 1
    let (id, end) = (listenerCount, Gate())
    listeners[id] = Listener(hear: hear, end: end)
    if present.isKnown { hear(snapshot) }
    if reading == nil {
      readingCount += 1
      reading = Task { [weak self, stream = client.events(), number = readingCount] in
        let end = await Self.read(stream) { [weak self] in try await self?.receive($0, in: number) }
        await self?.ended(end, in: number)
      }
    }
    defer {
      listeners[id] = nil
      if listeners.isEmpty { stopReading() }
    }
    try await end.wait()
  }

  private static func read(
    _ stream: AppEventStream?, _ receive: @Sendable (AppEvent) async throws -> Void
  ) async -> Result<Void, any Error> {
    do {
      if let stream {
        for try await event in stream { try await receive(event) }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func receive(_ event: AppEvent, in number: Int) async throws {
    let session = await client.session()
    // The last who read may have left while that was asked.
    guard isReading(number) else { return }
    self.session = session
    do {
      if try present.receive(event, at: clock.uptime()) { publish() }
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error, operation: "app_event_stream"))
    }
    arm()
  }

  /// The stream is over: nobody is known to be present any more.
  private func ended(_ end: Result<Void, any Error>, in number: Int) {
    guard isReading(number) else { return }
    stopReading()
    endListeners(end)
  }

  private func isReading(_ number: Int) -> Bool { reading != nil && number == readingCount }

  private func stopReading() {
    reading?.cancel()
    aging?.task.cancel()
    (reading, aging) = (nil, nil)
    present.forget()
  }

  private func endListeners(_ end: Result<Void, any Error>) {
    for listener in listeners.values {
      if case .success = end {
        listener.hear(Snapshot(entries: [], session: session, uptime: clock.uptime()))
      }
      listener.end.open(end)
    }
  }

  private func publish() {
    for listener in listeners.values { listener.hear(snapshot) }
  }

  private var snapshot: Snapshot {
    Snapshot(entries: present.all, session: session, uptime: clock.uptime())
  }

  /// Waits for the first entry that is over unless it is renewed.
  private func arm() {
    guard let end = present.nextEnd, end < aging?.until ?? .infinity else { return }
    aging?.task.cancel()
    let task = Task { [weak self, clock] in
      guard (try? await clock.sleep(end - clock.uptime())) != nil, !Task.isCancelled else { return }
      await self?.aged()
    }
    aging = (end, task)
  }

  private func aged() {
    aging = nil
    if present.age(at: clock.uptime()) { publish() }
    arm()
  }
}
