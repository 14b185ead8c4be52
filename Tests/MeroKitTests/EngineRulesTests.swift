import Foundation
import MeroSealed
import Testing

@testable import MeroKit

private let cool = AttemptDecision.Mark.cool(Cooling())

private func answered(
  _ status: Int, _ code: ErrorCode? = nil, retryAfter: TimeInterval? = nil, leader: String? = nil
) -> AttemptOutcome {
  .answered(AnswerHead(status: status, code: code, retryAfter: retryAfter, leader: leader))
}

/// The table of 70 §2.6, row by row: what S and K do, and what U does.
@Suite("What follows from a try")
struct EngineRulesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let outcome: AttemptOutcome
    let situation: AttemptSituation
    let repeatable: AttemptDecision
    let unsafe: AttemptDecision
    var testDescription: String { name }

    init(
      _ name: String, _ outcome: AttemptOutcome, _ repeatable: AttemptDecision,
      unsafe: AttemptDecision? = nil, after situation: AttemptSituation = AttemptSituation()
    ) {
      self.name = name
      self.outcome = outcome
      self.situation = situation
      self.repeatable = repeatable
      self.unsafe = unsafe ?? repeatable
    }
  }

  static let refused = CalimeroError.attestation(AttestationFailure(reason: .mockRefused, text: "mock"))
  static let nextCooled = AttemptDecision(.nextNode(), cool)
  static let unknownFailed = AttemptDecision(.failUnknown, cool, ran: .unknown)

  static let notRun: [Row] = [
    Row("cannot connect", .cannotConnect("refused"), nextCooled),
    Row("attestation out of reach", .attestationUnreachable("503"), nextCooled),
    Row("attestation refused", .attestationRefused(refused), AttemptDecision(.nextNode(), .refuse(refused))),
    Row("stale key, twice", .staleTransportKey, AttemptDecision(.nextNode())),
    Row("busy, twice", .handshakeBusy, nextCooled),
    Row("not sealed, before the request was posted", .notSealed("404"), nextCooled),
    Row("unknown session, twice", .unknownSession, AttemptDecision(.nextNode())),
    Row("replayed", .envelopeRefused(.replayedRequest), AttemptDecision(.renewSession)),
    Row(
      "undecryptable in a new session", .envelopeRefused(.undecryptable), nextCooled,
      after: AttemptSituation(renewedSession: true)),
    Row("too large", .tooLarge, AttemptDecision(.fail(.payloadTooLarge))),
    Row(
      "sealed required", .channelRefused(.sealedRequired, "why"),
      AttemptDecision(.fail(.channel(code: "sealed_required", reason: "why")))),
  ]

  static let unknown: [Row] = [
    Row(
      "a proxy's page", .proxyAnswer(status: 502), AttemptDecision(.nextNode(), cool, ran: .unknown),
      unsafe: unknownFailed),
    Row(
      "lost after it was posted", .lost("reset"), AttemptDecision(.nextNode(), cool, ran: .unknown),
      unsafe: unknownFailed),
    Row(
      "cut body", .bodyLost("cut"), AttemptDecision(.nextNode(), cool, ran: .unknown), unsafe: unknownFailed),
    Row("cancelled", .cancelled, AttemptDecision(.fail(.cancelled), ran: .unknown)),
  ]

  static let answers: [Row] = [
    Row("200", answered(200), AttemptDecision(.deliver, ran: .yes)),
    Row(
      "503", answered(503, .overloaded, retryAfter: 3),
      AttemptDecision(.nextNode(), .cool(Cooling(atLeast: 3))),
      unsafe: AttemptDecision(.deliver, .cool(Cooling(atLeast: 3)))),
    Row(
      "503 draining", answered(503, .draining),
      AttemptDecision(.nextNode(), .cool(Cooling(isDraining: true))),
      unsafe: AttemptDecision(.deliver, .cool(Cooling(isDraining: true)))),
    Row(
      "503 not the leader", answered(503, .notLeader, leader: "node_2"),
      AttemptDecision(.nextNode(hint: "node_2"), cool), unsafe: AttemptDecision(.deliver, cool)),
    Row(
      "503 behind takes no hint", answered(503, .behind, leader: "node_2"),
      AttemptDecision(.nextNode(), cool),
      unsafe: AttemptDecision(.deliver, cool)),
    Row(
      "502", answered(502, ErrorCode("HTTP_502")), AttemptDecision(.nextNode(), cool, ran: .unknown),
      unsafe: AttemptDecision(.deliver, cool, ran: .unknown)),
    Row(
      "504", answered(504, .timeout), AttemptDecision(.nextNode(), cool, ran: .unknown),
      unsafe: AttemptDecision(.deliver, cool, ran: .unknown)),
    Row(
      "429 with a short wait", answered(429, .rateLimited, retryAfter: 2), AttemptDecision(.waitHere(2)),
      unsafe: AttemptDecision(.deliver)),
    Row("429 with a long wait", answered(429, .rateLimited, retryAfter: 2.001), AttemptDecision(.deliver)),
    Row("429 without a wait", answered(429, .rateLimited), AttemptDecision(.deliver)),
    Row("500", answered(500, .internal), AttemptDecision(.deliver, ran: .unknown)),
    Row("an unknown 4xx", answered(418, ErrorCode("TEAPOT")), AttemptDecision(.deliver)),
    Row("an unknown 5xx", answered(507, ErrorCode("FULL")), AttemptDecision(.deliver, ran: .unknown)),
    Row("404", answered(404, .notFound), AttemptDecision(.deliver)),
    Row("422 from the app", answered(422, .methodFailed), AttemptDecision(.deliver, ran: .yes)),
    Row("a redirect", answered(302, ErrorCode("HTTP_302")), AttemptDecision(.deliver, ran: .unknown)),
  ]

  static let questions: [Row] = [
    Row(
      "expired token", answered(401, .tokenExpired),
      AttemptDecision(.refresh), after: AttemptSituation(canRefresh: true)),
    Row("expired token after a refresh", answered(401, .tokenExpired), AttemptDecision(.deliver)),
    Row("unknown token of an old session", answered(401, .unauthenticated), AttemptDecision(.deliver)),
    Row(
      "unknown token of a young session", answered(401, .unauthenticated),
      AttemptDecision(.issuingNode, cool), after: AttemptSituation(isYoungElsewhere: true)),
    Row(
      "unknown token, the issuing node was asked", answered(401, .unauthenticated), nextCooled,
      unsafe: AttemptDecision(.deliver, cool),
      after: AttemptSituation(isYoungElsewhere: true, askedIssuer: true)),
    Row(
      "confirmation", answered(412, .confirmRequired),
      AttemptDecision(.confirm), after: AttemptSituation(answersConfirm: true)),
    Row("confirmation nobody gives", answered(412, .confirmRequired), AttemptDecision(.deliver)),
    Row(
      "signature", answered(428, .operatorSignatureRequired),
      AttemptDecision(.sign), after: AttemptSituation(answersOperator: true)),
    Row("signature nobody gives", answered(428, .operatorSignatureRequired), AttemptDecision(.deliver)),
    Row(
      "412 of another kind", answered(412, ErrorCode("OTHER")),
      AttemptDecision(.deliver), after: AttemptSituation(answersConfirm: true)),
  ]

  @Test("each row of the table decides as it says", arguments: notRun + unknown + answers + questions)
  func table(row: Row) {
    #expect(AttemptRules.decide(row.outcome, .safe, row.situation) == row.repeatable)
    #expect(AttemptRules.decide(row.outcome, .keyed, row.situation) == row.repeatable)
    #expect(AttemptRules.decide(row.outcome, .unsafe, row.situation) == row.unsafe)
  }

  @Test("only a keyed request waits for the first one with its key")
  func inProgress() {
    let outcome = answered(409, .idempotencyInProgress)
    #expect(AttemptRules.decide(outcome, .keyed) == AttemptDecision(.waitForFirst))
    #expect(AttemptRules.decide(outcome, .safe) == AttemptDecision(.deliver))
    #expect(AttemptRules.decide(outcome, .unsafe) == AttemptDecision(.deliver))
  }

  @Test("an outcome no other node could better ends the request")
  func unusable() {
    let error = CalimeroError.decoding(.tooLarge(limit: 1))
    #expect(
      AttemptRules.decide(.unusable(error), .safe) == AttemptDecision(.fail(.other(error)), ran: .unknown))
  }
}
