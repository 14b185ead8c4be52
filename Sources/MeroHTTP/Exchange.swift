import Foundation

/// One request under way: who waits for its head, where its body goes, and when it has taken too long.
///
/// Every end (completion, failure, a limit, cancellation) may come from another thread; the first one counts. The
/// carrier (a session's delegate, libcurl's thread) holds this object until the transfer is over; the reader of the body
/// holds only the buffer.
final class Exchange: Sendable {
  private enum Phase {
    case idle
    case waitingForHead(CheckedContinuation<Void, any Error>)
    case body
    case ended
  }

  private struct State {
    var phase = Phase.idle
    var watch: Task<Void, Never>?
    /// Whether a byte of the request may have gone out.
    var isSending = false
    /// What came, until it is taken. It goes through the lock rather than through the continuation, because a thread
    /// checker sees how a lock orders two threads and not how a continuation does.
    var head: HTTPResponse?
  }

  private let task: PacedTask
  private let buffer: BodyBuffer
  let host: String
  private let clock: MeroClock
  private let connectTimeout: TimeInterval
  private let connectDeadline: TimeInterval
  private let headDeadline: TimeInterval
  private let idleTimeout: TimeInterval
  private let progress: SentProgress?
  private let state = Locked(State())

  init(task: PacedTask, request: HTTPRequest, clock: MeroClock) {
    self.task = task
    self.clock = clock
    buffer = BodyBuffer { task.perform($0) }
    host = request.url.host ?? "the server"
    // A transfer that does not ask says something only while it sends a body.
    let isSeen = task.asksBeforeSending || request.body != nil
    connectTimeout = isSeen ? request.connectTimeout ?? .infinity : .infinity
    connectDeadline = clock.uptime() + connectTimeout
    headDeadline = clock.uptime() + (request.timeout ?? .infinity)
    idleTimeout = request.idleTimeout ?? .infinity
    progress = request.onSent.map { SentProgress($0) }
  }

  // MARK: The sender's side

  /// Takes the one who waits for the head, and begins.
  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    let begun = state.withLock { state in
      guard case .idle = state.phase else { return false }
      state.phase = .waitingForHead(continuation)
      if connectDeadline.isFinite || headDeadline.isFinite || idleTimeout.isFinite {
        state.watch = Task { await self.watch() }
      }
      return true
    }
    if begun { task.begin(self) } else { continuation.resume(throwing: CancellationError()) }
  }

  /// The head that was waited for.
  func takeHead() throws -> HTTPResponse {
    let head = state.withLock { state in
      defer { state.head = nil }
      return state.head
    }
    guard let head else { throw lost("closed the connection without an answer") }
    return head
  }

  /// The task that waits for the head was cancelled.
  func cancel() {
    // First, since a transfer that is given up ends its exchange in words of its own.
    end(.failure(CancellationError()))
    task.perform(.cancel)
  }

  // MARK: The carrier's side

  /// Something that is no part of the answer has arrived.
  func touch() { task.touch() }

  /// Whether the first byte may go out, as it may until the exchange has ended.
  func willSend() -> Bool {
    state.withLock { state in
      guard case .waitingForHead = state.phase else { return false }
      state.isSending = true
      return true
    }
  }

  func sent(_ count: Int64, of total: Int64) {
    task.touch()
    if count > 0 { state.withLock { $0.isSending = true } }
    if total > 0 { progress?.tell(min(count, total), of: total) }
  }

  func receive(status: Int, headers: HTTPHeaders) {
    task.touch()
    let head = HTTPResponse(status: status, headers: headers, body: HTTPBody(buffer))
    let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard case .waitingForHead(let continuation) = state.phase else { return nil }
      state.phase = .body
      state.head = head
      return continuation
    }
    guard let waiting else { return }
    // Whoever hears of the answer has heard of all that was sent.
    if let progress { progress.afterwards { waiting.resume() } } else { waiting.resume() }
  }

  func receive(_ data: Data) {
    task.touch()
    buffer.push(data)
  }

  func receiveSomethingElse() {
    end(.failure(lost("answered with something other than HTTP")))
    task.perform(.cancel)
  }

  func complete(_ failure: TransportError?) {
    end(failure.map { .failure($0) } ?? .success(()))
  }

  /// Ends a body that has come whole although its task has not ended.
  func completeIfHeadArrived() {
    let hasHead = state.withLock { state in
      if case .body = state.phase { return true } else { return false }
    }
    if hasHead { end(.success(())) }
  }

  // MARK: Limits

  /// Sleeps from one possible expiry to the next. Cancelled when the exchange ends.
  private func watch() async {
    while !Task.isCancelled {
      let now = clock.uptime()
      let (isWaitingForHead, isConnecting) = state.withLock { state in
        guard case .waitingForHead = state.phase else { return (false, false) }
        return (true, !state.isSending)
      }
      let toConnect = isConnecting ? connectDeadline - now : .infinity
      let toHead = isWaitingForHead ? headDeadline - now : .infinity
      let toIdle = idleTimeout - task.silence(at: now)
      let wait = min(toConnect, toHead, toIdle)
      // The head came, and only its deadline was asked for.
      guard wait.isFinite else { return }
      // Less than a microsecond is rounding: a clock may never come nearer.
      guard wait > 0.000_001 else {
        if toConnect <= wait { return expire("made no connection within \(spelled(connectTimeout))") }
        return expire(
          toHead <= toIdle ? "sent no answer in time" : "sent nothing for \(spelled(idleTimeout))")
      }
      do { try await clock.sleep(wait) } catch { return }
    }
  }

  private func expire(_ what: String) {
    end { [host, task] isSending in
      .failure(
        TransportError(
          kind: .timedOut, text: "\(host) \(what)", mayHaveBeenSent: isSending || !task.asksBeforeSending))
    }
    task.perform(.cancel)
  }

  private func end(_ end: Result<Void, any Error>) { self.end { _ in end } }

  /// - Parameter outcome: how it ends, given whether a byte may have gone out; none does afterwards.
  private func end(_ outcome: (_ isSending: Bool) -> Result<Void, any Error>) {
    let (phase, watch, isSending) = state.withLock { state in
      defer { state = State(phase: .ended, head: state.head) }
      return (state.phase, state.watch, state.isSending)
    }
    let end = outcome(isSending)
    watch?.cancel()
    if case .failure = end { progress?.stop() }
    switch phase {
    case .idle, .ended: break
    case .body: buffer.finish(end)
    case .waitingForHead(let continuation):
      switch end {
      case .success: continuation.resume(throwing: lost("closed the connection without an answer"))
      case .failure(let error): continuation.resume(throwing: error)
      }
    }
  }

  private func lost(_ what: String) -> TransportError {
    TransportError(kind: .lost, text: "\(host) \(what)", mayHaveBeenSent: true)
  }
}
