import Foundation

@testable import MeroHTTP

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
  private struct Sleeper {
    let id: Int
    let wakes: TimeInterval
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var uptime: TimeInterval = 1_000
    var nextID = 0
    var cancelled: Set<Int> = []
    var sleepers: [Sleeper] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  var clock: MeroClock {
    MeroClock(
      now: { Date(timeIntervalSince1970: self.uptime) }, uptime: { self.uptime },
      sleep: { try await self.sleep($0) })
  }

  var uptime: TimeInterval { state.withLock { $0.uptime } }

  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the time and wakes whoever waited for it, earliest first.
  func advance(by seconds: TimeInterval) {
    let woken = state.withLock { state in
      state.uptime += seconds
      let woken = state.sleepers.filter { $0.wakes <= state.uptime }.sorted { $0.wakes < $1.wakes }
      state.sleepers.removeAll { $0.wakes <= state.uptime }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Returns once `count` tasks sleep.
  func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isMet = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  private func sleep(_ seconds: TimeInterval) async throws {
    try Task.checkCancellation()
    guard seconds > 0 else { return }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (watchers, isCancelled) = state.withLock { state in
          if state.cancelled.remove(id) != nil { return ([CheckedContinuation<Void, Never>](), true) }
          state.sleepers.append(Sleeper(id: id, wakes: state.uptime + seconds, continuation: continuation))
          let count = state.sleepers.count
          let met = state.watchers.filter { $0.count <= count }.map(\.continuation)
          state.watchers.removeAll { $0.count <= count }
          return (met, false)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
