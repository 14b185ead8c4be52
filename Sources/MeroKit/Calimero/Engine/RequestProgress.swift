import Foundation

/// How far one logical request has come: its tries, rounds, waits, deadline and what is thrown at the end.
///
/// Pure: the driver tells it what happened and when, and it says what to do next.
struct RequestProgress: Sendable {
  /// What the driver does next.
  enum Next: Sendable, Hashable {
    /// Ask the ring for a node.
    case choose
    /// Send to this node after a wait; another try unless `isSameTry`.
    case send(URL, after: TimeInterval, isSameTry: Bool, renewSession: Bool)
    case refresh
    case confirm
    case sign
    /// The answer at hand is the outcome.
    case deliver
    /// No try is left: throw ``RequestProgress/finalError(refusal:)``.
    case exhausted
    case fail(CalimeroError)
  }

  /// What names the request in errors.
  struct Identity: Sendable, Hashable {
    var operation: String?
    var requestId: String
    var idempotencyKey: String?
  }

  private static let firstInProgressWait: TimeInterval = 0.2
  private static let longestInProgressWait: TimeInterval = 2

  let identity: Identity
  let policy: RetryPolicy
  let retryClass: RetryClass
  /// Streams look for a node beyond those that cannot be trusted, whatever their number of tries.
  let countsRefusedNodes: Bool
  private(set) var walk: RingWalk
  private(set) var tries = 0
  private(set) var deadline: TimeInterval
  var situation = AttemptSituation()

  private var waitsForFirst = 0
  private var failures: [Unreachable.Failure] = []
  /// The last answer that moved the request on to another node.
  private var refusedAnswer: APIError?
  /// The last outcome that leaves open whether the request ran.
  private var uncertain: CalimeroError?

  init(
    identity: Identity, policy: RetryPolicy, retryClass: RetryClass, walk: RingWalk, deadline: TimeInterval,
    countsRefusedNodes: Bool = true
  ) {
    self.identity = identity
    self.policy = policy
    self.retryClass = retryClass
    self.walk = walk
    self.deadline = deadline
    self.countsRefusedNodes = countsRefusedNodes
  }

  func timeLeft(at now: TimeInterval) -> TimeInterval { deadline - now }

  /// A person was asked; that time is not the request's.
  mutating func excuse(_ seconds: TimeInterval) { deadline += max(0, seconds) }

  /// A try begins at a node.
  mutating func beginTry(at node: URL) {
    tries += 1
    situation.renewedSession = false
    walk.visit(node)
  }

  /// Every usable node had its turn: seconds to wait before the next round, or nil when the request is over.
  mutating func beginRound(at now: TimeInterval, unit: Double) -> TimeInterval? {
    // Nothing was tried yet only if the walk began after the one node there is; that one is asked at once.
    let wait = tries == 0 ? 0 : policy.wait(beforeRound: walk.round + 1, unit: unit)
    guard tries < policy.maxTries, mayWait(wait, at: now) else { return nil }
    walk.beginRound()
    return wait
  }

  /// A try ended.
  ///
  /// - Parameter answer: the refusal, when the node answered with one.
  /// - Parameter resolve: turns the name of a node in an answer into a node of the ring.
  mutating func ended(
    _ decision: AttemptDecision, _ outcome: AttemptOutcome, at node: URL, now: TimeInterval,
    answer: APIError? = nil, issuer: URL? = nil, resolve: (String) -> URL? = { _ in nil }
  ) -> Next {
    note(decision, outcome, at: node, answer: answer)
    switch decision.step {
    case .deliver: return .deliver
    case .failUnknown: return .fail(uncertain ?? unknown(outcome.summary, at: node))
    case .fail(let failure): return .fail(error(failure, at: node))
    case .refresh:
      situation.canRefresh = false
      return .refresh
    case .confirm: return .confirm
    case .sign: return .sign
    case .renewSession:
      situation.renewedSession = true
      return .send(node, after: 0, isSameTry: true, renewSession: true)
    case .issuingNode:
      situation.askedIssuer = true
      if let issuer { walk.prefer(issuer) }
      return another(at: now)
    case .nextNode(let hint):
      if let hint = hint.flatMap(resolve) { walk.prefer(hint) }
      return another(at: now)
    case .waitHere(let wait): return again(node, after: wait, at: now)
    case .waitForFirst:
      let doubled = Self.firstInProgressWait * pow(2, Double(waitsForFirst))
      waitsForFirst += 1
      return again(node, after: min(doubled, Self.longestInProgressWait), at: now)
    }
  }

  /// What is thrown when no try is left (70 §2.6, "What is thrown at the end").
  ///
  /// An answer that says "refused before running" says so of its own try only, so it does not settle an earlier
  /// try without an answer.
  ///
  /// - Parameter refusal: why a node of the ring is not trusted, if one is not: with nobody reached, a swapped image
  ///   must not look like an outage.
  func finalError(refusal: CalimeroError?) -> CalimeroError {
    uncertain ?? refusedAnswer.map(CalimeroError.api) ?? refusal
      ?? .unreachable(Unreachable(failures: failures, operation: identity.operation))
  }

  // MARK: Steps

  /// Whether the policy allows another try after this one.
  var mayTryAgain: Bool { tries < policy.maxTries }

  private mutating func another(at now: TimeInterval) -> Next {
    guard mayTryAgain, now < deadline else { return .exhausted }
    return .choose
  }

  private mutating func again(_ node: URL, after wait: TimeInterval, at now: TimeInterval) -> Next {
    guard tries < policy.maxTries, mayWait(wait, at: now) else { return .exhausted }
    return .send(node, after: wait, isSameTry: false, renewSession: false)
  }

  /// A wait that would pass the deadline is not begun.
  private func mayWait(_ wait: TimeInterval, at now: TimeInterval) -> Bool { now + wait < deadline }

  private mutating func note(
    _ decision: AttemptDecision, _ outcome: AttemptOutcome, at node: URL, answer: APIError?
  ) {
    switch outcome {
    case .answered(let head):
      guard let answer, !decision.isAnsweredByUs else { return }
      if !countsRefusedNodes, head.status == 401, decision.step != .deliver {
        // A node that has not heard of a new session yet is no reason to end a stream: it may soon, and others have.
        if decision.step == .issuingNode { tries -= 1 }
        failures.append(Unreachable.Failure(node: node, cause: outcome.summary))
        return
      }
      if decision.ran == .unknown { uncertain = .api(answer) }
      refusedAnswer = answer
    case .attestationRefused:
      if !countsRefusedNodes { tries -= 1 }
      failures.append(Unreachable.Failure(node: node, cause: outcome.summary))
    case .cancelled, .unusable: break
    default:
      if decision.ran == .unknown { uncertain = unknown(outcome.summary, at: node) }
      failures.append(Unreachable.Failure(node: node, cause: outcome.summary))
    }
  }

  private func error(_ failure: AttemptDecision.Failure, at node: URL) -> CalimeroError {
    switch failure {
    case .cancelled: .cancelled
    case .other(let error): error
    case .channel(let code, let reason): .channel(ChannelFailure(reason: reason, code: code, node: node))
    case .payloadTooLarge:
      .api(
        APIError(
          status: 413, code: .payloadTooLarge, message: "The sealed request is larger than the node takes.",
          requestId: identity.requestId, node: node, operation: identity.operation, ran: .no))
    }
  }

  private func unknown(_ cause: String, at node: URL) -> CalimeroError {
    .unknownOutcome(
      UnknownOutcome(
        cause: cause, node: node, requestId: identity.requestId, idempotencyKey: identity.idempotencyKey,
        operation: identity.operation, changesNothing: retryClass == .safe))
  }
}

extension AttemptOutcome {
  /// What a log says beside the status of an answer.
  var remark: String? {
    if case .answered(let head) = self { head.code?.rawValue } else { summary }
  }

  /// The outcome in plain words, for errors and logs.
  var summary: String {
    switch self {
    case .cannotConnect(let text), .lost(let text), .bodyLost(let text), .notSealed(let text): text
    case .attestationUnreachable(let text): "its attestation could not be asked for: \(text)"
    case .attestationRefused(let error): "its attestation was not accepted: \(error)"
    case .staleTransportKey: "it disowned its transport key twice"
    case .handshakeBusy: "it takes no more sealed sessions for now"
    case .unknownSession: "it forgot the sealed session twice"
    case .envelopeRefused(let code): "it could not open the sealed request (\(code.rawValue))"
    case .tooLarge: "the sealed request is too large"
    case .channelRefused(let code, _): "it does not serve the sealed channel (\(code.rawValue))"
    case .proxyAnswer(let status): "something on the way answered \(status) in its place"
    case .answered(let head): "\(head.status)\(head.code.map { " \($0.rawValue)" } ?? "")"
    case .cancelled: "cancelled"
    case .unusable(let error): "\(error)"
    }
  }
}
