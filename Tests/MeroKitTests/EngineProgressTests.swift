import Foundation
import Testing

@testable import MeroKit

private let one = URL(string: "http://127.0.0.1:2501")!
private let two = URL(string: "http://127.0.0.1:2502")!

@Suite("How far a request has come")
struct EngineProgressTests {
  private func progress(
    _ retryClass: RetryClass = .safe, policy: RetryPolicy = .standard, deadline: TimeInterval = 30,
    countsRefusedNodes: Bool = true
  ) -> RequestProgress {
    RequestProgress(
      identity: .init(operation: "org_get", requestId: "r1", idempotencyKey: "k1"), policy: policy,
      retryClass: retryClass, walk: RingWalk(), deadline: deadline, countsRefusedNodes: countsRefusedNodes)
  }

  /// Ends a try the way the engine does.
  private func end(
    _ progress: inout RequestProgress, _ outcome: AttemptOutcome, at node: URL = one, now: TimeInterval = 0
  ) -> RequestProgress.Next {
    var answer: APIError?
    if case .answered(let head) = outcome, head.status >= 300 {
      answer = APIError(status: head.status, code: head.code ?? ErrorCode("HTTP_\(head.status)"), message: "")
    }
    return progress.ended(
      AttemptRules.decide(outcome, progress.retryClass, progress.situation), outcome, at: node, now: now,
      answer: answer)
  }

  private func overloaded() -> AttemptOutcome { .answered(AnswerHead(status: 503, code: .overloaded)) }

  @Test("the waits between rounds double from 0.2 s to 2 s, half of each random")
  func waits() {
    let policy = RetryPolicy.standard
    #expect((2...7).map { policy.wait(beforeRound: $0, unit: 0) } == [0.1, 0.2, 0.4, 0.8, 1, 1])
    #expect(policy.wait(beforeRound: 2, unit: 0.5) == 0.15000000000000002)
    #expect(abs(policy.wait(beforeRound: 5, unit: 1) - 1.6) < 1e-9)
  }

  @Test("after six tries the request is over and lists each node and failure")
  func sixTries() {
    var progress = progress()
    for number in 1...6 {
      progress.beginTry(at: number % 2 == 1 ? one : two)
      let next = end(&progress, .cannotConnect("refused"), at: number % 2 == 1 ? one : two)
      #expect(next == (number < 6 ? .choose : .exhausted))
    }
    guard case .unreachable(let failure) = progress.finalError(refusal: nil) else {
      Issue.record("not unreachable")
      return
    }
    #expect(failure.failures.map(\.node) == [one, two, one, two, one, two])
    #expect(failure.operation == "org_get")
  }

  @Test("a wait that would pass the deadline is not begun")
  func deadline() {
    var progress = progress(deadline: 1)
    progress.beginTry(at: one)
    _ = end(&progress, .cannotConnect("refused"))
    let late = progress.beginRound(at: 0.95, unit: 0)
    #expect(late == nil)
    let early = progress.beginRound(at: 0.85, unit: 0)
    #expect(early == 0.1)
  }

  @Test("time a person spends at a passkey is not counted")
  func excused() {
    var progress = progress(deadline: 10)
    progress.excuse(60)
    #expect(progress.timeLeft(at: 65) == 5)
    progress.excuse(-5)
    #expect(progress.timeLeft(at: 65) == 5)
  }

  @Test("no try begins after the deadline")
  func late() {
    var progress = progress(deadline: 5)
    progress.beginTry(at: one)
    #expect(end(&progress, .cannotConnect("slow"), now: 5) == .exhausted)
  }

  @Test("a request that was never tried begins its round at once")
  func firstRound() {
    var progress = progress()
    let wait = progress.beginRound(at: 0, unit: 1)
    #expect(wait == 0)
  }

  @Test("the last answer is thrown when nodes kept refusing")
  func lastAnswer() {
    var progress = progress(policy: RetryPolicy(maxTries: 3))
    progress.beginTry(at: one)
    _ = end(&progress, overloaded())
    progress.beginTry(at: two)
    _ = end(&progress, .answered(AnswerHead(status: 503, code: .syncing)), at: two)
    progress.beginTry(at: one)
    #expect(end(&progress, .cannotConnect("refused")) == .exhausted)
    #expect(progress.finalError(refusal: nil).code == .syncing)
  }

  @Test(
    "an unknown outcome is thrown for every class when nothing later settled it",
    arguments: [RetryClass.safe, .keyed])
  func unsettled(retryClass: RetryClass) {
    var progress = progress(retryClass, policy: RetryPolicy(maxTries: 2))
    progress.beginTry(at: one)
    #expect(end(&progress, .lost("reset")) == .choose)
    progress.beginTry(at: two)
    // Refusing this try says nothing about the one before it.
    #expect(end(&progress, overloaded(), at: two) == .exhausted)
    guard case .unknownOutcome(let outcome) = progress.finalError(refusal: nil) else {
      Issue.record("not unknownOutcome")
      return
    }
    #expect(outcome.node == one)
    #expect(outcome.requestId == "r1")
    #expect(outcome.idempotencyKey == "k1")
    #expect(progress.finalError(refusal: nil).mayHaveRun)
  }

  @Test("a 504 stays the outcome when later nodes only refuse")
  func timedOutThenRefused() {
    var progress = progress(policy: RetryPolicy(maxTries: 2))
    progress.beginTry(at: one)
    _ = end(&progress, .answered(AnswerHead(status: 504, code: .timeout)))
    progress.beginTry(at: two)
    #expect(end(&progress, overloaded(), at: two) == .exhausted)
    #expect(progress.finalError(refusal: nil).code == .timeout)
  }

  @Test("an unsafe request fails at its first unknown outcome")
  func unsafeFails() {
    var progress = progress(.unsafe)
    progress.beginTry(at: one)
    guard case .fail(.unknownOutcome(let outcome)) = end(&progress, .bodyLost("cut")) else {
      Issue.record("not failed")
      return
    }
    #expect(outcome.cause == "cut")
  }

  @Test("an unsafe request goes on as long as nothing was sent")
  func unsafeGoesOn() {
    var progress = progress(.unsafe)
    progress.beginTry(at: one)
    #expect(end(&progress, .cannotConnect("refused")) == .choose)
  }

  @Test("with nobody reached, a refused attestation is told rather than an outage")
  func refusalFirst() {
    let refusal = CalimeroError.attestation(AttestationFailure(reason: .measurements, text: "swapped"))
    var progress = progress(policy: RetryPolicy(maxTries: 2))
    progress.beginTry(at: one)
    _ = end(&progress, .attestationRefused(refusal))
    progress.beginTry(at: two)
    #expect(end(&progress, .cannotConnect("refused"), at: two) == .exhausted)
    #expect(progress.finalError(refusal: refusal) == refusal)
  }

  @Test("a stream looks for a node beyond those that cannot be trusted, even with one try")
  func streams() {
    let refusal = CalimeroError.attestation(AttestationFailure(reason: .measurements, text: "swapped"))
    var progress = progress(policy: .none, countsRefusedNodes: false)
    progress.beginTry(at: one)
    #expect(end(&progress, .attestationRefused(refusal)) == .choose)
    progress.beginTry(at: two)
    #expect(progress.tries == 1)
    #expect(end(&progress, .cannotConnect("refused"), at: two) == .exhausted)
  }

  @Test("a 429's wait is another try at the same node")
  func rateLimited() {
    var progress = progress(policy: RetryPolicy(maxTries: 2))
    let limited = AttemptOutcome.answered(AnswerHead(status: 429, code: .rateLimited, retryAfter: 1.5))
    progress.beginTry(at: one)
    #expect(end(&progress, limited) == .send(one, after: 1.5, isSameTry: false, renewSession: false))
    progress.beginTry(at: one)
    #expect(end(&progress, limited) == .exhausted)
    #expect(progress.finalError(refusal: nil).code == .rateLimited)
  }

  @Test("the waits for a first request that still runs double from 0.2 s to 2 s, at the same node")
  func inProgress() {
    var progress = progress(.keyed, policy: RetryPolicy(maxTries: 7))
    var waits: [TimeInterval] = []
    for _ in 1...6 {
      progress.beginTry(at: one)
      let next = end(&progress, .answered(AnswerHead(status: 409, code: .idempotencyInProgress)))
      if case .send(one, let wait, false, false) = next { waits.append(wait) }
    }
    #expect(waits == [0.2, 0.4, 0.8, 1.6, 2, 2])
  }

  @Test("an unreadable envelope costs a new session at the same node once per try")
  func renewal() {
    var progress = progress()
    progress.beginTry(at: one)
    #expect(
      end(&progress, .envelopeRefused(.undecryptable))
        == .send(one, after: 0, isSameTry: true, renewSession: true))
    #expect(end(&progress, .envelopeRefused(.undecryptable)) == .choose)
    progress.beginTry(at: two)
    #expect(
      end(&progress, .envelopeRefused(.malformed), at: two)
        == .send(two, after: 0, isSameTry: true, renewSession: true))
  }

  @Test("an expired token is refreshed once per request, without another try")
  func refreshOnce() {
    var progress = progress()
    progress.situation.canRefresh = true
    progress.beginTry(at: one)
    let expired = AttemptOutcome.answered(AnswerHead(status: 401, code: .tokenExpired))
    #expect(end(&progress, expired) == .refresh)
    #expect(progress.tries == 1)
    #expect(end(&progress, expired) == .deliver)
  }

  @Test("an unsafe request of a young session gets one more turn, at the node that issued it")
  func issuer() {
    var progress = progress(.unsafe)
    progress.situation.isYoungElsewhere = true
    progress.beginTry(at: one)
    let outcome = AttemptOutcome.answered(AnswerHead(status: 401, code: .unauthenticated))
    let decision = AttemptRules.decide(outcome, .unsafe, progress.situation)
    let next = progress.ended(decision, outcome, at: one, now: 0, issuer: two)
    #expect(next == .choose)
    #expect(progress.walk.hint == two)
    progress.beginTry(at: two)
    #expect(end(&progress, outcome, at: two) == .deliver)
  }

  @Test("a request too large when sealed is the node's refusal, not a failure to reach it")
  func tooLarge() {
    var progress = progress()
    progress.beginTry(at: one)
    guard case .fail(.api(let refusal)) = end(&progress, .tooLarge) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.code == .payloadTooLarge)
    #expect(refusal.ran == .no)
  }
}
