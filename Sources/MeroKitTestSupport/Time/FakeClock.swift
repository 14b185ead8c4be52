import Foundation
import MeroHTTP

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = FakeClock()
/// let client = CalimeroClient(options(clock: clock.clock))
/// async let answer = client.call(app, "send_message", ["message": "hi"])
/// await clock.waitForSleepers(1)   // the client waits before its second round
/// await clock.advance(by: 0.2)
/// ```
///
/// With `autoAdvance`, sleeps up to that many seconds end at once and move the time on by themselves, so that retries
/// need no help while longer watchdogs and deadlines stay asleep until the test advances to them. Keep it below the 15
/// seconds between two comments of an open event stream, which would otherwise run away with the time.
public final class FakeClock: Sendable {
  fileprivate struct Sleeper {
    let id: UInt64
    let due: TimeInterval
    let continuation: CheckedContinuation<Void, any Error>
  }

  fileprivate struct Watcher {
    let id: UInt64
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  fileprivate struct State {
    /// Seconds since the clock was made; wall time is `start` plus this.
    var elapsed: TimeInterval = 0
    var autoAdvance: TimeInterval
    var nextId: UInt64 = 0
    /// In the order they wake: by due time, then by who fell asleep first.
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// Sleepers cancelled before they were entered.
    var cancelled: Set<UInt64> = []
    var sleeps: [TimeInterval] = []
  }

  private let start: Date
  private let state: Locked<State>

  /// A clock that shows `now`; by default 21 September 2026, 14:13:20 UTC, which is 1,790,000,000 seconds of Unix time.
  public init(now: Date = Date(timeIntervalSince1970: 1_790_000_000), autoAdvance: TimeInterval = 0) {
    start = now
    state = Locked(State(autoAdvance: autoAdvance))
  }

  /// The clock to hand to whatever is under test.
  public var clock: MeroClock {
    MeroClock(
      now: { self.now }, uptime: { self.state.withLock { $0.elapsed } },
      sleep: { try await self.sleep($0) })
  }

  /// What the clock shows.
  public var now: Date {
    start.addingTimeInterval(state.withLock { $0.elapsed })
  }

  /// Sleeps up to this many seconds end at once and move the time on; 0 (the default) lets every sleep wait.
  public var autoAdvance: TimeInterval {
    get { state.withLock { $0.autoAdvance } }
    set { state.withLock { $0.autoAdvance = newValue } }
  }

  /// How many tasks sleep now.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Every span that was asked for since the clock was made, in order: what a test of waits compares.
  public var sleeps: [TimeInterval] { state.withLock { $0.sleeps } }

  /// Seconds until the first sleeper wakes, or `nil` when nobody sleeps.
  public var nextWake: TimeInterval? {
    state.withLock { state in state.sleepers.first.map { max(0, $0.due - state.elapsed) } }
  }

  /// Waits until the clock is this much further. Throws `CancellationError` as soon as the task is cancelled.
  public func sleep(_ seconds: TimeInterval) async throws {
    try Task.checkCancellation()
    guard seconds > 0 else { return }
    let skipped: [Sleeper]? = state.withLock { state in
      state.sleeps.append(seconds)
      guard seconds <= state.autoAdvance else { return nil }
      return state.move(to: state.elapsed + seconds)
    }
    if let skipped {
      skipped.forEach { $0.continuation.resume() }
      await Task.yield()
      return
    }
    let id = state.withLock { state in
      state.nextId += 1
      return state.nextId
    }
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enter(id, seconds, continuation)
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the time on, waking sleepers in the order they are due. Each one gets to run, and may sleep again within
  /// the span, before the next is woken.
  public func advance(by seconds: TimeInterval) async {
    let target = state.withLock { $0.elapsed + max(0, seconds) }
    await settle()
    while let sleeper = state.withLock({ $0.moveToFirstSleeper(before: target) }) {
      sleeper.continuation.resume()
      await settle()
    }
    let late = state.withLock { state in state.move(to: target) }
    late.forEach { $0.continuation.resume() }
    await settle()
  }

  /// Moves the time on at once and wakes everyone who is due, without letting anyone run in between.
  public func jump(by seconds: TimeInterval) {
    let due = state.withLock { state in state.move(to: state.elapsed + max(0, seconds)) }
    due.forEach { $0.continuation.resume() }
  }

  /// Waits until at least `count` tasks sleep. Returns at once when the calling task is cancelled.
  public func waitForSleepers(_ count: Int = 1) async {
    let id = state.withLock { state in
      state.nextId += 1
      return state.nextId
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let isDone = state.withLock { state in
          if state.cancelled.remove(id) != nil || state.sleepers.count >= count { return true }
          state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let watcher: Watcher? = state.withLock { state in
        guard let index = state.watchers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.watchers.remove(at: index)
      }
      watcher?.continuation.resume()
    }
    state.withLock { _ = $0.cancelled.remove(id) }
  }

  private func enter(
    _ id: UInt64, _ seconds: TimeInterval, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let (isCancelled, watchers): (Bool, [Watcher]) = state.withLock { state in
      if state.cancelled.remove(id) != nil { return (true, []) }
      let sleeper = Sleeper(id: id, due: state.elapsed + seconds, continuation: continuation)
      let place = state.sleepers.firstIndex { $0.due > sleeper.due } ?? state.sleepers.count
      state.sleepers.insert(sleeper, at: place)
      let ready = state.watchers.filter { $0.count <= state.sleepers.count }
      state.watchers.removeAll { $0.count <= state.sleepers.count }
      return (false, ready)
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
    watchers.forEach { $0.continuation.resume() }
  }

  private func cancel(_ id: UInt64) {
    let sleeper: Sleeper? = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        // Not entered yet, and then told on entering; or awake already, and then it takes the mark away.
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Lets woken tasks run. There is no way to know that they have come to rest, so this gives way many times; a test
  /// that needs certainty waits for the sleepers it expects.
  private func settle() async {
    for _ in 0..<40 { await Task.yield() }
  }
}

private extension FakeClock.State {
  /// Moves to the first sleeper due no later than `target` and takes it out.
  mutating func moveToFirstSleeper(before target: TimeInterval) -> FakeClock.Sleeper? {
    guard let first = sleepers.first, first.due <= target else { return nil }
    elapsed = max(elapsed, first.due)
    return sleepers.removeFirst()
  }

  /// Moves to `target` and takes out everyone due by then, in order.
  mutating func move(to target: TimeInterval) -> [FakeClock.Sleeper] {
    elapsed = max(elapsed, target)
    let due = Array(sleepers.prefix { $0.due <= elapsed })
    sleepers.removeFirst(due.count)
    return due
  }
}
