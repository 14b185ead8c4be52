import Foundation
import MeroHTTP
import MeroWire

/// One open event stream of a node: hands out frames as the reader asks for them, so that a slow reader costs no memory.
///
/// It keeps its place in the app's log rather than a queue of its own. The store wakes it after a change; it then asks
/// the store for what is new.
final class EventFollower: Sendable {
  /// What the store has for a follower.
  struct Batch {
    var frames = Data()
    var place: EventPlace
    /// The stream is over after these frames.
    var isLast = false
  }

  enum Ending: Sendable {
    /// The node ends the response properly.
    case ended
    /// The connection is lost.
    case cut
    /// Nothing is sent any more; the reader's idle limit decides.
    case frozen
  }

  private struct State {
    var place: EventPlace
    /// Frames that come before anything from the log.
    var first: Data?
    /// Who came and went since it last read: the newest word of each, so that a slow reader costs no memory.
    var presence: [AppPresence.Key: JSONValue] = [:]
    var waiting: CheckedContinuation<Void, Never>?
    var isWoken = false
    var isCommentDue = false
    var isLast = false
    var isClosed = false
    var ending: Ending?
    var heartbeat: Task<Void, Never>?
  }

  let appId: String
  let node: Int
  /// The session or key it was opened with.
  let credential: String
  let kinds: Set<String>?
  let wantsPresence: Bool
  private let store: ClusterStore
  private let idleTimeout: TimeInterval?
  private let state: Locked<State>

  init(
    store: ClusterStore, appId: String, node: Int, credential: String, kinds: Set<String>?,
    wantsPresence: Bool, place: EventPlace, first: Data, idleTimeout: TimeInterval?
  ) {
    self.store = store
    self.appId = appId
    self.node = node
    self.credential = credential
    self.kinds = kinds
    self.wantsPresence = wantsPresence
    self.idleTimeout = idleTimeout
    state = Locked(State(place: place, first: first))
  }

  /// Whether the stream wants this kind; the node's own kinds about the stream and the app always come (70 §2.16).
  func wants(_ kind: String) -> Bool {
    guard let kinds, !kinds.contains(kind) else { return true }
    return kind == "calimero.ready" || kind == "calimero.reset" || kind == "calimero.deleted"
      || kind.hasPrefix("calimero.presence")
  }

  /// The response's body. `watch` sees every part of it, which holds whole frames, as it is sent.
  func body(watch: @escaping @Sendable (Data) -> Void) -> HTTPBody {
    beat()
    return HTTPBody(
      next: {
        do {
          let part = try await self.next()
          if let part { watch(part) }
          return part
        } catch {
          // A body that throws has ended by itself, so nobody else closes the stream.
          self.close()
          throw error
        }
      }, cancel: { self.close() })
  }

  /// Says that there may be something new.
  func wake() {
    resume { $0.isWoken = true }
  }

  /// Remembers an entry of presence for the next time it reads.
  func note(_ key: AppPresence.Key, _ entry: JSONValue) {
    state.withLock { $0.presence[key] = entry }
  }

  func end(_ ending: Ending) {
    resume { state in
      state.ending = state.ending ?? ending
      state.isWoken = true
    }
  }

  private func next() async throws -> Data? {
    while true {
      try Task.checkCancellation()
      let (ending, isOver, first, isCommentDue, place) = state.withLock { state in
        defer {
          state.isWoken = false
          state.first = nil
          state.isCommentDue = false
        }
        return (state.ending, state.isLast || state.isClosed, state.first, state.isCommentDue, state.place)
      }
      if let ending {
        close()
        try await finish(ending)
        return nil
      }
      if isOver { return nil }
      if let first { return first }
      let batch = try store.answer { [now = store.now] in
        $0.batch(for: self, after: place, presence: takePresence(), at: now)
      }
      state.withLock { state in
        state.place = batch.place
        state.isLast = batch.isLast
      }
      if batch.isLast { close() }
      if !batch.frames.isEmpty { return batch.frames }
      if isCommentDue { return Data(": still here\n\n".utf8) }
      await waitForNews()
    }
  }

  private func takePresence() -> [JSONValue] {
    state.withLock { state in
      defer { state.presence = [:] }
      return state.presence.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private func finish(_ ending: Ending) async throws {
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
          if state.isWoken || state.isCommentDue || state.isClosed || Task.isCancelled { return true }
          state.waiting = continuation
          return false
        }
        if isNews { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
  }

  /// A comment every 15 seconds, so that the reader and proxies on the way know the stream is alive.
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
    store.withState { $0.remove(self) }
  }

  private func resume(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  deinit {
    state.withLock { $0.heartbeat }?.cancel()
  }
}
