import MeroHTTP

/// What a client has under way, so that closing it ends all of it at once, and nothing begins afterwards.
///
/// Ended before the sealed channels are: a request whose channel goes away beneath it would take that for a failure of
/// its node, and go on at the next one.
final class ClientRuns: Sendable {
  private struct State {
    var isClosed = false
    var lastId = 0
    var ends: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Locked(State())

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Does work in a task that closing the client cancels, as cancelling the caller's own does.
  ///
  /// - Throws: what the work throws; ``CalimeroError/closed`` when the client is closed already.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    // What was under way when the client closed was cancelled, also where it is about to take its next step.
    guard !isClosed else { throw Task.isCancelled ? CalimeroError.cancelled : CalimeroError.closed }
    let task = Task { try await work() }
    let hold = hold { task.cancel() }
    defer { hold.release() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Has `end` called when the client closes, at once if it is closed, until the hold is released or dropped.
  func hold(_ end: @escaping @Sendable () -> Void) -> Hold {
    let id: Int? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.lastId += 1
      state.ends[state.lastId] = end
      return state.lastId
    }
    if id == nil { end() }
    return Hold(id, of: self)
  }

  func close() {
    let ends = state.withLock { state in
      defer { state.ends = [:] }
      state.isClosed = true
      return Array(state.ends.values)
    }
    for end in ends { end() }
  }

  /// Something that closing the client ends.
  final class Hold: Sendable {
    private let id: Int?
    private let runs: ClientRuns

    fileprivate init(_ id: Int?, of runs: ClientRuns) {
      self.id = id
      self.runs = runs
    }

    func release() {
      guard let id else { return }
      // What is let go of here may hold a body, which does more than it should when it goes within the lock.
      let end = runs.state.withLock { $0.ends.removeValue(forKey: id) }
      withExtendedLifetime(end) {}
    }

    deinit { release() }
  }
}

extension CalimeroError {
  /// What is asked of a client after it was closed.
  static let closed = CalimeroError.invalidInput("the client was closed")
}
