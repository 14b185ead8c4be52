import Foundation
import Testing

@testable import MeroHTTP

@Suite struct HTTPHeadersTests {
  @Test("names are lower case on the way in and looked up in any case, and the order is kept")
  func names() {
    let headers: HTTPHeaders = ["X-Auth-Error": "a", "Accept": "b"]
    #expect(headers.map(\.name) == ["x-auth-error", "accept"])
    #expect(headers["x-AUTH-error"] == "a")
    #expect(headers["missing"] == nil)
    #expect(headers == HTTPHeaders([("x-auth-error", "a"), ("accept", "b")]))
    #expect(headers != HTTPHeaders([("accept", "b"), ("x-auth-error", "a")]))
  }

  @Test("a name may occur twice until it is set")
  func repeated() {
    var headers = HTTPHeaders([("a", "1"), ("b", "2"), ("A", "3")])
    #expect(headers.values(of: "a") == ["1", "3"])
    #expect(headers["a"] == "1")
    headers.add("B", "4")
    #expect(headers.count == 4)
    headers["A"] = "5"
    #expect(headers.map { "\($0.name)=\($0.value)" } == ["a=5", "b=2", "b=4"])
    headers["b"] = nil
    #expect(headers.map(\.name) == ["a"])
    headers["c"] = "6"
    #expect(headers.map(\.name) == ["a", "c"])
  }

  @Test("fields are printed and dumped without the values that are secrets")
  func printsNoSecrets() {
    let headers: HTTPHeaders = ["authorization": "Bearer abc", "accept": "text/html", "set-cookie": "abc"]
    var dumped = ""
    dump(headers, to: &dumped)
    for text in ["\(headers)", String(reflecting: headers), dumped] {
      #expect(!text.contains("abc"))
      #expect(text.contains("text/html"))
    }
  }
}

@Suite struct MeroRandomTests {
  @Test("a uuid is version 4, variant 1, in lower case, made of the bytes given")
  func uuid() {
    let zero = MeroRandom(bytes: { [UInt8](repeating: 0, count: $0) }, unit: { 0 })
    #expect(zero.uuid() == "00000000-0000-4000-8000-000000000000")
    let ones = MeroRandom(bytes: { [UInt8](repeating: 0xFF, count: $0) }, unit: { 0 })
    #expect(ones.uuid() == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    let rising = MeroRandom(bytes: { (0..<$0).map { UInt8($0) } }, unit: { 0 })
    #expect(rising.uuid() == "00010203-0405-4607-8809-0a0b0c0d0e0f")
    #expect(UUID(uuidString: MeroRandom.system.uuid()) != nil)
  }

  @Test("the system's source gives as many bytes as asked, and units in 0 ..< 1")
  func system() {
    for count in [0, 1, 7, 8, 9, 1000] { #expect(MeroRandom.system.bytes(count).count == count) }
    #expect(MeroRandom.system.bytes(32) != MeroRandom.system.bytes(32))
    let units = (0..<1000).map { _ in MeroRandom.system.unit() }
    #expect(units.allSatisfy { (0..<1).contains($0) })
    #expect(Set(units).count > 990)
  }
}

@Suite("Deadlines", .timeLimit(.minutes(5)))
struct DeadlineTests {
  @Test("an operation that ends in time gives its value or its error")
  func inTime() async throws {
    let clock = ManualClock().clock
    #expect(try await withDeadline(10, clock: clock) { 7 } == 7)
    let lost = TransportError(kind: .lost, text: "gone", mayHaveBeenSent: true)
    await #expect(throws: lost) { try await withDeadline(10, clock: clock) { throw lost } }
    #expect(try await withDeadline(.infinity, clock: clock) { 8 } == 8)
  }

  @Test("an operation that takes longer is cancelled, and the error says that it may have been sent")
  func late() async throws {
    let time = ManualClock()
    let clock = time.clock
    let log = EventLog()
    async let error = failure {
      try await withDeadline(10, clock: clock) {
        do { try await clock.sleep(1_000) } catch {
          log.record(.mark("cancelled"))
          throw error
        }
      }
    }
    await time.waitForSleepers(2)
    time.advance(by: 9)
    #expect(time.sleeperCount == 2)
    time.advance(by: 1)
    #expect(
      await error
        == TransportError(kind: .timedOut, text: "no answer within 10 seconds", mayHaveBeenSent: true))
    #expect(log.count(.mark("cancelled")) == 1)
  }

  @Test("no time at all runs nothing", arguments: [0, -5, Double.nan])
  func noTime(seconds: TimeInterval) async throws {
    let log = EventLog()
    let error = await failure {
      try await withDeadline(seconds, clock: ManualClock().clock) { log.record(.mark("ran")) }
    }
    #expect(error?.kind == .timedOut)
    #expect(error?.mayHaveBeenSent == false)
    #expect(log.events.isEmpty)
  }

  @Test("cancelling the caller throws CancellationError")
  func cancelled() async throws {
    let time = ManualClock()
    let clock = time.clock
    let task = Task { try await withDeadline(10, clock: clock) { try await clock.sleep(1_000) } }
    await time.waitForSleepers(2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("the system clock goes forward, and its sleep ends by cancellation however long it is")
  func systemClock() async throws {
    let before = MeroClock.system.uptime()
    try await MeroClock.system.sleep(0)
    try await MeroClock.system.sleep(-1)
    try await MeroClock.system.sleep(.nan)
    #expect(MeroClock.system.uptime() >= before)
    #expect(abs(MeroClock.system.now().timeIntervalSinceNow) < 60)
    for span in [1e300, .infinity] {
      let task = Task { try await MeroClock.system.sleep(span) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
