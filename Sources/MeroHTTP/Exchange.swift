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
    /// What came, until it is taken. It goes through the lock rather than through the continuation, because a thread
    /// checker sees how a lock orders two threads and not how a continuation does.
    var head: HTTPResponse?
  }

  private let task: PacedTask
  private let buffer: BodyBuffer
  let host: String
  private let clock: MeroClock
  private let headDeadline: TimeInterval
  private let idleTimeout: TimeInterval
  private let onSent: (@Sendable (Int64, Int64) -> Void)?
  private let state = Locked(State())

  init(task: PacedTask, request: HTTPRequest, clock: MeroClock) {
    self.task = task
    self.clock = clock
    buffer = BodyBuffer { task.perform($0) }
    host = request.url.host ?? "the server"
    headDeadline = clock.uptime() + (request.timeout ?? .infinity)
    idleTimeout = request.idleTimeout ?? .infinity
    onSent = request.onSent
  }

  // MARK: The sender's side

  /// Takes the one who waits for the head, and begins.
  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    let begun = state.withLock { state in
      guard case .idle = state.phase else { return false }
      state.phase = .waitingForHead(continuation)
      if headDeadline.isFinite || idleTimeout.isFinite {
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

  func sent(_ count: Int64, of total: Int64) {
    task.touch()
    if total > 0 { onSent?(min(count, total), total) }
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
    waiting?.resume()
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
      let isWaitingForHead = state.withLock { state in
        if case .waitingForHead = state.phase { return true } else { return false }
      }
      let toHead = isWaitingForHead ? headDeadline - now : .infinity
      let toIdle = idleTimeout - task.silence(at: now)
      let wait = min(toHead, toIdle)
      // The head came, and only its deadline was asked for.
      guard wait.isFinite else { return }
      // Less than a microsecond is rounding: a clock may never come nearer.
      guard wait > 0.000_001 else {
        return expire(
          toHead <= toIdle ? "sent no answer in time" : "sent nothing for \(spelled(idleTimeout))")
      }
      do { try await clock.sleep(wait) } catch { return }
    }
  }

  private func expire(_ what: String) {
    end(.failure(TransportError(kind: .timedOut, text: "\(host) \(what)", mayHaveBeenSent: true)))
    task.perform(.cancel)
  }

  private func end(_ end: Result<Void, any Error>) {
    let (phase, watch) = state.withLock { state in
      defer { state = State(phase: .ended, head: state.head) }
      return (state.phase, state.watch)
    }
    watch?.cancel()
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
