import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Event streams when things cross")
struct ReviewEventsTests {
  /// Reads a stream in a task of its own.
  private final class Reader: Sendable {
    let count = Locked(0)
    let stream: AppEventStream
    let task: Task<Void, any Error>

    init(_ stream: AppEventStream) {
      let count = count
      self.stream = stream
      task = Task { for try await _ in stream { count.withLock { $0 += 1 } } }
    }

    func isOpen() async -> Bool { await eventually { stream.lastCursor != nil } }
    func has(_ number: Int) async -> Bool { await eventually { count.withLock { $0 } == number } }
    deinit { task.cancel() }
  }

  @Test(
    "a stream that moves on to a node which has not heard of its new session goes back to the one that has")
  func youngSession() async throws {
    let rig = SessionRig()
    rig.cloud.setSessionLag(milliseconds: 25_000)
    let client = rig.client()
    let app = try await rig.app(client)
    let reader = Reader(client.events(app))
    #expect(await reader.isOpen())
    rig.cloud.nodes[0].dropStreams(.cut)
    _ = try await client.call(app, "count", ["count": 3])
    #expect(await reader.has(3))
  }

  @Test("and waits for the others to hear of it when that one is gone")
  func youngSessionWithoutItsNode() async throws {
    let rig = SessionRig()
    rig.cloud.setSessionLag(milliseconds: 25_000)
    let client = rig.client()
    let app = try await rig.app(client)
    let reader = Reader(client.events(app))
    #expect(await reader.isOpen())
    rig.cloud.nodes[0].refuse()
    #expect(await eventually { rig.cloud.openStreams(of: app) == 0 })
    for _ in 0..<90 where rig.cloud.openStreams(of: app) == 0 { await rig.clock.advance(by: 1) }
    _ = try await client.call(app, "count", ["count": 3])
    #expect(await reader.has(3))
  }

  @Test("the time before a stream is read does not count as time without a connection")
  func readLate() async throws {
    let rig = SessionRig()
    let client = rig.client()
    let app = try await rig.app(client)
    let stream = client.events(app, options: EventOptions(giveUpAfter: 10))
    await rig.clock.advance(by: 60)
    let reader = Reader(stream)
    #expect(await reader.isOpen())
    _ = try await client.call(app, "count", ["count": 2])
    #expect(await reader.has(2))
  }

  @Test("nor does the time in which its consumer has enough")
  func giveUpBesideSlowConsumer() {
    var machine = EventStreamMachine(
      of: EventSamples.app, from: .now, options: EventOptions(giveUpAfter: 10), limits: .init(queue: 10),
      at: 0)
    machine.opened(at: 0)
    machine.receive(EventSamples.ready(10))
    for seq in UInt64(11)...20 { machine.receive(EventSamples.event(seq)) }
    machine.ended(.slow, at: 40, wallClock: Date(timeIntervalSince1970: 0), unit: 0.5)
    #expect(machine.step(at: 100) == .waitForRoom)
    let whileFull = machine.givesUp(at: 100)
    #expect(!whileFull)
    for _ in 0..<5 { _ = machine.take() }
    machine.wanted(at: 100)
    let withRoom = machine.givesUp(at: 100)
    #expect(!withRoom)
    let later = machine.givesUp(at: 110)
    #expect(later)
  }

  @Test("a body that came faster than it was read costs a connection, not the stream")
  func overrun() async throws {
    let clock = FakeClock()
    let opened = Locked(0)
    let (ready, event) = (
      try EventSamples.wire(EventSamples.ready(1)), try EventSamples.wire(EventSamples.event(2))
    )
    let machine = EventStreamMachine(
      of: EventSamples.app, from: .now, options: EventOptions(), limits: .init(), at: 0)
    let client = EventStreamDriver.Client(
      open: { _, _, _ in
        let isFirst = opened.withLock { count in
          count += 1
          return count == 1
        }
        let chunks = Locked([isFirst ? ready : ready + event])
        return OpenedStream(
          node: NodeHandle(url: SessionSamples.node), status: 200, headers: [:],
          body: HTTPBody(next: {
            if let chunk = chunks.withLock({ $0.popLast() }) { return chunk }
            if isFirst {
              throw TransportError(kind: .tooLarge, text: "read too slowly", mayHaveBeenSent: true)
            }
            try await clock.sleep(86_400)
            return nil
          }))
      }, failed: { _ in },
      sessionEnd: {
        try? await clock.sleep(86_400); return nil
      }, noteSeq: { _ in })
    let stream = AppEventStream(
      EventStreamDriver(machine, client: client, clock: clock.clock, random: SeededRandom(seed: 1).random))
    var events = stream.makeAsyncIterator()
    #expect(try await events.next()?.seq == 2)
  }
}
