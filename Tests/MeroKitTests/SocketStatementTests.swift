import Foundation
import MeroHTTP
import MeroKitTestSupport
import Testing

@testable import MeroKit

/// Statements of 70 §2.27 over real sockets: the bodies are those that hold in memory. More of them, on a clock that runs, are
/// in LocalClusterTests.
@Suite("What must be shown to work, over sockets", .timeLimit(.minutes(5)))
struct SocketStatementTests {
  /// One thing that a statement says, and the test that shows it.
  struct Part: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let hold: @Sendable () async throws -> Void

    init(_ words: String, _ hold: @escaping @Sendable () async throws -> Void) {
      testDescription = words
      self.hold = hold
    }
  }

  @Test("a rig that is made for sockets has its nodes there, and one that is ended refuses connections")
  func served() async throws {
    func health(_ rig: SessionRig) async throws -> Int {
      let url = rig.cloud.nodes[2].url.appendingPathComponent("health")
      return try await URLSessionTransport().send(HTTPRequest(.get, url)).status
    }
    try await overSockets {
      let rig = SessionRig()
      let before = try await health(rig)
      await rig.wire.end(2)
      let ended = try? await health(rig)
      rig.wire.begin(2)
      let after = try await health(rig)
      #expect([before, ended, after] == [200, nil, 200])
    }
  }

  @Test(
    "70 §2.27 #2: over sockets a node with a bad quote receives nothing but the attestation request",
    arguments: [
      (.wrongNonce, .reportData), (.wrongKey, .reportData), (.wrongCluster, .wrongCluster),
      (.unsigned, .quoteInvalid), (.malformed, .quoteInvalid),
    ] as [(FakeCloudNode.BadQuote, AttestationFailure.Reason)])
  func badQuote(quote: FakeCloudNode.BadQuote, reason: AttestationFailure.Reason) async throws {
    try await overSockets { await EngineTrustTests().badQuotes(quote: quote, reason: reason) }
  }

  @Test("70 §2.27 #3: over sockets a mock quote is refused under production")
  func mockQuote() async throws {
    try await overSockets { await EngineTrustTests().mockInProduction() }
  }

  @Test(
    "70 §2.27 #6: over sockets an answer lost after running is the kept result, or an unknown outcome",
    arguments: [
      Part("a call") { try await EngineFailoverTests().lostAnswer() },
      Part("an unsafe operation") { try await EngineFailoverTests().lostUnsafe() },
    ])
  func lostAnswer(part: Part) async throws { try await overSockets(part.hold) }

  @Test(
    "70 §2.27 #7: over sockets, with all nodes down, six tries fail within the deadline, with the waits of 2.6",
    arguments: [
      Part("three nodes") { await EngineFailoverTests().allDown() },
      Part("a single node") { await EngineFailoverTests().oneDown() },
      Part("a wait that would pass the deadline") { await EngineFailoverTests().deadline() },
    ])
  func allDown(part: Part) async throws { try await overSockets(part.hold) }

  @Test("70 §2.27 #8: over sockets a node that restarts between two calls costs one attestation and no try")
  func restart() async throws { try await overSockets { try await EngineTrustTests().restart() } }

  @Test(
    "70 §2.27 #9: over sockets a 412 is answered as asked, once, and never for another path",
    arguments: [
      Part("the call's passkey") { try await StepUpClusterTests().perCall() },
      Part("the client's") { try await StepUpClusterTests().clientLevel() },
      Part("none") { try await StepUpClusterTests().none() },
      Part("another path") { try await StepUpClusterTests().otherPath() },
      Part("a declined sheet") { try await StepUpClusterTests().declined() },
    ])
  func stepUp(part: Part) async throws { try await overSockets(part.hold) }

  @Test(
    "70 §2.27 #10: over sockets a 428 is answered as asked, once, and so are a 428 and a 412 together",
    arguments: [
      Part("the call's signer") { try await OperatorClusterTests().perCall() },
      Part("the client's") { try await OperatorClusterTests().clientSigner() },
      Part("none") { try await OperatorClusterTests().noSigner() },
      Part("a signer that declines") { try await OperatorClusterTests().declined() },
      Part("another operation") { try await OperatorClusterTests().otherOperation() },
      Part("another path") { try await OperatorClusterTests().otherPath() },
      Part("a key that is not on the roster") { try await OperatorClusterTests().strangeKey() },
      Part("both") { try await OperatorClusterTests().both() },
    ])
  func operatorSignature(part: Part) async throws { try await overSockets(part.hold) }

  @Test("70 §2.27 #13: over sockets two clients over one file store do not revoke each other")
  func sharedFile() async throws { try await overSockets { try await SessionClusterTests().sharedFile() } }

  @Test(
    "70 §2.27 #14: over sockets events come in order, each once, whatever ends the connection, and go on elsewhere",
    arguments: [
      Part("a lost connection, a session's end, a refresh") {
        try await EventsClusterTests().thousandEvents()
      },
      Part("a node's end") { try await EventsClusterTests().nodeGoesAway() },
    ])
  func events(part: Part) async throws { try await overSockets(part.hold) }

  @Test(
    "70 §2.27 #15: over sockets a cursor that expired is told or passed over, and a sleeper loses nothing",
    arguments: [
      Part("CURSOR_EXPIRED") { try await EventsClusterTests().cursorExpired() },
      Part("a consumer that sleeps") { try await EventsClusterTests().sleeper() },
    ])
  func gaps(part: Part) async throws { try await overSockets(part.hold) }

  @Test("70 §2.27 #16: over sockets a view after a call sees it across a failover, and may not when eventual")
  func readYourWrites() async throws {
    try await overSockets { try await EngineFailoverTests().readYourWrites() }
  }

  @Test(
    "70 §2.27 #20: over sockets invitations let in whom they are for, once, and say how they were closed",
    arguments: [
      Part("throughout") { try await InviteClusterTests().throughout() },
      Part("an acceptance that is lost") { try await InviteClusterTests().lostAcceptance() },
      Part("closed ones") { try await InviteClusterTests().closed() },
    ])
  func invitations(part: Part) async throws { try await overSockets(part.hold) }

  @Test("70 §2.27 #21: over sockets a key does what its scopes and limits allow, and never a person's work")
  func apiKey() async throws { try await overSockets { try await AccountClusterTests().useApiKey() } }

  @Test(
    "70 §2.27 #22: over sockets consent signs in whoever was granted it, and nobody else",
    arguments: [
      Part("yes") { try await ConsentClusterTests().yes() },
      Part("no") { try await ConsentClusterTests().no() },
      Part("another flow's state") { try await ConsentClusterTests().wrongState() },
      Part("a stolen code") { try await ConsentClusterTests().wrongVerifier() },
      Part("a code twice") { try await ConsentClusterTests().codeTwice() },
      Part("an app started anew") { try await ConsentClusterTests().restarted() },
    ])
  func consent(part: Part) async throws { try await overSockets(part.hold) }

  @Test(
    "70 §2.27 #23: over sockets numbers come through call, view, events and details as they were written",
    arguments: EngineAnswerTests.numbers)
  func exactNumbers(text: String) async throws {
    try await overSockets { try await EngineAnswerTests().exactNumbers(text: text) }
  }

  @Test("70 §2.27 #25: over sockets every method is called once, within the document both ways")
  func everyMethod() async throws { try await overSockets { try await FacadeClusterTests().everyMethod() } }

  @Test(
    "70 §2.27 #26: over sockets a response that is cut or tampered with is never data",
    arguments: [true, false]
  )
  func brokenFrames(cuts: Bool) async throws {
    try await overSockets { try await EngineFailoverTests().brokenFrames(cuts: cuts) }
  }
}
