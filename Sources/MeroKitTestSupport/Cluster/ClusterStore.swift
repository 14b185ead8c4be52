import Foundation
import MeroHTTP

/// What all nodes of a cluster share. One lock guards it; work on it is synchronous and short, an app's methods
/// included, so requests of all nodes take turns here while sealing and JSON happen outside.
final class ClusterStore: Sendable {
  let clock: MeroClock
  /// The bytes of files, which are read outside the lock.
  let blobBytes: any BlobBytes
  private let state: Locked<ClusterState>
  private let alarm: ClusterAlarm

  init(
    clock: MeroClock, blobBytes: any BlobBytes = MemoryBlobBytes(), _ state: sending ClusterState
  ) {
    self.clock = clock
    self.blobBytes = blobBytes
    self.state = Locked(state)
    alarm = ClusterAlarm(clock: clock)
  }

  /// Runs `body` alone with the state, after what fell due before, then wakes whoever waits for what changed. Waking
  /// happens after the lock is given up: two hundred followers must not hold up the next request.
  func withState<Result, Failure: Error>(
    _ body: (ClusterState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let now = now
    var wakes: [@Sendable () -> Void] = []
    var due: (time: Int64?, revision: UInt64) = (nil, 0)
    defer {
      wakes.forEach { $0() }
      alarm.set(to: due.time, revision: due.revision) { [weak self] in self?.ring() }
    }
    return try state.withLock { (state: inout ClusterState) throws(Failure) -> Result in
      defer {
        wakes = state.takeWakes()
        due = (state.nextDue, state.dueRevision)
      }
      state.runDue(at: now)
      return try body(state)
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
