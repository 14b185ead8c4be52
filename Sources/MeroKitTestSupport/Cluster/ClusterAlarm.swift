import Foundation
import MeroHTTP

/// Wakes a cluster when something falls due that no request brings about: a timer, a job's end, an entry of presence
/// that was not renewed.
///
/// It sleeps on the cluster's clock and holds nobody: it ends with the store.
final class ClusterAlarm: Sendable {
  private struct State {
    var revision: UInt64 = 0
    var task: Task<Void, Never>?
  }

  private let clock: MeroClock
  private let state = Locked(State())

  init(clock: MeroClock) {
    self.clock = clock
  }

  /// Rings at a time in Unix milliseconds, instead of when it was set to before; `nil` for not at all.
  ///
  /// `revision` counts the settings: threads that leave the store's lock one after the other may come here in another
  /// order, and the newest setting is the one that counts.
  func set(to time: Int64?, revision: UInt64, ring: @escaping @Sendable () -> Void) {
    let isOld = state.withLock { $0.revision >= revision }
    guard !isOld else { return }
    let task = time.map { time in
      Task { [clock] in
        let seconds = Double(time) / 1000 - clock.now().timeIntervalSince1970
        // Rounding must not make it ring before the time has come.
        guard (try? await clock.sleep(max(0, seconds))) != nil else { return }
        ring()
      }
    }
    let unneeded: Task<Void, Never>? = state.withLock { state in
      guard revision > state.revision else { return task }
      defer { state.task = task }
      state.revision = revision
      return state.task
    }
    unneeded?.cancel()
  }

  deinit {
    state.withLock { $0.task }?.cancel()
  }
}
