import Foundation
import MeroHTTP

/// What all nodes of a cluster share. One lock guards it; work on it is synchronous and short, an app's methods
/// included, so requests of all nodes take turns here while sealing and JSON happen outside.
final class ClusterStore: Sendable {
  let clock: MeroClock
  /// The bytes of files, which are read outside the lock.
  let blobBytes: any BlobBytes
  /// What goes on without anybody waiting for it.
  let paused = PausedWork()
  private let state: Locked<ClusterState>
  private let alarm: ClusterAlarm

  init(
    clock: MeroClock, blobBytes: any BlobBytes = MemoryBlobBytes(), _ state: sending ClusterState
  ) {
    self.clock = clock
    self.blobBytes = blobBytes
    state.blobBytes = blobBytes
    self.state = Locked(state)
    alarm = ClusterAlarm(clock: clock)
  }

  /// Runs `body` alone with the state, after what fell due before, writes down what it changed if anything is kept on disk,
  /// and wakes whoever waits for what changed. Waking happens after the lock is given up: two hundred followers must not hold
  /// up the next request.
  func withState<Answer, Failure: Error>(
    _ body: (ClusterState) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try turn(body).outcome.get()
  }

  /// As ``withState(_:)``, for what is told to a client. Throws a lost connection when the state could not be written down:
  /// what happened is not certain until it was, so no answer is the true one. That does not count for what is not told yet,
  /// as `isTold` says: nobody would go on with it.
  func answer<Answer>(
    isTold: (Answer) -> Bool = { _ in true }, _ body: (ClusterState) throws -> Answer
  ) throws -> Answer {
    let (outcome, isKept) = turn(body)
    if !isKept, case .success(let answer) = outcome, !isTold(answer) { return answer }
    guard isKept else {
      throw TransportError(
        kind: .lost, text: "the cluster could not keep what changed", mayHaveBeenSent: true)
    }
    return try outcome.get()
  }

  private func turn<Answer, Failure: Error>(
    _ body: (ClusterState) throws(Failure) -> Answer
  ) -> (outcome: Result<Answer, Failure>, isKept: Bool) {
    let now = now
    var wakes: [@Sendable () -> Void] = []
    var due: (time: Int64?, revision: UInt64) = (nil, 0)
    defer {
      wakes.forEach { $0() }
      alarm.set(to: due.time, revision: due.revision) { [weak self] in self?.ring() }
    }
    return state.withLock { state in
      defer {
        wakes = state.takeWakes()
        due = (state.nextDue, state.dueRevision)
      }
      state.runDue(at: now)
      let outcome: Result<Answer, Failure>
      do throws(Failure) {
        outcome = .success(try body(state))
      } catch {
        outcome = .failure(error)
      }
      return (outcome, state.keep())
    }
  }

  private func ring() {
    // A clock that rounds may ring a moment too early; then it has to be set again for the same time.
    withState { $0.dueRevision += 1 }
  }
}

extension ClusterStore {
  /// The cluster's time in Unix milliseconds.
  var now: Int64 { Int64((clock.now().timeIntervalSince1970 * 1000).rounded()) }
}
