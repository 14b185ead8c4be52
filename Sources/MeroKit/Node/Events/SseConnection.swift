import Foundation
import MeroHTTP
import MeroWire

/// The one event stream of a node's client, opened when somebody first wants events and shared by all who do (10 §4.5).
///
/// ```swift
/// for try await event in mero.events(contextIds: [context]) {
///   print(event.kind, event.data)
/// }
/// ```
///
/// It finds its way back after every interruption that waiting can mend, every 3 seconds, and subscribes anew what is
/// wanted. A node keeps no events for those who are away: what happened during an interruption is lost, except presence,
/// which the node tells anew. So state is to be read anew whenever ``states`` says online again. Order is the node's, within
/// one connection.
public actor SseConnection {
  /// How many events wait for a consumer; of more, the oldest are dropped.
  public static let bufferLimit = 10_000

  nonisolated let clock: MeroClock
  private let way: Way
  private var machine = SseMachine()
  private var parser = SSEParser(maxEventBytes: SseFrame.limit)
  private var stream: Task<Void, Never>?
  private var posting: Task<Void, Never>?
  private var timers: [SseMachine.Timer: RunningTimer] = [:]
  private var timerCount = 0
  private var listeners: [Int: SseListener] = [:]
  /// Opened when the node has answered a subscription.
  private var settled: Gate?
  /// Opened when the connection is closed: for whoever connects to nobody.
  private var closed: Gate?
  /// How often it was closed: what was wanted before is wanted no longer.
  private var closings = 0
  private nonisolated let announcements = Announcements<SseState>()
  private nonisolated let online = Locked(true)
  private nonisolated let listenerCount = Locked(0)

  /// Where events come from.
  private enum Way {
    case node(NodeHTTP)
    /// From nowhere, and why.
    case nowhere(AccountError)
  }

  private struct RunningTimer {
    let number: Int
    let task: Task<Void, Never>
  }

  package init(http: NodeHTTP) {
    way = .node(http)
    clock = http.clock
  }

  /// A connection to nobody, for a relay that would let no stream in (40 §11.1): its streams stay quiet until it is closed, and
  /// it asks nothing. One that asked would be refused again and again, for ever.
  ///
  /// - Parameter reason: what ``subscribe(contextIds:groupIds:)`` throws.
  package init(inert reason: AccountError, clock: MeroClock) {
    way = .nowhere(reason)
    self.clock = clock
  }

  deinit {
    stream?.cancel()
    posting?.cancel()
    for timer in timers.values { timer.task.cancel() }
    announcements.close()
  }

  // MARK: State

  /// How the stream stands: the state at once if it was ever opened, then every change, until ``close()``. Each loop over it
  /// has its own.
  public nonisolated var states: AsyncStream<SseState> { announcements.listen() }

  /// Whether the last news of the stream was good. True before there is any.
  public nonisolated var isOnline: Bool { online.withLock { $0 } }

  /// Opens the stream if there is none, without waiting for it. If it waits to be opened again, or was stopped, it is opened
  /// at once: what an app does when it comes back to the foreground.
  ///
  /// Where there is nobody to connect to, as at a relay whose key is not known, this returns when it is closed, or when the
  /// task is cancelled.
  public func connect() async {
    handle(.connect)
    guard case .nowhere = way else { return }
    let gate = closed ?? Gate()
    closed = gate
    try? await gate.wait()
  }

  /// Closes the stream, ends every consumer's, and forgets everything. Whoever wants events later opens it anew.
  public func close() { handle(.close) }

  /// There are new tokens, of a login: the stream is opened anew with them, also one that was stopped.
  package func tokensChanged() { handle(.newTokens) }

  /// The node has ended the session: the stream stops, and its consumers get the error.
  package func sessionEnded(_ error: MeroError) { handle(.sessionEnded(error)) }

  // MARK: Subscribing

  /// Subscribes to contexts and groups, and waits until the node has said which of them may be seen, however long there is no
  /// connection. ``unsubscribe(contextIds:groupIds:)`` ends it.
  ///
  /// The events go to ``events(contextIds:groupIds:)``, which subscribes by itself; this call is for those who want to know
  /// what was granted. Consumers of the same id share one subscription, and the last one to leave ends it.
  ///
  /// - Parameter groupIds: groups and namespaces, in hex. A migration's events come under its namespace.
  /// - Throws: ``MeroError`` when the node ends the session, or fails to answer twice; `CancellationError` when the task is
  ///   cancelled or the connection closed; ``AccountError/relayKeyUnavailable(_:)`` at once where there is nobody to subscribe
  ///   with. Nothing is subscribed then.
  @discardableResult
  public func subscribe(contextIds: [String] = [], groupIds: [String] = []) async throws -> SseSubscription {
    if case .nowhere(let reason) = way { throw reason }
    let topics = SseTopic.list(contextIds: contextIds, groupIds: groupIds)
    let closings = closings
    handle(.want(topics))
    do {
      while true {
        if let answer = machine.answer(to: topics) { return try answer.get() }
        let gate = settled ?? Gate()
        settled = gate
        try await gate.wait()
        guard closings == self.closings else { throw CancellationError() }
      }
    } catch {
      if closings == self.closings { handle(.unwant(topics)) }
      throw error
    }
  }

  /// Ends a subscription of ``subscribe(contextIds:groupIds:)``, unless another consumer still wants the same. Kept presence
  /// of a context goes with the last one.
  public func unsubscribe(contextIds: [String] = [], groupIds: [String] = []) {
    handle(.unwant(SseTopic.list(contextIds: contextIds, groupIds: groupIds)))
  }

  /// What is known of a context's presence: the last event of each author who was not removed, in the order they came, each
  /// with `ageMs`, milliseconds since the author was heard from.
  ///
  /// A node tells it once, when the context is first subscribed; this is for those who come later. It is empty after a new
  /// connection, until the node has told it anew.
  public func presenceSeed(_ contextId: String) -> [ContextEvent] {
    machine.presenceSeed(SseTopic.plain(contextId), at: clock.uptime())
  }

  // MARK: Consumers

  /// The events of these contexts and groups, as they happen.
  ///
  /// The subscription ends when the loop's task is cancelled, or when nobody holds the stream any more: after the loop, if the
  /// stream is not kept in a variable.
  ///
  /// Ids that the node refuses bring nothing; ``subscribe(contextIds:groupIds:)`` tells which those are. A consumer that is
  /// ``bufferLimit`` events behind loses the oldest.
  ///
  /// - Returns: a stream that ends with ``close()``, and throws ``MeroError`` when the node ends the session or refuses the
  ///   permission.
  public nonisolated func events(
    contextIds: [String] = [], groupIds: [String] = []
  ) -> AsyncThrowingStream<ContextEvent, any Error> {
    stream(of: SseTopic.list(contextIds: contextIds, groupIds: groupIds)) { $0 }
  }

  /// What `read` makes of the events of some topics; nil passes one over.
  ///
  /// - Parameter replaysPresence: whether presence that came before comes first.
  nonisolated func stream<Element: Sendable>(
    of topics: [SseTopic], replaysPresence: Bool = false,
    _ read: @escaping @Sendable (ContextEvent) -> Element?
  ) -> AsyncThrowingStream<Element, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(Self.bufferLimit))
    let listener = SseListener(
      topics: topics, replaysPresence: replaysPresence,
      take: { event in if let element = read(event) { continuation.yield(element) } },
      end: { continuation.finish(throwing: $0) })
    let number = listenerCount.withLock { count in
      count += 1
      return count
    }
    // The consumer's stream holds this connection, and so do these two steps, which end by themselves.
    let joining = Task { await self.add(listener, number) }
    continuation.onTermination = { _ in
      Task {
        await joining.value
        await self.remove(number)
      }
    }
    return stream
  }

  private func add(_ listener: SseListener, _ number: Int) {
    // All in one step of this actor: no event is missed between what was kept and what comes, and none comes twice.
    if listener.replaysPresence {
      for case .context(let id) in listener.topics {
        machine.presenceSeed(id, at: clock.uptime()).forEach(listener.take)
      }
    }
    listeners[number] = listener
    handle(.want(listener.topics))
  }

  private func remove(_ number: Int) {
    // Gone already when the connection was closed, and what it wanted is forgotten with it.
    guard let listener = listeners.removeValue(forKey: number) else { return }
    handle(.unwant(listener.topics))
  }

  // MARK: Performing

  private func handle(_ input: SseMachine.Input) {
    for effect in machine.handle(input, at: clock.uptime()) { perform(effect) }
  }

  private func perform(_ effect: SseMachine.Effect) {
    switch effect {
    case .deliver(let event): deliver(event)
    case .open(let attempt): open(attempt)
    case .drop:
      stream?.cancel()
      posting?.cancel()
    case .post(let request): post(request)
    case .start(let timer, let seconds): start(timer, seconds)
    case .stop(let timer): timers.removeValue(forKey: timer)?.task.cancel()
    case .announce(let state): announce(state)
    case .settled:
      settled?.open()
      settled = nil
    case .end(let error): end(error)
    }
  }

  private func deliver(_ event: ContextEvent) {
    for listener in listeners.values where listener.wants(event) { listener.take(event) }
  }

  private func announce(_ state: SseState) {
    guard case .node = way else { return }
    switch state {
    case .connecting: break
    case .online: online.withLock { $0 = true }
    case .offline, .stopped: online.withLock { $0 = false }
    }
    announcements.announce(state)
  }

  private func end(_ error: MeroError?) {
    let ended = listeners
    if error == nil {
      listeners = [:]
      closings += 1
      closed?.open()
      closed = nil
      online.withLock { $0 = true }
      announcements.startOver()
    }
    for listener in ended.values { listener.end(error) }
  }

  private func start(_ timer: SseMachine.Timer, _ seconds: TimeInterval) {
    guard case .node = way else { return }
    timers.removeValue(forKey: timer)?.task.cancel()
    timerCount += 1
    let number = timerCount
    let task = Task { [weak self, clock] in
      guard (try? await clock.sleep(seconds)) != nil else { return }
      await self?.elapsed(timer, number)
    }
    timers[timer] = RunningTimer(number: number, task: task)
  }

  private func elapsed(_ timer: SseMachine.Timer, _ number: Int) {
    // One that was stopped may have gone off already.
    guard timers[timer]?.number == number else { return }
    timers[timer] = nil
    handle(.elapsed(timer))
  }

  // MARK: Requests

  private func open(_ attempt: Int) {
    guard case .node(let http) = way else { return }
    parser = SSEParser(maxEventBytes: SseFrame.limit)
    // Neither task holds the connection while it waits: one that nobody holds any more ends them.
    stream = Task { [weak self] in
      let error: MeroError
      do {
        let response = try await http.open(Self.streamRequest)
        try Self.check(response)
        for try await chunk in response.body {
          guard try await self?.receive(chunk, attempt) == true else { return }
        }
        error = .network("the node has ended the event stream")
      } catch let failure {
        error = failure is CancellationError ? .network("the event stream was cut") : MeroError(failure)
      }
      if !Task.isCancelled { await self?.handle(.ended(error, attempt: attempt)) }
    }
  }

  private static let streamRequest = NodeRequest(
    .get, "/sse", headers: ["accept": "text/event-stream"], idleTimeout: SseMachine.silenceLimit)

  private static func check(_ response: HTTPResponse) throws {
    guard let type = response.headers["content-type"]?.lowercased(), !type.contains("text/event-stream")
    else { return }
    throw MeroError.decoding(
      "the node answered with \(Excerpt.of(type, upTo: 100)) in place of an event stream")
  }

  /// Takes a piece of a stream; answers whether more of it is wanted.
  private func receive(_ chunk: Data, _ attempt: Int) throws -> Bool {
    guard machine.hears(attempt, at: clock.uptime()) else { return false }
    // What a frame sets off may need the parser's room, or replace it: the frames are taken out first.
    var frames: [SseFrame] = []
    defer { for frame in frames { handle(.frame(frame, attempt: attempt)) } }
    try parser.feed(chunk, frames: { if let frame = SseFrame($0.data) { frames.append(frame) } })
    return true
  }

  private func post(_ request: SseRequest) {
    guard case .node(let http) = way else { return }
    posting = Task { [weak self] in
      let answer: Result<Set<SseTopic>, MeroError>
      do {
        let response = try await http.send(
          NodeRequest(.post, "/sse/subscription", body: .json(request.json.data())))
        answer = .success(SseRequest.granted(in: try response.json()))
      } catch {
        answer = .failure(error is CancellationError ? .network("the request was cut") : MeroError(error))
      }
      if !Task.isCancelled { await self?.handle(.answered(answer, request)) }
    }
  }
}

/// Who reads from the shared stream, and what.
struct SseListener: Sendable {
  private let contexts: Set<String>
  private let groups: Set<String>
  let topics: [SseTopic]
  let replaysPresence: Bool
  let take: @Sendable (ContextEvent) -> Void
  let end: @Sendable (MeroError?) -> Void

  init(
    topics: [SseTopic], replaysPresence: Bool, take: @escaping @Sendable (ContextEvent) -> Void,
    end: @escaping @Sendable (MeroError?) -> Void
  ) {
    self.topics = topics
    self.replaysPresence = replaysPresence
    self.take = take
    self.end = end
    contexts = Set(topics.compactMap { if case .context(let id) = $0 { id } else { nil } })
    groups = Set(topics.compactMap { if case .group(let id) = $0 { id } else { nil } })
  }

  func wants(_ event: ContextEvent) -> Bool {
    contexts.contains(event.contextId) || event.groupId.map { groups.contains($0) } == true
  }
}
