import Testing

@testable import MeroKit

@Suite("What a device says of its presence, and when")
struct RelayPresenceMachineTests {
  typealias Statement = RelayPresenceMachine.Statement
  typealias Effect = RelayPresenceMachine.Effect

  var machine = RelayPresenceMachine()

  func statement(_ state: [UInt8]?, seq: UInt64, at ms: UInt64, turn: Int, in context: String = "a")
    -> Statement
  {
    Statement(contextId: context, state: state, seq: seq, sentAtMs: ms, turn: turn)
  }

  @Test("a set ends the repetition before it, posts, and is repeated when it was taken or missed")
  mutating func sets() {
    let first = statement([1], seq: 100, at: 100, turn: 1)
    #expect(machine.handle(.set([1], contextId: "a"), at: 100) == [.stop(contextId: "a"), .post(first)])
    #expect(machine.handle(.ended(first, .missed), at: 100) == [.wait(contextId: "a", turn: 1)])
    let second = statement([1], seq: 101, at: 100, turn: 1)
    #expect(machine.handle(.due(contextId: "a", turn: 1), at: 100) == [.post(second)])
    #expect(machine.handle(.ended(second, .taken), at: 100) == [.wait(contextId: "a", turn: 1)])
  }

  @Test("numbers rise when the clock goes back")
  mutating func clockGoesBack() {
    _ = machine.handle(.set([1], contextId: "a"), at: 100)
    #expect(
      machine.handle(.set([2], contextId: "a"), at: 40).last
        == .post(statement([2], seq: 101, at: 40, turn: 2)))
    #expect(
      machine.handle(.set([2], contextId: "b"), at: 40).last
        == .post(statement([2], seq: 40, at: 40, turn: 1, in: "b")))
  }

  @Test(
    "nothing follows from what a newer set, a retract or close overtook",
    arguments: [
      RelayPresenceMachine.Input.set([2], contextId: "a"), .set(nil, contextId: "a"), .close,
    ], [RelayPresenceMachine.Outcome.taken, .missed, .refused, .cancelled])
  func overtaken(_ input: RelayPresenceMachine.Input, _ outcome: RelayPresenceMachine.Outcome) {
    var machine = machine
    _ = machine.handle(.set([1], contextId: "a"), at: 1)
    _ = machine.handle(input, at: 2)
    #expect(machine.handle(.ended(statement([1], seq: 1, at: 1, turn: 1), outcome), at: 3).isEmpty)
    #expect(machine.handle(.due(contextId: "a", turn: 1), at: 3).isEmpty)
  }

  @Test("a refusal and a cancellation end what they are about")
  mutating func ends() {
    for (turn, outcome) in [RelayPresenceMachine.Outcome.refused, .cancelled].enumerated() {
      let set = machine.handle(.set([1], contextId: "a"), at: 1)
      guard case .post(let posted)? = set.last else { return #expect(Bool(false), "nothing was posted") }
      #expect(machine.handle(.ended(posted, outcome), at: 1) == [.stop(contextId: "a")])
      #expect(machine.handle(.due(contextId: "a", turn: turn + 1), at: 1).isEmpty)
    }
  }

  @Test("a retract is over when it was posted")
  mutating func retracts() {
    let retract = statement(nil, seq: 5, at: 5, turn: 1)
    #expect(machine.handle(.set(nil, contextId: "a"), at: 5) == [.stop(contextId: "a"), .post(retract)])
    #expect(machine.handle(.ended(retract, .taken), at: 5).isEmpty)
    #expect(machine.handle(.ended(retract, .missed), at: 5).isEmpty)
  }

  @Test("close ends every context's repetition")
  mutating func closes() {
    _ = machine.handle(.set([1], contextId: "a"), at: 1)
    _ = machine.handle(.set([1], contextId: "b"), at: 1)
    #expect(machine.handle(.close, at: 1) == [.stop(contextId: "a"), .stop(contextId: "b")])
  }
}
