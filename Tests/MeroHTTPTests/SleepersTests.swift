import Foundation
import Testing

@testable import MeroHTTP

@Suite("Tasks that sleep", .timeLimit(.minutes(5)))
struct SleepersTests {
  @Test("alarms come in the order of their times, also after some were dropped", arguments: [false, true])
  func order(dropsSome: Bool) {
    var heap = AlarmHeap()
    let times = (0..<1_000).map { UInt64($0 / 2) }
    for (ticket, time) in times.shuffled().enumerated() {
      heap.insert(AlarmHeap.Alarm(time: time, ticket: UInt64(ticket)))
    }
    if dropsSome { heap.keep { $0 % 3 != 0 } }
    let count = heap.count
    #expect(count == (dropsSome ? 666 : 1_000))
    var seen: [UInt64] = []
    while let first = heap.first {
      seen.append(first.time)
      heap.removeFirst()
    }
    #expect(seen.count == count)
    #expect(seen == seen.sorted())
  }

  @Test("nothing is left of a thousand sleeps that were cancelled")
  func cancelledSleepsAreGone() async throws {
    let sleepers = Sleepers()
    // Each task forgets its error: the testing library keeps track of every thrown error that is still held, and
    // looks through all of them at each that follows, in whatever test.
    let tasks = (0..<1_000).map { _ in
      Task {
        do {
          try await sleepers.sleep(3_600)
          return false
        } catch {
          return error is CancellationError
        }
      }
    }
    while sleepers.counts.sleeping < tasks.count { await Task.yield() }
    tasks.forEach { $0.cancel() }
    for task in tasks { #expect(await task.value) }
    #expect(sleepers.counts.sleeping == 0)
    #expect(sleepers.counts.remembered <= 64)
  }

  @Test("every sleep lasts as long as was asked, in whatever order they began")
  func lastsAsLongAsAsked() async throws {
    let sleepers = Sleepers()
    let clock = MeroClock.system
    let spans = [0.05, 0.01, 0.03, 0.02, 0.04, 0.001].shuffled()
    let began = clock.uptime()
    try await withThrowingTaskGroup(of: (TimeInterval, TimeInterval).self) { group in
      for span in spans {
        group.addTask {
          try await sleepers.sleep(span)
          return (span, clock.uptime() - began)
        }
      }
      for try await (span, slept) in group { #expect(slept >= span - 0.001) }
    }
    #expect(sleepers.counts == (0, 0))
  }

  @Test("a sleep that begins while the timer waits for a later one wakes before it")
  func earlierOneLater() async throws {
    let sleepers = Sleepers()
    let long = Task { try await sleepers.sleep(3_600) }
    while sleepers.counts.sleeping == 0 { await Task.yield() }
    try await sleepers.sleep(0.005)
    #expect(sleepers.counts.sleeping == 1)
    long.cancel()
    await #expect(throws: CancellationError.self) { try await long.value }
  }

  @Test("a task that was cancelled before does not sleep, and one that sleeps for no time does not either")
  func doesNotSleep() async throws {
    let sleepers = Sleepers()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await sleepers.sleep(3_600)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    for span in [0, -1, -TimeInterval.infinity, .nan] { try await sleepers.sleep(span) }
    #expect(sleepers.counts == (0, 0))
  }

  @Test("a sleep for ever ends when its task is cancelled")
  func forEver() async throws {
    let sleepers = Sleepers()
    let task = Task { try await sleepers.sleep(.infinity) }
    while sleepers.counts.sleeping == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
