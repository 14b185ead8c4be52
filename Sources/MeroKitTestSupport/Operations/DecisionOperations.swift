import MeroWire

// What operators decide together, each with a signed word (70 §2.22).

extension ClusterState {
  static let decisionHandlers: [String: Handler] = [
    "ops_decision_list": { state, _, x in try state.listDecisions(x) },
    "ops_decision_open": { state, _, x in try state.putToOperators(x) },
    "ops_decision_get": { state, _, x in try state.getDecision(x) },
    "ops_decision_vote": { state, _, x in try state.vote(x) },
  ]

  /// Opens a decision.
  ///
  /// - Parameter summary: what it is about, so that `approve` or `reject` can stand before it.
  func open(
    _ kind: DecisionRecord.Kind, about subject: String, _ summary: String, payload: JSONValue, at now: Int64
  ) -> DecisionRecord {
    let decision = DecisionRecord(
      id: ids.id("dec", at: now), kind: kind, subject: subject, summary: summary, payload: payload,
      threshold: threshold, createdAt: now)
    decisions.insert(decision)
    return decision
  }

  private func listDecisions(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    try requireOperator(caller)
    _ = try x.fields()
    let (state, kind) = (x.query["state"], x.query["kind"])
    let found = decisions.values.filter { decision in
      (state == nil || decision.state(at: x.now).rawValue == state)
        && (kind == nil || decision.kind.rawValue == kind)
    }
    return try list("decisions", found, x, for: caller, by: \.id, isBefore: >) { describe($0, at: x.now) }
  }

  private func getDecision(_ x: Exchange) throws -> Outcome {
    let decision = try decision(x, for: caller(x))
    _ = try x.fields()
    return .answer(200, describe(decision, at: x.now))
  }

  private func putToOperators(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    try requireOperator(caller)
    let fields = try x.fields()
    let question = try question(
      fields["kind"]?.stringValue ?? "", fields["subject"]?.stringValue ?? "", fields["payload"] ?? [:])
    let isOpen = decisions.values.contains {
      $0.kind == question.kind && $0.subject == question.subject && $0.state(at: x.now) == .pending
    }
    guard !isOpen else { throw Refusal(409, "ALREADY_EXISTS", "operators are asked that already") }
    _ = try requireOperatorSignature(x, by: caller, "open: \(question.summary)")
    let decision = open(
      question.kind, about: question.subject, question.summary, payload: fields["payload"] ?? [:], at: x.now)
    return .answer(201, describe(decision, at: x.now))
  }

  private func vote(_ x: Exchange) throws -> Outcome {
    let caller = try caller(x)
    let decision = try decision(x, for: caller)
    let fields = try x.fields()
    let verdict = fields["verdict"]?.stringValue.flatMap(DecisionRecord.Verdict.init) ?? .reject
    guard decision.state(at: x.now) == .pending else {
      // The answer to the vote that closed it may have been lost.
      guard isCounted(x, in: decision) else {
        throw Refusal(
          409, "DECISION_CLOSED", "the decision is \(decision.state(at: x.now).rawValue)",
          details: ["state": .string(decision.state(at: x.now).rawValue)])
      }
      return .answer(200, describe(decision, at: x.now))
    }
    if verdict == .approve { try requireMayTakeEffect(decision) }
    let evidence = try requireOperatorSignature(x, by: caller, "\(verdict.rawValue) \(decision.summary)")
    enter(
      DecisionRecord.Vote(
        verdict: verdict, reason: fields["reason"]?.stringValue, at: x.now, evidence: evidence), in: decision)
    settle(decision, x)
    return .answer(200, describe(decision, at: x.now))
  }

  /// Whether a request carries the signature of a vote that was counted.
  private func isCounted(_ x: Exchange, in decision: DecisionRecord) -> Bool {
    let parts = (x.headers["x-calimero-operator-signature"] ?? "").split(separator: ".")
    return decision.votes.contains { vote in
      parts.count == 4 && vote.evidence.key == parts[2]
        && Base64URL.encode(vote.evidence.signature) == parts[3]
        && vote.evidence.body == x.body && vote.evidence.path == x.target
    }
  }

  /// The same word again changes nothing; another word takes the place of the earlier one.
  private func enter(_ vote: DecisionRecord.Vote, in decision: DecisionRecord) {
    if let index = decision.votes.firstIndex(where: { $0.evidence.key == vote.evidence.key }) {
      guard decision.votes[index].verdict != vote.verdict else { return }
      decision.votes.remove(at: index)
    }
    decision.votes.append(vote)
  }

  /// One rejection ends a decision, and so do enough approvals of those who are still on the roster.
  private func settle(_ decision: DecisionRecord, _ x: Exchange) {
    if decision.votes.contains(where: { $0.verdict == .reject }) {
      decision.close(.rejected, at: x.now)
      return
    }
    let approvals = decision.votes.filter { operators[$0.evidence.key] != nil }
    guard approvals.count >= decision.threshold else { return }
    decision.close(.approved, at: x.now)
    carryOut(decision, x)
  }

  private func decision(_ x: Exchange, for caller: Caller) throws -> DecisionRecord {
    try requireOperator(caller)
    guard let decision = decisions[x.path["decision"] ?? ""] else { throw Refusal.notFound("decision") }
    return decision
  }

  private func describe(_ decision: DecisionRecord, at now: Int64) -> JSONValue {
    let votes: [JSONValue] = decision.votes.map { vote in
      var json: JSONObject = [
        "operatorKey": .string(vote.evidence.key), "verdict": .string(vote.verdict.rawValue),
        "at": JSONValue(vote.at), "signature": .string(Base64URL.encode(vote.evidence.signature)),
      ]
      json["reason"] = vote.reason.map { .string($0) }
      return .object(json)
    }
    return [
      "decisionId": .string(decision.id), "kind": .string(decision.kind.rawValue),
      "subject": .string(decision.subject), "summary": .string(decision.summary),
      "payload": decision.payload, "state": .string(decision.state(at: now).rawValue),
      "threshold": JSONValue(decision.threshold), "votes": .array(votes),
      "createdAt": JSONValue(decision.createdAt), "expiresAt": JSONValue(decision.expiresAt),
    ]
  }
}

extension FakeCloud {
  /// How many approvals decisions that are opened from now on take. A local cluster asks for one.
  public func setDecisionThreshold(_ threshold: Int) {
    precondition(threshold > 0, "a decision takes at least one approval")
    store.withState { $0.threshold = threshold }
  }
}
