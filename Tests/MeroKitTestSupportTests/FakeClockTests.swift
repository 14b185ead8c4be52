import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@Suite("FakeClock and SeededRandom")
struct FakeClockTests {
  @Test("sleepers wake in the order they are due, and one that sleeps again within the span wakes again")
  func order() async throws {
    let clock = FakeClock()
    let woken = Locked<[String]>([])
    let slow = Task { [clock = clock.clock] in
      try await clock.sleep(5)
      woken.withLock { $0.append("slow") }
    }
    await clock.waitForSleepers(1)
    let twice = Task { [clock = clock.clock] in
      try await clock.sleep(2)
      woken.withLock { $0.append("first") }
      try await clock.sleep(2)
      woken.withLock { $0.append("second") }
    }
    await clock.waitForSleepers(2)
    await clock.advance(by: 2)
    await clock.waitForSleepers(2)
    await clock.advance(by: 2)
    try await twice.value
    await clock.advance(by: 1)
    try await slow.value
    #expect(woken.withLock { $0 } == ["first", "second", "slow"])
    #expect(clock.now == Date(timeIntervalSince1970: 1_790_000_005))
    #expect(clock.sleeps == [5, 2, 2])
  }

  @Test("a cancelled sleeper throws at once and leaves nothing behind")
  func cancellation() async throws {
    let clock = FakeClock()
    let task = Task { try await clock.sleep(60) }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
    let before = Task { try await clock.sleep(60) }
    before.cancel()
    await #expect(throws: CancellationError.self) { try await before.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("short sleeps end by themselves when asked to, long ones wait")
  func autoAdvance() async throws {
    let clock = FakeClock(autoAdvance: 5)
    try await clock.sleep(2)
    #expect(clock.clock.uptime() == 2)
    let long = Task { try await clock.sleep(30) }
    await clock.waitForSleepers()
    try await clock.sleep(5)
    #expect(clock.nextWake == 25)
    clock.jump(by: 25)
    try await long.value
    #expect(clock.now.timeIntervalSince1970 == 1_790_000_032)
  }

  @Test("waiting for sleepers that never come ends with the task")
  func watching() async {
    let clock = FakeClock()
    let task = Task { await clock.waitForSleepers(1) }
    task.cancel()
    await task.value
    #expect(clock.sleeperCount == 0)
  }

  @Test("the same seed gives the same bytes and numbers, another seed others")
  func seeds() {
    let one = SeededRandom(seed: 1).random
    let again = SeededRandom(seed: 1).random
    let other = SeededRandom(seed: 2).random
    let bytes = one.bytes(37)
    #expect(bytes.count == 37)
    #expect(bytes == again.bytes(37))
    #expect(bytes != other.bytes(37))
    #expect(one.unit() == again.unit())
    #expect((0..<100).allSatisfy { _ in (0..<1).contains(one.unit()) })
    #expect(one.bytes(0).isEmpty)
  }
}
