import Dispatch
import Foundation

/// Tasks that sleep, and the one timer that wakes them.
///
/// `Task.sleep` holds what it needs until the time is up even when its task was cancelled long before. Every request
/// sleeps towards limits that it never reaches, so a thousand requests a second with limits of a minute would hold sixty
/// thousand sleeps of nobody. Here nothing is left of a sleep that was cancelled.
package final class Sleepers: Sendable {
  /// Those of ``MeroClock/system``.
  package static let system = Sleepers()

  private struct State {
    var alarms = AlarmHeap()
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    var lastTicket: UInt64 = 0
    /// When the timer rings next, in nanoseconds.
    var armedFor = UInt64.max
    var timer: (any DispatchSourceTimer)?
  }

  /// The timer is set again after so long at the latest, whatever the time of a sleep.
  private static let longestWait: UInt64 = 86_400_000_000_000
  private let state: Locked<State>

  package init() {
    state = Locked(State())
    state.withLock { state in
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "MeroKit.Sleepers"))
      timer.setEventHandler { [weak self] in self?.ring() }
      timer.activate()
      state.timer = timer
    }
  }

  /// How many sleep, and how many times are remembered for them.
  package var counts: (sleeping: Int, remembered: Int) {
    state.withLock { ($0.waiting.count, $0.alarms.count) }
  }

  /// Waits this many seconds. Throws `CancellationError` as soon as the task is cancelled.
  package func sleep(_ seconds: TimeInterval) async throws {
    try Task.checkCancellation()
    guard seconds > 0 else { return }
    // Converting a larger Double to UInt64 would trap; a century is as good as for ever.
    let time = Self.now + UInt64(min(seconds, 3_000_000_000) * 1_000_000_000)
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { state in
          state.waiting[ticket] = continuation
          state.alarms.insert(AlarmHeap.Alarm(time: time, ticket: ticket))
          Self.arm(&state)
        }
        // The cancellation may have come before there was anyone to wake.
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func cancel(_ ticket: UInt64) {
    let sleeper = state.withLock { state in
      let sleeper = state.waiting.removeValue(forKey: ticket)
      // An alarm in the middle of the heap is let be, until those of nobody are the most.
      if state.alarms.count > 64 + 2 * state.waiting.count {
        state.alarms.keep { state.waiting[$0] != nil }
      }
      return sleeper
    }
    sleeper?.resume(throwing: CancellationError())
  }

  private func ring() {
    let sleepers = state.withLock { state in
      var sleepers: [CheckedContinuation<Void, any Error>] = []
      let now = Self.now
      while let first = state.alarms.first {
        if state.waiting[first.ticket] != nil, first.time > now { break }
        state.alarms.removeFirst()
        if let sleeper = state.waiting.removeValue(forKey: first.ticket) { sleepers.append(sleeper) }
      }
      state.armedFor = .max
      Self.arm(&state)
      return sleepers
    }
    for sleeper in sleepers { sleeper.resume() }
  }

  /// Sets the timer when it would ring too late.
  private static func arm(_ state: inout State) {
    guard let first = state.alarms.first?.time, first < state.armedFor else { return }
    let time = min(first, now + longestWait)
    guard time < state.armedFor else { return }
    state.armedFor = time
    state.timer?.schedule(deadline: DispatchTime(uptimeNanoseconds: time), leeway: .nanoseconds(0))
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// When to wake whom, the earliest first.
struct AlarmHeap {
  struct Alarm {
    let time: UInt64
    let ticket: UInt64
  }

  /// A binary heap: no alarm is earlier than the one at half its index.
  private var alarms: [Alarm] = []

  var count: Int { alarms.count }
  var first: Alarm? { alarms.first }

  mutating func insert(_ alarm: Alarm) {
    alarms.append(alarm)
    var index = alarms.count - 1
    while index > 0 {
      let parent = (index - 1) / 2
      guard alarms[index].time < alarms[parent].time else { return }
      alarms.swapAt(index, parent)
      index = parent
    }
  }

  mutating func removeFirst() {
    alarms.swapAt(0, alarms.count - 1)
    alarms.removeLast()
    var index = 0
    while true {
      let children = (2 * index + 1..<2 * index + 3).filter { $0 < alarms.count }
      guard let child = children.min(by: { alarms[$0].time < alarms[$1].time }),
        alarms[child].time < alarms[index].time
      else { return }
      alarms.swapAt(index, child)
      index = child
    }
  }

  /// Drops the alarms of all but these.
  mutating func keep(_ isKept: (UInt64) -> Bool) {
    // What is sorted is a heap.
    alarms = alarms.filter { isKept($0.ticket) }.sorted { $0.time < $1.time }
  }
}
