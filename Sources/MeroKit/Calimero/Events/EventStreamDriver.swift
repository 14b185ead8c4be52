import Foundation
import MeroAPI
import MeroHTTP
import MeroSealed
import MeroWire

/// Performs what an ``EventStreamMachine`` decides: one connection at a time, read no faster than the consumer
/// takes, watched for silence.
///
/// It begins with the consumer's first step and ends with the machine, or as soon as it is cancelled.
actor EventStreamDriver {
  /// What a stream needs of its client.
  struct Client: Sendable {
    /// Opens the stream at one node: the preferred one, or the one after a node.
    var open:
      @Sendable (_ cursor: String?, _ preferred: NodeHandle?, _ after: NodeHandle?) async throws ->
        OpenedStream
    /// The connection to this node broke.
    var failed: @Sendable (NodeHandle) async -> Void
    /// Waits until the client's session is over; nil when the client closes.
    var sessionEnd: @Sendable () async -> SignedOutReason?
    /// The consumer has seen the app at this position.
    var noteSeq: @Sendable (UInt64) async -> Void
  }

  /// What can be asked of a stream at any time.
  final class Status: Sendable {
    let cursor = Locked<String?>(nil)
    let connection = Announcements(StreamConnection.connecting)
    fileprivate let task = Locked<Task<Void, Never>?>(nil)

    /// Closes the connection and ends the stream.
    func cancel() { task.withLock { $0 }?.cancel() }
  }

  nonisolated let status = Status()
  private let client: Client
  private let clock: MeroClock
  private let random: MeroRandom
  private var machine: EventStreamMachine
  private var isRunning = false
  private var lastNode: NodeHandle?
  /// Opened when there is something for the consumer.
  private var arrivals: Gate?
  /// Opened when the consumer took something.
  private var departures: Gate?

  init(_ machine: EventStreamMachine, client: Client, clock: MeroClock, random: MeroRandom) {
    self.machine = machine
    self.client = client
    self.clock = clock
    self.random = random
    status.cursor.withLock { $0 = machine.lastCursor }
  }

  // MARK: The consumer's side

  /// The next event, or nil at the end.
  func next() async throws -> AppEvent? {
    start()
    while !Task.isCancelled {
      switch machine.take() {
      case .event(let event):
        status.cursor.withLock { $0 = machine.lastCursor }
        open(&departures)
        await client.noteSeq(event.seq)
        return event
      case .end(let error):
        machine.tookEnd()
        if let error { throw error }
        return nil
      case .nothingYet:
        try? await gate(&arrivals).wait()
      }
    }
    status.cancel()
    machine.close()
    return nil
  }

  private func start() {
    guard !isRunning else { return }
    isRunning = true
    let task = Task { await self.run() }
    status.task.withLock { $0 = task }
  }

  // MARK: Running

  private func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.drive() }
      group.addTask { await self.sessionEnded(await self.client.sessionEnd()) }
      await group.next()
      group.cancelAll()
    }
    machine.close()
    status.connection.close()
    open(&arrivals)
  }

  private func sessionEnded(_ reason: SignedOutReason?) {
    if let reason { machine.signedOut(reason) }
  }

  private func drive() async {
    machine.wanted(at: clock.uptime())
    while !Task.isCancelled, !machine.givesUp(at: clock.uptime()) {
      switch machine.step(at: clock.uptime()) {
      case .finish: return
      case .wait(let until):
        let seconds = until - clock.uptime()
        status.connection.announce(.waiting(until: clock.now().addingTimeInterval(seconds)))
        try? await clock.sleep(seconds)
      case .waitForRoom:
        status.connection.announce(.waiting(until: clock.now()))
        try? await gate(&departures).wait()
        machine.wanted(at: clock.uptime())
      case .connect(let attempt):
        status.connection.announce(.connecting)
        let end = await connection(attempt)
        let wasOpen = machine.isOpen
        machine.ended(
          end, at: clock.uptime(), wallClock: clock.now(), unit: random.unit(), from: lastNode?.url)
        // A node that cannot be reached in the first place is known to the client already.
        if wasOpen, machine.leavesNode, let lastNode { await client.failed(lastNode) }
        open(&arrivals)
      }
    }
  }

  /// Makes a connection, reads it to its end and says how it ended.
  private func connection(_ attempt: EventStreamMachine.Attempt) async -> EventStreamMachine.End {
    await withTaskGroup(of: EventStreamMachine.End.self) { group in
      group.addTask { await self.read(attempt) }
      group.addTask { await self.watch() }
      let end = await group.next() ?? .finished
      group.cancelAll()
      return end
    }
  }

  private func read(_ attempt: EventStreamMachine.Attempt) async -> EventStreamMachine.End {
    do {
      let opened = try await client.open(
        attempt.cursor, attempt.node == .same ? lastNode : nil, attempt.node == .next ? lastNode : nil)
      lastNode = opened.node
      machine.opened(at: clock.uptime())
      status.connection.announce(.open)
      var parser = SSEParser(maxEventBytes: AnswerLimit.event)
      for try await chunk in opened.body {
        machine.heard(at: clock.uptime())
        for event in try events(in: chunk, &parser) {
          try await waitForRoom()
          try receive(event)
          if case .finish = machine.step(at: clock.uptime()) { return .finished }
        }
      }
      return .finished
    } catch {
      return end(error)
    }
  }

  private func events(in chunk: Data, _ parser: inout SSEParser) throws -> [ServerSentEvent] {
    do {
      return try parser.feed(chunk)
    } catch {
      // It refuses nothing else. A body that ends with `tooLarge` only came faster than it was read.
      throw CalimeroError.decoding(
        .tooLarge(limit: AnswerLimit.event, operation: APIOperation.appEventStream.id))
    }
  }

  private func receive(_ event: ServerSentEvent) throws {
    do {
      machine.receive(try ExactJSON.decode(AppEvent.self, from: Data(event.data.utf8)))
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error, operation: APIOperation.appEventStream.id))
    }
    if status.cursor.withLock({ $0 }) == nil { status.cursor.withLock { $0 = machine.lastCursor } }
    open(&arrivals)
  }

  /// Ends when the connection has been silent for too long, or was not made in the time that the stream may be without.
  private func watch() async -> EventStreamMachine.End {
    while !Task.isCancelled {
      let now = clock.uptime()
      // The machine knows then how it all ended.
      if machine.givesUp(at: now) { break }
      let deadline = machine.deadAt ?? min(now + machine.limits.idle, machine.endsUnconnectedAt)
      if deadline <= now { return .idle }
      try? await clock.sleep(deadline - now)
    }
    return .failed(.cancelled)
  }

  private struct ConsumerIsSlow: Error {}

  /// Stops reading while enough waits for the consumer.
  private func waitForRoom() async throws {
    guard machine.isFull else { return }
    machine.paused(true, at: clock.uptime())
    defer { machine.paused(false, at: clock.uptime()) }
    let limit = machine.limits.pause
    let departure = gate(&departures)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await departure.wait() }
      group.addTask { [clock] in try? await clock.sleep(limit) }
      await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
    if machine.isFull { throw ConsumerIsSlow() }
  }

  private func end(_ error: any Error) -> EventStreamMachine.End {
    switch error {
    case is ConsumerIsSlow: return .slow
    case is CancellationError: return .failed(.cancelled)
    case let error as CalimeroError:
      if case .unreachable(let failure) = error, let node = failure.failures.last?.node {
        lastNode = NodeHandle(url: node)
      }
      return .failed(error)
    case SealedError.cutShort: return .cut
    case let error as TransportError: return .lost(error.text)
    default: return .lost("\(error)")
    }
  }

  // MARK: Gates

  private func gate(_ gate: inout Gate?) -> Gate {
    if let gate { return gate }
    let new = Gate()
    gate = new
    return new
  }

  private func open(_ gate: inout Gate?) {
    gate?.open()
    gate = nil
  }
}
