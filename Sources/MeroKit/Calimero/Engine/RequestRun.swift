import Foundation
import MeroAPI
import MeroHTTP
import MeroSealed

/// One request on its way: performs what ``RequestProgress`` decides.
struct RequestRun {
  enum Purpose: Sendable {
    /// The whole answer is wanted.
    case answer
    /// The answer's head is wanted, and its body as it comes.
    case stream(after: URL?)

    var isStream: Bool { if case .stream = self { true } else { false } }
  }

  let engine: RequestEngine
  let pool: NodePool
  let request: APIRequest
  let plan: RequestPlan
  let purpose: Purpose
  private let timeout: TimeInterval
  var progress: RequestProgress
  private var credential = Credential.none
  var confirmation: String?
  var operatorSignature: String?
  /// The refusal of the last answer, which 412 and 428 are answered from.
  var lastRefusal: APIError?

  init(
    _ engine: RequestEngine, _ request: APIRequest, _ plan: RequestPlan, purpose: Purpose
  ) async throws {
    self.engine = engine
    self.request = request
    self.plan = plan
    self.purpose = purpose
    pool = try engine.pool.get()
    let options = engine.options
    let policy = plan.retry ?? options.retry
    if let flaw = policy.flaw ?? plan.flaw { throw CalimeroError.invalidInput(flaw) }
    guard (request.body?.count ?? 0) + request.path.utf8.count <= AnswerLimit.request - 65_536 else {
      throw CalimeroError.invalidInput("the request is larger than 64 MiB when sealed.")
    }
    timeout = plan.timeout ?? (plan.isCall ? options.timeouts.call : options.timeouts.request)
    let span = plan.deadline ?? (plan.isCall ? policy.callDeadline : policy.deadline)
    var walk = RingWalk(preferred: plan.preferredNode)
    if case .stream(let failed?) = purpose { walk = RingWalk(after: failed) }
    progress = RequestProgress(
      identity: .init(
        operation: request.operation?.id ?? request.method.rawValue,
        requestId: plan.requestId ?? options.random.uuid(),
        idempotencyKey: plan.idempotencyKey ?? request.idempotencyKey),
      policy: policy, retryClass: plan.retryClass, walk: walk, deadline: options.clock.uptime() + span,
      countsRefusedNodes: !purpose.isStream)
  }

  var now: TimeInterval { engine.clock.uptime() }

  /// Runs the request to its end: the answer and the node it came from.
  mutating func outcome() async throws -> (Answer, URL) {
    do {
      await engine.expectCluster()
      try await prepareCredential()
      return try await tryUntilDone()
    } catch let error as CalimeroError {
      throw error
    } catch is CancellationError {
      throw CalimeroError.cancelled
    } catch {
      // Nothing below throws anything else; if it ever does, it is not to reach an app as it is.
      throw CalimeroError.invalidInput("\(error)")
    }
  }

  // MARK: The loop

  private mutating func tryUntilDone() async throws -> (Answer, URL) {
    var next = RequestProgress.Next.choose
    while true {
      try Task.checkCancellation()
      let node: URL
      switch next {
      case .send(let same, let wait, let isSameTry, let renewSession):
        node = same
        if renewSession { await pool.dropSession(to: node) }
        if wait > 0 { try await pause(wait) }
        if !isSameTry { progress.beginTry(at: node) }
      default:
        node = try await chooseNode()
        progress.beginTry(at: node)
      }
      let (outcome, answer) = await attempt(at: node)
      next = await judge(outcome, answer, at: node)
      switch next {
      case .deliver: if let answer { return try await deliver(answer, from: node) }
      case .fail(let error): throw error
      case .exhausted: throw progress.finalError(refusal: await pool.refusal())
      case .refresh: try await refresh()
      case .confirm: try await confirm(at: node)
      case .sign: try await sign()
      case .choose, .send: continue
      }
      // What a node asked for is at hand: the same request again, to the same node first, not as another try.
      next = .send(node, after: 0, isSameTry: true, renewSession: false)
    }
  }

  private mutating func chooseNode() async throws -> URL {
    while true {
      switch await pool.choose(progress.walk) {
      case .go(let node): return node
      case .nobody(let failure): throw progress.finalError(refusal: failure)
      case .newRound:
        guard let wait = progress.beginRound(at: now, unit: engine.options.random.unit()) else {
          throw progress.finalError(refusal: await pool.refusal())
        }
        if wait > 0 { try await pause(wait) }
      }
    }
  }

  private func pause(_ seconds: TimeInterval) async throws {
    log(.waiting, seconds: seconds)
    try await engine.clock.sleep(seconds)
  }

  private mutating func judge(
    _ outcome: AttemptOutcome, _ answer: Answer?, at node: URL
  ) async -> RequestProgress.Next {
    lastRefusal = answer?.refusal
    progress.situation.isYoungElsewhere = credential.isYoung(at: now, elsewhereThan: node)
    let decision = AttemptRules.decide(outcome, plan.retryClass, progress.situation)
    if case .bodyLost = outcome { await pool.dropSession(to: node) }
    if let answer {
      await pool.answered(
        node, status: answer.status, nodeId: answer.headers["x-calimero-node"],
        movesCurrent: !purpose.isStream && decision.mark == .none)
      if answer.status < 500 { await engine.discover(pool) }
    }
    await pool.apply(decision.mark, to: node)
    var hinted: URL?
    if case .nextNode(let hint?) = decision.step { hinted = await pool.member(named: hint) }
    return progress.ended(
      decision, outcome, at: node, now: now, answer: answer?.refusal, issuer: credential.issuer,
      resolve: { _ in hinted })
  }

  // MARK: One try

  private func attempt(at node: URL) async -> (AttemptOutcome, Answer?) {
    let began = now
    log(.tryBegan, node: node)
    let (outcome, answer) = await send(to: node)
    log(.tryEnded, node: node, status: answer?.status, seconds: now - began, text: outcome.remark)
    return (outcome, answer)
  }

  private func send(to node: URL) async -> (AttemptOutcome, Answer?) {
    let channel: SealedChannel
    do {
      channel = try await pool.channel(to: node)
      // Opened apart from sending, so that time running out here does not leave open whether the request went out.
      try await withDeadline(progress.timeLeft(at: now), clock: engine.clock) { try await channel.open() }
    } catch {
      return (AttemptOutcome(error, posted: false), nil)
    }
    let headers = headers()
    let limit = await timeForAnswer()
    let idle = purpose.isStream ? engine.options.timeouts.streamIdle : plan.idleTimeout ?? timeout
    let request = request
    let reader = AnswerReader(node: node, request: request, purpose: purpose)
    do {
      let opened = try await withDeadline(limit, clock: engine.clock) {
        let response = try await channel.send(
          method: request.method.rawValue, innerPath: request.path, headers: headers,
          body: request.body ?? Data(), idleTimeout: idle)
        return try await reader.head(of: response)
      }
      let answer = try await reader.rest(of: opened)
      return (answer.outcome, answer)
    } catch {
      return (AttemptOutcome(error, posted: true), nil)
    }
  }

  /// Seconds for an answer of this try. A request that may be repeated does not wait for one node until no time is left for
  /// the others (decision 27).
  private func timeForAnswer() async -> TimeInterval {
    let left = progress.timeLeft(at: now)
    let mayTryAnother = plan.retryClass != .unsafe && !purpose.isStream && progress.mayTryAgain
    guard mayTryAnother, await pool.hasAnother(progress.walk) else { return min(timeout, left) }
    return min(timeout, left / 2)
  }

  private func headers() -> [(String, String)] {
    var headers: [(String, String)] = []
    if let token = credential.token { headers.append(("authorization", "Bearer \(token)")) }
    headers += request.headers.map { ($0.name, $0.value) }
    headers += [
      ("x-calimero-api", "1"), ("x-calimero-client", engine.options.userAgent ?? CalimeroClient.agent),
      ("x-calimero-request-id", progress.identity.requestId), ("x-calimero-attempt", "\(progress.tries)"),
    ]
    if let minSeq = plan.minSeq { headers.append(("x-calimero-min-seq", "\(minSeq)")) }
    if let confirmation { headers.append(("x-calimero-confirm", confirmation)) }
    if let operatorSignature { headers.append(("x-calimero-operator-signature", operatorSignature)) }
    return headers
  }

  // MARK: Credentials

  private mutating func prepareCredential() async throws {
    if let token = plan.bearerToken {
      credential = .token(token)
    } else if plan.auth == .session {
      if let key = await engine.settings.apiKey {
        try ClientConfiguration.check(key, named: "the API key")
        credential = .token(key)
      } else if let keeper = engine.keeper {
        let cluster = await pool.cluster()
        credential = .session(
          try await withinDeadline { try await keeper.bearer(clusterId: cluster) })
      }
    }
    progress.situation.canRefresh = credential.bearer != nil
    let (passkey, signer) = await providers()
    progress.situation.answersConfirm = plan.answersStepUp && (plan.throwsRefusals || passkey != nil)
    progress.situation.answersOperator = plan.answersStepUp && (plan.throwsRefusals || signer != nil)
  }

  private mutating func refresh() async throws {
    guard let keeper = engine.keeper, let sent = credential.bearer else { return }
    credential = .session(try await withinDeadline { try await keeper.refreshed(after: sent) })
  }

  /// A refresh is shared with other requests and may outlast this one's time.
  private func withinDeadline(_ work: @escaping @Sendable () async throws -> Bearer) async throws -> Bearer {
    do {
      return try await withDeadline(progress.timeLeft(at: now), clock: engine.clock, operation: work)
    } catch let error as TransportError {
      let node = await pool.current
      throw CalimeroError.unreachable(
        Unreachable(
          failures: [.init(node: node, cause: "the session was not renewed in time: \(error.text)")],
          operation: progress.identity.operation))
    }
  }

  // MARK: The end

  private func deliver(_ answer: Answer, from node: URL) async throws -> (Answer, URL) {
    guard let refusal = answer.refusal else { return (answer, node) }
    if refusal.status == 401, refusal.code == .tokenRevoked, let sent = credential.bearer {
      await engine.keeper?.revoked(sent, reason: .revoked)
    }
    guard plan.throwsRefusals else { return (answer, node) }
    let reason = refusal.details?["reason"]?.stringValue
    if confirmation != nil, refusal.code == .confirmRequired || refusal.code == .confirmRejected {
      throw CalimeroError.confirm(.rejected(reason: reason))
    }
    let operatorCodes: [ErrorCode] = [.operatorSignatureRequired, .operatorSignatureRejected]
    if operatorSignature != nil, operatorCodes.contains(refusal.code) {
      throw CalimeroError.operatorSignature(.rejected(reason: reason))
    }
    throw CalimeroError.api(refusal)
  }

  func log(
    _ kind: CalimeroLogEvent.Kind, node: URL? = nil, status: Int? = nil, seconds: TimeInterval? = nil,
    text: String? = nil
  ) {
    engine.options.log?(
      CalimeroLogEvent(
        kind, node: node, operation: progress.identity.operation, requestId: progress.identity.requestId,
        attempt: progress.tries, status: status, seconds: seconds, text: text))
  }
}
