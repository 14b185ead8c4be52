import Foundation
import MeroHTTP

/// What all nodes of a cluster share. One lock guards it; work on it is synchronous and short, an app's methods
/// included, so requests of all nodes take turns here while sealing and JSON happen outside.
final class ClusterStore: Sendable {
  let clock: MeroClock
  /// The bytes of files, which are read outside the lock.
  let blobBytes: any BlobBytes
  private let state: Locked<ClusterState>

  init(
    clock: MeroClock, blobBytes: any BlobBytes = MemoryBlobBytes(), _ state: sending ClusterState
  ) {
    self.clock = clock
    self.blobBytes = blobBytes
    self.state = Locked(state)
  }

  /// Runs `body` alone with the state, then wakes whoever waits for what it changed. Waking happens after the lock is
  /// given up: two hundred followers must not hold up the next request.
  func withState<Result, Failure: Error>(
    _ body: (ClusterState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var wakes: [@Sendable () -> Void] = []
    defer { wakes.forEach { $0() } }
    return try state.withLock { (state: inout ClusterState) throws(Failure) -> Result in
      defer { wakes = state.takeWakes() }
      return try body(state)
    }
  }
}

extension ClusterStore {
  /// The cluster's time in Unix milliseconds.
  var now: Int64 { Int64((clock.now().timeIntervalSince1970 * 1000).rounded()) }
}
