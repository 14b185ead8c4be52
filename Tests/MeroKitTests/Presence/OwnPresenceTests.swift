import Foundation
import MeroHTTP
import MeroWire
import Testing

@testable import MeroKit

@Suite("What a session says of itself")
struct OwnPresenceTests {
  private func moment(_ seconds: Double) -> OwnPresence.Moment {
    OwnPresence.Moment(milliseconds: UInt64(1_000_000 + seconds * 1000), uptime: seconds)
  }

  private func statement(_ effects: [OwnPresence.Effect]) -> OwnPresence.Statement? {
    for case .put(let statement) in effects { return statement }
    return nil
  }

  private static func refusal(_ status: Int, _ code: ErrorCode) -> CalimeroError {
    .api(APIError(status: status, code: code, message: "refused"))
  }

  @Test("what is set is said again 2.5 seconds after it was last said, with versions that grow")
  func renewal() throws {
    var own = OwnPresence()
    let first = try #require(statement(own.handle(.set("a"), at: moment(0))))
    #expect(first.version == 1_000_000)
    #expect(first.isFirst)
    #expect(own.handle(.ended(first, .taken), at: moment(0.5)) == [.wait(turn: first.turn, seconds: 2)])
    let second = try #require(statement(own.handle(.due(turn: first.turn), at: moment(2.5))))
    #expect(second.state == "a")
    #expect(second.version == 1_002_500)
    #expect(!second.isFirst)
    // A node that answered late, or not at all, is asked again without a pause.
    #expect(own.handle(.ended(second, .missed), at: moment(9)) == [.wait(turn: first.turn, seconds: 0)])
    // A clock that was set back changes nothing of the order.
    let third = try #require(statement(own.handle(.due(turn: first.turn), at: moment(-3))))
    #expect(third.version == 1_002_501)
  }

  @Test("the last set counts: the older is cancelled, and nothing follows from how it ends")
  func newest() throws {
    var own = OwnPresence()
    let old = try #require(statement(own.handle(.set("old"), at: moment(0))))
    let effects = own.handle(.set("new"), at: moment(0))
    let new = try #require(statement(effects))
    #expect(effects == [.cancel, .put(new)])
    #expect(new.version == old.version + 1)
    #expect(!own.isCurrent(old))
    #expect(own.handle(.ended(old, .refused(.invalidInput("x"))), at: moment(1)) == [])
    #expect(own.handle(.due(turn: old.turn), at: moment(2.5)) == [])
    #expect(own.handle(.ended(new, .taken), at: moment(1)) == [.wait(turn: new.turn, seconds: 1.5)])
  }

  @Test("clearing is said once, is above what was set, and nothing is said after it")
  func clear() throws {
    var own = OwnPresence()
    let set = try #require(statement(own.handle(.set("a"), at: moment(0))))
    let clear = try #require(statement(own.handle(.clear, at: moment(0))))
    #expect(clear.state == .null)
    #expect(clear.version > set.version)
    #expect(own.handle(.ended(clear, .missed), at: moment(1)) == [])
    #expect(own.handle(.ended(set, .taken), at: moment(1)) == [])
    #expect(own.handle(.due(turn: clear.turn), at: moment(3)) == [])
    let null = try #require(statement(own.handle(.set(.null), at: moment(4))))
    #expect(own.handle(.ended(null, .taken), at: moment(4)) == [])
  }

  @Test("a refusal of a renewal stops it and is reported; whoever set it learns of the first one")
  func refused() throws {
    let error = Self.refusal(403, .forbidden)
    var own = OwnPresence()
    let first = try #require(statement(own.handle(.set("a"), at: moment(0))))
    #expect(own.handle(.ended(first, .refused(error)), at: moment(0)) == [])
    #expect(own.handle(.due(turn: first.turn), at: moment(3)) == [])
    let again = try #require(statement(own.handle(.set("a"), at: moment(3))))
    _ = own.handle(.ended(again, .taken), at: moment(3))
    let renewal = try #require(statement(own.handle(.due(turn: again.turn), at: moment(6))))
    #expect(own.handle(.ended(renewal, .refused(error)), at: moment(6)) == [.report(error)])
    #expect(own.handle(.due(turn: again.turn), at: moment(9)) == [])
  }

  @Test("in the background nothing is said, what is set there waits, and coming back says it")
  func background() throws {
    var own = OwnPresence()
    let set = try #require(statement(own.handle(.set("a"), at: moment(0))))
    _ = own.handle(.ended(set, .taken), at: moment(0))
    let away = try #require(statement(own.handle(.pause, at: moment(1))))
    #expect(away.state == .null)
    #expect(own.handle(.pause, at: moment(1)) == [])
    #expect(own.handle(.due(turn: set.turn), at: moment(2.5)) == [])
    #expect(own.handle(.set("b"), at: moment(3)) == [.cancel])
    let back = try #require(statement(own.handle(.resume, at: moment(60))))
    #expect(back.state == "b")
    #expect(own.handle(.ended(back, .taken), at: moment(60)) == [.wait(turn: back.turn, seconds: 2.5)])
    _ = own.handle(.clear, at: moment(61))
    #expect(own.handle(.pause, at: moment(62)) == [.cancel])
    #expect(own.handle(.resume, at: moment(63)) == [])
  }

  @Test("closing says that the session left if it was there, and what is set afterwards is above it")
  func close() throws {
    var own = OwnPresence()
    #expect(own.handle(.close, at: moment(0)) == [.cancel])
    let set = try #require(statement(own.handle(.set("a"), at: moment(0))))
    let left = try #require(statement(own.handle(.close, at: moment(0))))
    #expect(left.state == .null)
    #expect(left.version > set.version)
    #expect(own.handle(.ended(set, .taken), at: moment(1)) == [])
    #expect(own.handle(.due(turn: left.turn), at: moment(3)) == [])
    #expect(own.handle(.close, at: moment(0)) == [.cancel])
    let again = try #require(statement(own.handle(.set("b"), at: moment(0))))
    #expect(again.version > left.version)
    // Who is away already has nothing to take back.
    _ = own.handle(.pause, at: moment(0))
    #expect(own.handle(.close, at: moment(0)) == [.cancel])
  }

  @Test("only what waiting can mend is missed")
  func outcomes() {
    let missed: [CalimeroError] = [
      Self.refusal(429, .rateLimited), Self.refusal(503, .unavailable), Self.refusal(500, .internal),
      .unreachable(Unreachable(failures: [], operation: nil)),
    ]
    for error in missed { #expect(OwnPresence.Outcome(error) == .missed) }
    let refused = [
      Self.refusal(403, .forbidden), Self.refusal(404, .notFound), Self.refusal(413, .payloadTooLarge),
      .signedOut(.expired),
    ]
    for error in refused { #expect(OwnPresence.Outcome(error) == .refused(error)) }
    #expect(OwnPresence.Outcome(nil) == .taken)
    #expect(OwnPresence.Outcome(.cancelled) == .cancelled)
  }
}
