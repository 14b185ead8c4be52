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
    var watchers: [(isMet: @Sendable (Int) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func metWatchers() -> [CheckedContinuation<Void, Never>] {
      let count = sleepers.count
      let met = watchers.filter { $0.isMet(count) }.map(\.continuation)
      watchers.removeAll { $0.isMet(count) }
      return met
    }
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
    let (woken, watchers) = state.withLock { state in
      state.uptime += seconds
      let woken = state.sleepers.filter { $0.wakes <= state.uptime }.sorted { $0.wakes < $1.wakes }
      state.sleepers.removeAll { $0.wakes <= state.uptime }
      return (woken, state.metWatchers())
    }
    for sleeper in woken { sleeper.continuation.resume() }
    for watcher in watchers { watcher.resume() }
  }

  /// Returns once `count` tasks sleep.
  func waitForSleepers(_ count: Int = 1) async {
    await wait { $0 >= count }
  }

  /// Returns once nobody sleeps.
  func waitForNoSleepers() async {
    await wait { $0 == 0 }
  }

  private func wait(_ isMet: @escaping @Sendable (Int) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetNow = state.withLock { state in
        if isMet(state.sleepers.count) { return true }
        state.watchers.append((isMet, continuation))
        return false
      }
      if isMetNow { continuation.resume() }
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
          return (state.metWatchers(), false)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let (sleeper, watchers) = state.withLock { state -> (Sleeper?, [CheckedContinuation<Void, Never>]) in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return (nil, [])
        }
        let sleeper = state.sleepers.remove(at: index)
        return (sleeper, state.metWatchers())
      }
      sleeper?.continuation.resume(throwing: CancellationError())
      for watcher in watchers { watcher.resume() }
    }
  }
}
