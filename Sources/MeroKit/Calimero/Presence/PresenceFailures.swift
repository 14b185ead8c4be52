import MeroHTTP

/// Tells all who listen why presence is not said any more. Unlike ``Announcements`` it tells nobody what was before.
final class PresenceFailures: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<CalimeroError>.Continuation] = [:]
  }

  private let state = Locked(State())

  func report(_ error: CalimeroError) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(error) }
  }

  func listen() -> AsyncStream<CalimeroError> {
    let (stream, continuation) = AsyncStream.makeStream(of: CalimeroError.self)
    let id = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  /// Ends the sequences of those who listen now.
  func end() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
