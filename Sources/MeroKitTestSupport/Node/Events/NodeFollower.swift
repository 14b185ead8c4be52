import Foundation
import MeroHTTP

/// One open event stream: the frames that wait for its reader, and the comment that says every fifteen seconds that it
/// is alive.
final class NodeFollower: Sendable {
  enum Item: Sendable {
    /// An event's JSON, which becomes a frame with a number.
    case event(Data)
    /// Bytes as they are.
    case raw(Data)
  }

  private struct State {
    var connect: Data?
    var queue: [Item] = []
    var counter: UInt64
    var reader: CheckedContinuation<Void, Never>?
    var isWoken = false
    var isCommentDue = false
    var isClosed = false
    var ending: EventFollower.Ending?
    var heartbeat: Task<Void, Never>?
  }

  let session: String
  private let store: NodeStore
  private let idleTimeout: TimeInterval?
  private let state: Locked<State>

  /// - Parameter counter: the number of the last event the session was sent.
  init(store: NodeStore, session: String, connect: Data, counter: UInt64, idleTimeout: TimeInterval?) {
    self.store = store
    self.session = session
    self.idleTimeout = idleTimeout
    state = Locked(State(connect: connect, counter: counter))
  }

  /// The number of the last event that was delivered.
  var counter: UInt64 { state.withLock { $0.counter } }

  /// The response's body.
  func body() -> HTTPBody {
    beat()
    return HTTPBody(
      next: {
        do {
          return try await self.next()
        } catch {
          // A body that throws has ended by itself, so nobody else closes the stream.
          self.close()
          throw error
        }
      }, cancel: { self.close() })
  }

  /// Puts something in the queue; false when the reader is too slow and loses it. ``wake()`` says so to the reader.
  func append(_ item: Item, limit: Int = .max) -> Bool {
    state.withLock { state in
      guard !state.isClosed, state.ending == nil, state.queue.count < limit else { return false }
      state.queue.append(item)
      state.isWoken = true
      return true
    }
  }

  func wake() { resume { _ in } }

  /// Ends the stream, after what waits in the queue.
  func end(_ ending: EventFollower.Ending) {
    resume { $0.ending = $0.ending ?? ending }
  }

  private enum Step {
    case frames(Data)
    case end(EventFollower.Ending)
    case over
    case wait
  }

  private func next() async throws -> Data? {
    while true {
      try Task.checkCancellation()
      switch state.withLock({ Self.step(&$0, session) }) {
      case .frames(let data): return data
      case .over: return nil
      case .wait: await waitForNews()
      case .end(let ending):
        close()
        try await finish(ending)
        return nil
      }
    }
  }

  private static func step(_ state: inout State, _ session: String) -> Step {
    state.isWoken = false
    if let connect = state.connect {
      state.connect = nil
      return .frames(connect)
    }
    if !state.queue.isEmpty {
      let items = state.queue
      state.queue = []
      var frames = Data()
      for item in items { frames.append(bytes(of: item, &state.counter, session)) }
      return .frames(frames)
    }
    if let ending = state.ending { return .end(ending) }
    if state.isClosed { return .over }
    guard state.isCommentDue else { return .wait }
    state.isCommentDue = false
    return .frames(Data(":\n\n".utf8))
  }

  /// Numbers are given as events are delivered, so that what was lost leaves no gap.
  private static func bytes(of item: Item, _ counter: inout UInt64, _ session: String) -> Data {
    switch item {
    case .raw(let bytes): return bytes
    case .event(let payload):
      counter += 1
      return Data("event: message\nid: \(session)-\(counter)\ndata: ".utf8) + payload + Data("\n\n".utf8)
    }
  }

  private func finish(_ ending: EventFollower.Ending) async throws {
    switch ending {
    case .ended: return
    case .cut: throw TransportError(kind: .lost, text: "the connection was lost", mayHaveBeenSent: true)
    case .frozen:
      try await store.clock.sleep(idleTimeout ?? 86_400)
      throw TransportError(kind: .timedOut, text: "nothing was received any more", mayHaveBeenSent: true)
    }
  }

  private func waitForNews() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isNews = state.withLock { state in
          if state.isWoken || state.isCommentDue || state.isClosed || state.ending != nil || Task.isCancelled
          {
            return true
          }
          state.reader = continuation
          return false
        }
        if isNews { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }

  private func beat() {
    let task = Task { [weak self, clock = store.clock] in
      while (try? await clock.sleep(15)) != nil {
        guard let self else { return }
        self.resume { $0.isCommentDue = true }
      }
    }
    let isClosed = state.withLock { state in
      state.heartbeat = task
      return state.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// Ends it for good: nobody reads any more, or everything was said.
  private func close() {
    let heartbeat = state.withLock { state in
      defer { state.heartbeat = nil }
      return state.heartbeat
    }
    heartbeat?.cancel()
    resume { $0.isClosed = true }
    store.withState { $0.streamClosed(self, at: store.clock.now()) }
  }

  private func resume(_ change: (inout State) -> Void) {
    let reader = state.withLock { state in
      change(&state)
      state.isWoken = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume()
  }

  deinit {
    state.withLock { $0.heartbeat }?.cancel()
  }
}

extension NodeState {
  /// The session stays, to be resumed or to miss what is sent meanwhile.
  mutating func streamClosed(_ follower: NodeFollower, at now: Date) {
    guard streams[follower.session]?.follower === follower else { return }
    streams[follower.session]?.counter = follower.counter
    streams[follower.session]?.usedAt = now
    streams[follower.session]?.follower = nil
  }
}
