import Foundation

/// What follows from how a try ended.
struct AttemptDecision: Sendable, Hashable {
  enum Step: Sendable, Hashable {
    /// Another node, the hinted one if there is one.
    case nextNode(hint: String? = nil)
    /// The node that issued the session.
    case issuingNode
    /// The same node over a new sealed session; not another try.
    case renewSession
    /// The same node again after this many seconds.
    case waitHere(TimeInterval)
    /// The same node again, after the growing wait for a first request that is still running.
    case waitForFirst
    /// Renew the token and send again; not another try.
    case refresh
    /// Ask for a passkey and send again; not another try.
    case confirm
    /// Ask for an operator's signature and send again; not another try.
    case sign
    /// The answer is the outcome: return it, or throw it as `api`.
    case deliver
    /// There is no answer, and a repeat might run the request twice.
    case failUnknown
    /// Nothing another node could do better.
    case fail(Failure)
  }

  enum Failure: Sendable, Hashable {
    case payloadTooLarge
    case channel(code: String, reason: String)
    case cancelled
    case other(CalimeroError)
  }

  enum Mark: Sendable, Hashable {
    case none
    case cool(Cooling)
    case refuse(CalimeroError)
  }

  var step: Step
  var mark: Mark = .none
  /// Whether the request may have run in this try.
  var ran: APIError.Ran = .no

  init(_ step: Step, _ mark: Mark = .none, ran: APIError.Ran = .no) {
    self.step = step
    self.mark = mark
    self.ran = ran
  }

  /// Whether the answer was a question to this client, and so settles nothing.
  var isAnsweredByUs: Bool { step == .refresh || step == .confirm || step == .sign }
}

/// The table of 70 §2.6 as a function: the outcome of a try and the request's class decide what comes next.
enum AttemptRules {
  /// The longest wait a 429 is obeyed for within a request, in seconds.
  static let longestRateWait: TimeInterval = 2

  static func decide(
    _ outcome: AttemptOutcome, _ retryClass: RetryClass, _ situation: AttemptSituation = AttemptSituation()
  ) -> AttemptDecision {
    let cool = AttemptDecision.Mark.cool(Cooling())
    switch outcome {
    case .cannotConnect, .attestationUnreachable, .handshakeBusy, .notSealed:
      return AttemptDecision(.nextNode(), cool)
    case .attestationRefused(let failure):
      return AttemptDecision(.nextNode(), .refuse(failure))
    case .staleTransportKey, .unknownSession:
      return AttemptDecision(.nextNode())
    case .envelopeRefused:
      return situation.renewedSession
        ? AttemptDecision(.nextNode(), cool) : AttemptDecision(.renewSession)
    case .tooLarge:
      return AttemptDecision(.fail(.payloadTooLarge))
    case .channelRefused(let code, let reason):
      return AttemptDecision(.fail(.channel(code: code.rawValue, reason: reason)))
    case .proxyAnswer, .lost, .bodyLost:
      return AttemptDecision(retryClass == .unsafe ? .failUnknown : .nextNode(), cool, ran: .unknown)
    case .answered(let head):
      return decide(head, retryClass, situation)
    case .cancelled:
      return AttemptDecision(.fail(.cancelled), ran: .unknown)
    case .unusable(let error):
      return AttemptDecision(.fail(.other(error)), ran: error.mayHaveRun ? .unknown : .no)
    }
  }

  private static func decide(
    _ head: AnswerHead, _ retryClass: RetryClass, _ situation: AttemptSituation
  ) -> AttemptDecision {
    let mayRepeat = retryClass != .unsafe
    switch head.status {
    case 503:
      let cool = AttemptDecision.Mark.cool(
        Cooling(atLeast: head.retryAfter, isDraining: head.code == .draining))
      let hint = head.code == .notLeader ? head.leader : nil
      return AttemptDecision(mayRepeat ? .nextNode(hint: hint) : .deliver, cool)
    case 502, 504:
      return AttemptDecision(mayRepeat ? .nextNode() : .deliver, .cool(Cooling()), ran: .unknown)
    case 429:
      guard mayRepeat, let wait = head.retryAfter, wait <= longestRateWait else { break }
      return AttemptDecision(.waitHere(wait))
    case 409 where head.code == .idempotencyInProgress && retryClass == .keyed:
      return AttemptDecision(.waitForFirst)
    case 401 where head.code == .tokenExpired && situation.canRefresh:
      return AttemptDecision(.refresh)
    case 401 where head.code == .unauthenticated && situation.isYoungElsewhere:
      // The session is so new that this node may not have heard of it, which the node that issued it cannot claim.
      if !situation.askedIssuer { return AttemptDecision(.issuingNode, .cool(Cooling())) }
      return AttemptDecision(mayRepeat ? .nextNode() : .deliver, .cool(Cooling()))
    case 412 where head.code == .confirmRequired && situation.answersConfirm:
      return AttemptDecision(.confirm)
    case 428 where head.code == .operatorSignatureRequired && situation.answersOperator:
      return AttemptDecision(.sign)
    default: break
    }
    return AttemptDecision(.deliver, ran: ran(head))
  }

  private static func ran(_ head: AnswerHead) -> APIError.Ran {
    guard head.status >= 300 else { return .yes }
    return (head.code ?? ErrorCode("HTTP_\(head.status)")).ran(status: head.status)
  }
}
