import Foundation

/// The chunks between a producer that cannot wait (a delegate callback) and one reader.
///
/// Above `highWater` bytes the producer is asked to pause, at `lowWater` to go on. One that cannot pause is cancelled
/// above `limit`, so memory stays bounded whatever the server sends and however slowly it is read.
final class BodyBuffer: Sendable {
  static let highWater = 1 << 20
  static let lowWater = 256 << 10
  /// Twice the largest answer that is read in one piece.
  static let limit = 64 << 20

  /// What the buffer asks of its producer. Calls come one at a time, never while the buffer's own lock is held.
  enum Request: Sendable {
    case pause, resume, cancel
  }

  private struct State {
    var chunks: [Data] = []
    var head = 0
    var byteCount = 0
    var isPaused = false
    var end: Result<Void, any Error>?
    var waiter: CheckedContinuation<Data?, any Error>?
  }

  private enum Step {
    case chunk(Data), end(Result<Void, any Error>)
  }

  private let state = Locked(State())
  /// Whether the producer was last told to pause. Held while telling it: two threads deciding "pause" and "resume" at
  /// once must not reach the producer in the other order, which would leave it paused for ever.
  private let toldToPause = Locked(false)
  private let ask: @Sendable (Request) -> Void

  init(ask: @escaping @Sendable (Request) -> Void) {
    self.ask = ask
  }

  /// Adds a chunk; ignored after the end.
  func push(_ chunk: Data) {
    guard !chunk.isEmpty else { return }
    let (waiter, isOverLimit) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
      guard state.end == nil else { return (nil, false) }
      if let waiter = state.waiter {
        state.waiter = nil
        return (waiter, false)
      }
      state.chunks.append(chunk)
      state.byteCount += chunk.count
      if state.byteCount > Self.highWater { state.isPaused = true }
      return (nil, state.byteCount > Self.limit)
    }
    if isOverLimit {
      abandon(
        TransportError(
          kind: .tooLarge, text: "the body was read too slowly: \(Self.limit >> 20) MiB of it were waiting",
          mayHaveBeenSent: true))
    } else if let waiter {
      waiter.resume(returning: chunk)
    } else {
      steer()
    }
  }

  /// Ends the body after what is buffered; the first end counts.
  func finish(_ end: Result<Void, any Error>) {
    let waiter: CheckedContinuation<Data?, any Error>? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = end
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(with: end.map { nil })
  }

  /// Drops what is buffered and tells the producer to stop. The reader sees `CancellationError`.
  func cancel() {
    abandon(CancellationError())
  }

  private func abandon(_ error: any Error) {
    let (waiter, wasRunning) = state.withLock { state in
      let wasRunning = state.end == nil
      state.end = .failure(error)
      state.chunks = []
      state.head = 0
      state.byteCount = 0
      defer { state.waiter = nil }
      return (state.waiter, wasRunning)
    }
    if wasRunning { ask(.cancel) }
    waiter?.resume(throwing: error)
  }

  /// The next chunk, or `nil` at the end. One reader only.
  func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
    if Task.isCancelled { cancel() }
    if let step = take() {
      steer()
      return try Self.value(of: step)
    }
    return try await withTaskCancellationHandler(
      operation: {
        try await withCheckedThrowingContinuation(isolation: actor) { continuation in
          wait(continuation)
        }
      }, onCancel: { cancel() }, isolation: actor)
  }

  private func take() -> Step? {
    state.withLock { state in Self.take(&state) }
  }

  private static func take(_ state: inout State) -> Step? {
    guard state.head < state.chunks.count else { return state.end.map { .end($0) } }
    let chunk = state.chunks[state.head]
    state.chunks[state.head] = Data()
    state.head += 1
    state.byteCount -= chunk.count
    if state.head == state.chunks.count {
      state.chunks.removeAll(keepingCapacity: true)
      state.head = 0
    }
    if state.byteCount <= lowWater { state.isPaused = false }
    return .chunk(chunk)
  }

  private static func value(of step: Step) throws -> Data? {
    switch step {
    case .chunk(let chunk): return chunk
    case .end(let end):
      try end.get()
      return nil
    }
  }

  private func wait(_ continuation: CheckedContinuation<Data?, any Error>) {
    let step: Step? = state.withLock { state in
      let step = Self.take(&state)
      if step == nil { state.waiter = continuation }
      return step
    }
    guard let step else { return }
    continuation.resume(with: Result { try Self.value(of: step) })
    steer()
  }

  /// Brings the producer to the state last decided.
  private func steer() {
    toldToPause.withLock { told in
      let isPaused = state.withLock { $0.isPaused && $0.end == nil }
      guard isPaused != told else { return }
      told = isPaused
      ask(isPaused ? .pause : .resume)
    }
  }
}
