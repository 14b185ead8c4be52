import MeroHTTP

/// Tells many listeners what changed, each beginning with the last thing that did; or, where nothing is remembered,
/// what happens from then on.
final class Announcements<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var last: Value?
    var isClosed = false
    var nextListener = 0
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let state: Locked<State>
  private let isRemembering: Bool

  init(_ first: Value? = nil, isRemembering: Bool = true) {
    state = Locked(State(last: first))
    self.isRemembering = isRemembering
  }

  /// Tells everyone, unless it is what is remembered.
  func announce(_ value: Value) {
    let listeners = state.withLock { state -> [AsyncStream<Value>.Continuation] in
      guard state.last != value else { return [] }
      if isRemembering { state.last = value }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(value) }
  }

  func listen() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    let (id, isClosed) = state.withLock { state in
      // Before anybody can announce to it, or what is newer might come first. It wakes nobody: none waits on it yet.
      if let last = state.last { continuation.yield(last) }
      state.nextListener += 1
      if !state.isClosed { state.listeners[state.nextListener] = continuation }
      return (state.nextListener, state.isClosed)
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
    if isClosed { continuation.finish() }
    return stream
  }

  /// Ends the sequences of those who listen now.
  func dismiss() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  /// Ends the sequences of those who listen now, and forgets what they were told.
  func startOver() {
    state.withLock { $0.last = nil }
    dismiss()
  }

  /// Ends every sequence, and those that are begun later after the last value.
  func close() {
    state.withLock { $0.isClosed = true }
    dismiss()
  }
}
