import MeroCrypto
import MeroWire

// What operators may be asked, and what comes of their yes (70 §2.22).

extension ClusterState {
  struct Question {
    let kind: DecisionRecord.Kind
    let subject: String
    let summary: String
  }

  /// What an operator puts to the others. Throws 400 for what cannot be asked, 404 for a subject that is not there and
  /// 409 for what is so already.
  func question(_ word: String, _ subject: String, _ facts: JSONValue) throws -> Question {
    switch DecisionRecord.Kind(rawValue: word) {
    case .addOperator:
      guard let key = try? Hex.decode(subject), Hex.encode(key) == subject,
        (try? Ed25519.PublicKey(bytes: key)) != nil
      else { throw Refusal.invalidArgument("subject", "is not an Ed25519 key in lower-case hex") }
      let (name, account) = try newOperator(facts)
      guard operators[subject] == nil else {
        throw Refusal(409, "ALREADY_EXISTS", "the key is on the operator roster")
      }
      return Question(
        kind: .addOperator, subject: subject, summary: "operator \(name) of account \(account.name)")
    case .removeOperator:
      guard let found = operators[subject] else { throw Refusal.notFound("operator") }
      guard operators.count > 1 else { throw Self.lastOperator }
      return Question(kind: .removeOperator, subject: subject, summary: "removal of operator \(found.name)")
    case .suspendAccount:
      guard let account = accounts[subject] else { throw Refusal.notFound("account") }
      guard !account.isSuspended else {
        throw Refusal(409, "ALREADY_EXISTS", "\(account.name) is suspended")
      }
      return Question(
        kind: .suspendAccount, subject: subject, summary: "suspension of account \(account.name)")
    case .suspendOrg:
      guard let org = orgs[subject] else { throw Refusal.notFound("organization") }
      guard !org.isSuspended else { throw Refusal(409, "ALREADY_EXISTS", "\(org.name) is suspended") }
      return Question(
        kind: .suspendOrg, subject: subject, summary: "suspension of organization \(org.name)")
    case .approveDeployer, .approveDeployment, nil:
      throw Refusal.invalidArgument(
        "kind", "can be operator.add, operator.remove, account.suspend or org.suspend")
    }
  }

  /// Throws 409 for a decision that cannot be carried out as things are now.
  func requireMayTakeEffect(_ decision: DecisionRecord) throws {
    if decision.kind == .removeOperator, operators[decision.subject] != nil, operators.count < 2 {
      throw Self.lastOperator
    }
  }

  private static let lastOperator = Refusal(
    409, "CONFLICT", "a cluster keeps at least one operator")

  /// Does what was decided. What is gone since is passed over.
  func carryOut(_ decision: DecisionRecord, _ x: Exchange) {
    switch decision.kind {
    case .approveDeployer:
      guard let org = orgs[decision.subject], deployer(of: org) == nil else { return }
      deployers.insert(DeployerRecord(id: ids.id("dpl", at: x.now), org: org.id, approvedAt: x.now))
    case .approveDeployment:
      guard let deployment = deployments[decision.subject] else { return }
      published[deployment.package]?.isApproved = true
      moveApps(along: deployment, x)
    case .addOperator:
      guard let (name, account) = try? newOperator(decision.payload) else { return }
      operators.insert(
        OperatorRecord(key: decision.subject, name: name, account: account, addedAt: x.now))
    case .removeOperator:
      operators.remove(decision.subject)
    case .suspendAccount:
      guard let account = accounts[decision.subject] else { return }
      account.isSuspended = true
      let own = Set(sessions.values.filter { $0.account === account }.map(\.id))
        .union(apiKeys.values.filter { $0.account === account }.map(\.id))
      endStreams(.ended) { own.contains($0.credential) }
    case .suspendOrg:
      guard let org = orgs[decision.subject] else { return }
      org.isSuspended = true
      endStreams(.ended) { org.apps[$0.appId] != nil }
    }
  }

  /// The facts of an `operator.add`: a name and the id of the account that goes with the key.
  private func newOperator(_ facts: JSONValue) throws -> (name: String, account: AccountRecord) {
    guard let name = facts["name"]?.stringValue, !name.isEmpty else {
      throw Refusal.invalidArgument("payload.name", "is missing")
    }
    guard let account = accounts[facts["accountId"]?.stringValue ?? ""] else {
      throw Refusal.invalidArgument("payload.accountId", "names no account")
    }
    return (name, account)
  }
}
