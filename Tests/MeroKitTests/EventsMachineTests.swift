import Foundation
import MeroAPI
import MeroWire
import Testing

@testable import MeroKit

@Suite("An event stream's decisions")
struct EventsMachineTests {
  private typealias Machine = EventStreamMachine
  private static let node = URL(string: "http://127.0.0.1:2501")!

  private func machine(
    from start: EventStart = .now, onGap: EventOptions.Gap = .fail, giveUpAfter: TimeInterval? = nil,
    queue: Int = 1000
  ) -> Machine {
    Machine(
      of: EventSamples.app, from: start, options: EventOptions(onGap: onGap, giveUpAfter: giveUpAfter),
      limits: .init(queue: queue), at: 0)
  }

  /// A machine whose connection has been open since `opened` and delivered `events`.
  private func open(
    _ events: [AppEvent] = [], from start: EventStart = .now, onGap: EventOptions.Gap = .fail,
    queue: Int = 1000, at opened: TimeInterval = 0
  ) -> Machine {
    var machine = machine(from: start, onGap: onGap, queue: queue)
    machine.opened(at: opened)
    machine.receive(EventSamples.ready(10))
    for event in events { machine.receive(event) }
    return machine
  }

  private func end(_ machine: inout Machine, _ end: Machine.End, at now: TimeInterval, unit: Double = 0.5) {
    machine.ended(
      end, at: now, wallClock: Date(timeIntervalSince1970: 1_790_000_000 + now), unit: unit, from: Self.node)
  }

  private func refusal(
    _ status: Int, _ code: String, retryAfter: TimeInterval? = nil, details: JSONValue? = nil
  )
    -> Machine.End
  {
    .failed(
      .api(
        APIError(
          status: status, code: ErrorCode(code), message: "", retryAfter: retryAfter, details: details,
          node: Self.node)))
  }

  private func drain(_ machine: inout Machine) -> [AppEvent] {
    var events: [AppEvent] = []
    while case .event(let event) = machine.take() { events.append(event) }
    return events
  }

  private func connect(_ cursor: String?, _ node: Machine.Attempt.Node) -> Machine.Step {
    .connect(.init(cursor: cursor, node: node))
  }

  // MARK: Beginning

  @Test("it begins where it was told")
  func beginnings() {
    #expect(machine().step(at: 0) == connect(nil, .any))
    #expect(machine(from: .oldest).step(at: 0) == connect("oldest", .any))
    #expect(machine(from: .after("c7")).step(at: 0) == connect("c7", .any))
    #expect(machine(from: .after("c7")).lastCursor == "c7")
    #expect(machine(from: .oldest).lastCursor == nil)
  }

  @Test("calimero.ready is where an interruption before the first event resumes, and is not given out")
  func ready() {
    for start in [EventStart.now, .oldest] {
      var machine = open(from: start)
      #expect(machine.take() == .nothingYet)
      #expect(machine.lastCursor == "c10.0")
      end(&machine, .finished, at: 100)
      #expect(machine.step(at: 100) == connect("c10.0", .same))
    }
  }

  @Test("calimero.ready does not move a stream that knows where it is")
  func readyLater() {
    var machine = open([EventSamples.event(12)])
    end(&machine, .finished, at: 100)
    machine.opened(at: 100)
    machine.receive(EventSamples.ready(99))
    end(&machine, .finished, at: 200)
    #expect(machine.step(at: 200) == connect("c12.0", .same))
  }

  // MARK: Order

  @Test("what was received before is dropped, by position and place within it")
  func duplicates() {
    var machine = open([
      EventSamples.event(11, 0), EventSamples.event(11, 1), EventSamples.event(11, 0),
      EventSamples.event(11, 1), EventSamples.event(10, 5), EventSamples.event(12, 0),
      EventSamples.event(11, 2),
    ])
    #expect(drain(&machine).map(\.cursor) == ["c11.0", "c11.1", "c12.0"])
  }

  @Test("duplicates are known after a reconnect too")
  func duplicatesAfterReconnect() {
    var machine = open([EventSamples.event(11), EventSamples.event(12)])
    end(&machine, .lost("x"), at: 1)
    machine.opened(at: 1)
    for seq in UInt64(10)...13 { machine.receive(EventSamples.event(seq)) }
    #expect(drain(&machine).map(\.seq) == [11, 12, 13])
  }

  @Test("presence passes through, is never a duplicate and moves no cursor")
  func presence() {
    var machine = open([EventSamples.event(11)])
    machine.receive(EventSamples.event(3, kind: "calimero.presence.all"))
    machine.receive(EventSamples.event(3, kind: "calimero.presence"))
    machine.receive(EventSamples.event(3, kind: "calimero.presence"))
    #expect(
      drain(&machine).map(\.kind) == [
        "Sent", "calimero.presence.all", "calimero.presence", "calimero.presence",
      ])
    #expect(machine.lastCursor == "c11.0")
    end(&machine, .finished, at: 100)
    #expect(machine.step(at: 100) == connect("c11.0", .same))
  }

  @Test("the last cursor is that of the last event taken, not of the last one received")
  func lastCursor() {
    var machine = open([EventSamples.event(11), EventSamples.event(12)])
    #expect(machine.lastCursor == "c10.0")
    _ = machine.take()
    #expect(machine.lastCursor == "c11.0")
  }

  @Test("calimero.reset from a node is given out, and the stream goes on from it")
  func nodeReset() {
    var machine = open([EventSamples.event(11)])
    machine.receive(EventSamples.event(50, kind: NodeEventKind.reset))
    machine.receive(EventSamples.event(49))
    machine.receive(EventSamples.event(51))
    #expect(drain(&machine).map(\.cursor) == ["c11.0", "c50.0", "c51.0"])
  }

  // MARK: How a connection ended

  @Test("an answer that the node ended properly is asked for again at once at the same node")
  func finished() {
    var machine = open([EventSamples.event(11)])
    end(&machine, .finished, at: 3)
    #expect(machine.step(at: 3) == connect("c11.0", .same))
  }

  @Test("a node that ends every answer at once is not asked without a pause for ever")
  func finishedAtOnce() {
    var machine = open()
    for _ in 0..<3 {
      end(&machine, .finished, at: 0)
      #expect(machine.step(at: 0) == connect("c10.0", .same))
      machine.opened(at: 0)
    }
    end(&machine, .finished, at: 0)
    machine.opened(at: 0)
    end(&machine, .finished, at: 0)
    #expect(machine.step(at: 0) == .wait(until: 0.25))
  }

  @Test("a cut after five seconds is a sealed session's end: at once, same node")
  func cutLate() {
    var machine = open([EventSamples.event(11)])
    end(&machine, .cut, at: 5)
    #expect(machine.step(at: 5) == connect("c11.0", .same))
  }

  @Test("a cut before five seconds is a lost connection")
  func cutEarly() {
    var machine = open([EventSamples.event(11)])
    end(&machine, .cut, at: 4.9)
    #expect(machine.step(at: 4.9) == connect("c11.0", .next))
  }

  @Test("silence for 45 seconds, comments counting, sends it to the next node at once")
  func idle() {
    var machine = open()
    #expect(machine.deadAt == 45)
    machine.heard(at: 15)
    #expect(machine.deadAt == 60)
    end(&machine, .idle, at: 60)
    #expect(machine.deadAt == nil)
    #expect(machine.step(at: 60) == connect("c10.0", .next))
  }

  @Test("failures in a row wait 0, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 30 seconds, then the next node")
  func waits() {
    var machine = open()
    var now: TimeInterval = 1
    for wait in [0, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 30] {
      end(&machine, .lost("gone"), at: now)
      if wait > 0 { #expect(machine.step(at: now) == .wait(until: now + wait)) }
      #expect(machine.step(at: now + wait) == connect("c10.0", .next))
      now += wait
    }
  }

  @Test("a wait is up to a fifth shorter or longer", arguments: [(0.0, 0.2), (0.999_999, 0.3)])
  func jitter(unit: Double, wait: TimeInterval) throws {
    var machine = open()
    end(&machine, .lost("gone"), at: 1)
    end(&machine, .lost("gone"), at: 1, unit: unit)
    guard case .wait(let until) = machine.step(at: 1) else {
      Issue.record("it does not wait")
      return
    }
    #expect(abs(until - 1 - wait) < 0.001)
  }

  @Test("30 seconds of an open connection start the waits anew, a shorter one does not")
  func settled() {
    for (life, wait) in [(29.0, 0.5), (30.0, 0.0)] {
      var machine = open()
      end(&machine, .lost("gone"), at: 0)
      end(&machine, .lost("gone"), at: 0)
      machine.opened(at: 10)
      end(&machine, .lost("gone"), at: 10 + life)
      let next = machine.step(at: 10 + life)
      #expect(next == (wait > 0 ? .wait(until: 10 + life + wait) : connect("c10.0", .next)))
    }
  }

  @Test("a node that is busy is left alone for as long as it asks")
  func retryAfter() {
    for status in [429, 503] {
      var machine = machine()
      end(&machine, refusal(status, "X", retryAfter: 7), at: 0)
      #expect(machine.step(at: 0) == .wait(until: 7))
      #expect(machine.step(at: 7) == connect(nil, .next))
    }
  }

  @Test("every 5xx, an unreachable cluster and an unknown outcome are tried again")
  func retried() {
    for failure: Machine.End in [
      refusal(500, "INTERNAL"), refusal(502, "HTTP_502"), refusal(504, "TIMEOUT"),
      .failed(.unreachable(Unreachable(failures: []))), .failed(.unknownOutcome(UnknownOutcome(cause: "x"))),
    ] {
      var machine = open()
      end(&machine, failure, at: 1)
      #expect(machine.step(at: 1) == connect("c10.0", .next))
    }
  }

  @Test("what no other node could mend is thrown")
  func thrown() {
    let attestation = CalimeroError.attestation(AttestationFailure(reason: .quoteInvalid, text: ""))
    for (failure, expected): (Machine.End, CalimeroError) in [
      (refusal(400, "INVALID_CURSOR"), .stream(.invalidCursor)),
      (.failed(attestation), attestation), (.failed(.signedOut(.revoked)), .signedOut(.revoked)),
      (.failed(.decoding(DecodingFailure(reason: "x"))), .decoding(DecodingFailure(reason: "x"))),
      (.failed(.invalidInput("x")), .invalidInput("x")),
    ] {
      var machine = open()
      end(&machine, failure, at: 1)
      #expect(machine.step(at: 1) == .finish)
      #expect(machine.take() == .end(expected))
    }
    for status in [401, 403, 404] {
      var machine = open()
      end(&machine, refusal(status, "X"), at: 1)
      guard case .end(.api(let thrown)) = machine.take() else {
        Issue.record("\(status) is not thrown")
        continue
      }
      #expect(thrown.status == status)
    }
  }

  @Test("an error comes after the events that were received before it")
  func errorAfterEvents() {
    var machine = open([EventSamples.event(11)])
    end(&machine, refusal(404, "NOT_FOUND"), at: 1)
    #expect(machine.take() == .event(EventSamples.event(11)))
    guard case .end(.api) = machine.take() else {
      Issue.record("no error")
      return
    }
  }

  // MARK: Gaps

  @Test("events that are gone throw with the oldest cursor left")
  func gapFails() {
    var machine = machine(from: .after("c1"))
    end(&machine, refusal(410, "CURSOR_EXPIRED", details: ["oldest": "c40"]), at: 1)
    #expect(machine.take() == .end(.stream(.cursorExpired(oldest: "c40"))))
  }

  @Test("or, if asked to resume, yield calimero.reset and go on from the oldest")
  func gapResumes() throws {
    var machine = open([EventSamples.event(11)], onGap: .resume)
    end(&machine, .finished, at: 1)
    end(&machine, refusal(410, "CURSOR_EXPIRED", details: ["oldest": "c40.0", "latest": "c60.0"]), at: 1)
    #expect(machine.step(at: 1) == connect("c40.0", .same))
    let events = drain(&machine)
    #expect(events.map(\.kind) == ["Sent", NodeEventKind.reset])
    #expect(events.last?.data == ["oldest": "c40.0", "latest": "c60.0"])
    #expect(machine.lastCursor == "c40.0")
    machine.opened(at: 1)
    machine.receive(EventSamples.event(41))
    #expect(drain(&machine).map(\.seq) == [41])
  }

  @Test("a node whose every cursor has expired is not asked without a pause")
  func gapInARow() {
    var machine = machine(from: .after("c1"), onGap: .resume)
    let gone = refusal(410, "CURSOR_EXPIRED", details: ["oldest": "c40"])
    for _ in 0..<3 { end(&machine, gone, at: 1) }
    #expect(machine.step(at: 1) == .wait(until: 1.25))
    #expect(drain(&machine).count == 1)
  }

  @Test("a node that by turns lets a cursor expire and ends its answer is not asked without a pause")
  func gapAndQuickEnd() {
    var machine = machine(from: .after("c1"), onGap: .resume)
    var rounds = 0
    while case .connect = machine.step(at: 1), rounds < 100 {
      rounds += 1
      end(&machine, refusal(410, "CURSOR_EXPIRED", details: ["oldest": "c40"]), at: 1)
      machine.opened(at: 1)
      end(&machine, .finished, at: 1)
    }
    #expect(rounds == 5)
    #expect(machine.step(at: 1) == .wait(until: 1.25))
    // Gaps with nothing between them are one for whoever reads, so they do not pile up.
    #expect(drain(&machine).map(\.kind) == ["calimero.reset"])
  }

  // MARK: Slow consumers

  @Test("reading stops at a thousand events and goes on as they are taken")
  func full() {
    var machine = open((11...1009).map { EventSamples.event($0) })
    #expect(!machine.isFull)
    machine.receive(EventSamples.event(1010))
    #expect(machine.isFull && machine.waiting == 1000)
    _ = machine.take()
    #expect(!machine.isFull)
  }

  @Test("a connection that is not read from is not dead")
  func pausedIsNotDead() {
    var machine = open()
    machine.paused(true, at: 10)
    #expect(machine.deadAt == nil)
    machine.paused(false, at: 200)
    #expect(machine.deadAt == 245)
  }

  @Test("a connection given back comes again when there is room, from the last event taken")
  func slow() {
    var machine = open((11...20).map { EventSamples.event($0) }, queue: 10)
    for _ in 0..<2 { _ = machine.take() }
    end(&machine, .slow, at: 40)
    #expect(machine.step(at: 40) == .waitForRoom)
    for _ in 0..<3 { _ = machine.take() }
    #expect(machine.step(at: 41) == connect("c15.0", .same))
    machine.opened(at: 41)
    for seq in UInt64(16)...22 { machine.receive(EventSamples.event(seq)) }
    #expect(drain(&machine).map(\.seq) == Array(16...22))
    end(&machine, .finished, at: 50)
    #expect(machine.step(at: 50) == connect("c22.0", .same))
  }

  @Test("a slow consumer's stream that cannot be opened again still resumes from what was taken")
  func slowThenLost() {
    var machine = open((11...20).map { EventSamples.event($0) }, queue: 10)
    end(&machine, .slow, at: 40)
    for _ in 0..<6 { _ = machine.take() }
    end(&machine, .lost("gone"), at: 41)
    #expect(machine.step(at: 41) == connect("c16.0", .next))
  }

  // MARK: The end

  @Test("calimero.deleted is given out, then the stream is over")
  func deleted() {
    var machine = open([EventSamples.event(11), EventSamples.event(12, kind: NodeEventKind.deleted)])
    #expect(machine.step(at: 0) == .finish)
    machine.receive(EventSamples.event(13))
    #expect(drain(&machine).map(\.seq) == [11, 12])
    #expect(machine.take() == .end(nil))
  }

  @Test("signing out throws at once, and what waited is gone")
  func signedOut() {
    var machine = open([EventSamples.event(11)])
    machine.signedOut(.signedOut)
    #expect(machine.take() == .end(.signedOut(.signedOut)))
    machine.tookEnd()
    #expect(machine.take() == .end(nil))
  }

  @Test("it gives up after a limit without a connection, and only then")
  func giveUp() throws {
    var patient = machine()
    end(&patient, .lost("gone"), at: 1_000_000)
    let tooEarly = patient.givesUp(at: 1_000_000)
    #expect(!tooEarly)
    var machine = machine(giveUpAfter: 10)
    machine.opened(at: 5)
    let whileOpen = machine.givesUp(at: 500)
    #expect(!whileOpen)
    end(&machine, .lost("gone"), at: 500)
    let justBefore = machine.givesUp(at: 509.9)
    #expect(!justBefore)
    end(&machine, .lost("gone again"), at: 509.9)
    #expect(machine.step(at: 509.9) == .wait(until: 510))
    let atTheLimit = machine.givesUp(at: 510)
    #expect(atTheLimit)
    guard case .end(.unreachable(let failure)) = machine.take() else {
      Issue.record("it does not say unreachable")
      return
    }
    #expect(failure.failures.map(\.cause) == ["gone", "gone again"])
  }

  @Test("a node's word keeps the stream waiting for half a minute at most", arguments: [31, 1e9, .infinity])
  func longRetryAfter(seconds: TimeInterval) {
    var machine = open(at: 0)
    end(&machine, refusal(503, "UNAVAILABLE", retryAfter: seconds), at: 100)
    #expect(machine.step(at: 100) == .wait(until: 130))
  }

  @Test("a session that is over ends the stream in the same way, whoever hears of it first")
  func sessionOver() {
    for isToldByNode in [true, false] {
      var machine = open([EventSamples.event(11)])
      if isToldByNode {
        end(&machine, .failed(.signedOut(.revoked)), at: 1)
        machine.signedOut(.revoked)
      } else {
        machine.signedOut(.revoked)
        end(&machine, .failed(.signedOut(.revoked)), at: 1)
      }
      #expect(machine.take() == .end(.signedOut(.revoked)))
    }
  }
}
