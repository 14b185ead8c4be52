import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Readings of presence that cross")
struct PresenceDriverTests {
  /// Streams that each begin with who is present, and a question for the session that a test can hold back.
  private final class Scripted: Sendable {
    let asked = Gate()
    let release = Gate()
    private let questions = Locked(0)
    private let streams = Locked(0)
    private let clock = FakeClock()

    func driver() -> PresenceDriver {
      PresenceDriver(
        client: .init(
          put: { _, _ in nil }, events: { self.stream() },
          session: {
            let isFirst = self.questions.withLock { count in
              count += 1
              return count == 1
            }
            if isFirst {
              self.asked.open()
              // Not ended by cancelling the reading: the client's answer comes when it comes.
              await Task { try? await self.release.wait() }.value
            }
            return "ses_1"
          }), clock: clock.clock)
    }

    /// Each names another session, so that a set tells which stream it came from.
    private func stream() -> AppEventStream {
      let number = streams.withLock { count in
        count += 1
        return count
      }
      let entry: JSONValue = [
        "accountId": "acc_1", "sessionId": .string("ses_\(number)"), "name": "ada", "state": 1, "ageMs": 0,
      ]
      let event = EventSamples.event(
        3, kind: "calimero.presence.all", data: ["entries": [entry], "ttlMs": 7000])
      let chunks = Locked([EventSamples.ready(1), event])
      let machine = EventStreamMachine(
        of: EventSamples.app, from: .now, options: EventOptions(), at: clock.clock.uptime())
      let never = Gate()
      return AppEventStream(
        EventStreamDriver(
          machine,
          client: .init(
            open: { _, _, _ in
              OpenedStream(
                node: NodeHandle(url: URL(string: "http://n1")!), status: 200, headers: [:],
                body: HTTPBody(next: {
                  if let next = chunks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    return try EventSamples.wire(next)
                  }
                  try await never.wait()
                  return nil
                }))
            }, failed: { _ in },
            sessionEnd: {
              try? await never.wait()
              return nil
            }, noteSeq: { _ in }),
          clock: clock.clock, random: SeededRandom(seed: 1).random))
    }
  }

  @Test("what a reading that was stopped brings late is not taken for what a later one says")
  func late() async throws {
    let scripted = Scripted()
    let driver = scripted.driver()
    let first = Task { try await driver.listen { _ in } }
    try await scripted.asked.wait()
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let heard = Locked<[[String]]>([])
    let second = Task {
      try await driver.listen { set in heard.withLock { $0.append(set.entries.map(\.sessionId)) } }
    }
    #expect(await eventually { heard.withLock { $0 } == [["ses_2"]] })
    scripted.release.open()
    for _ in 0..<2000 { await Task.yield() }
    #expect(heard.withLock { $0 } == [["ses_2"]])
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
  }
}
