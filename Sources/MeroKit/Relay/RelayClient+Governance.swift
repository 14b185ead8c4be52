import Foundation
import MeroWire

extension RelayClient {
  /// What the relay says about governing a group.
  public func describeGovernance(groupId: String) async throws -> GovernanceDescription {
    let group = try HexField.text(groupId, "groupId")
    return GovernanceDescription(try await requests.data(.get, "groups/\(group)/governance-intents"))
  }

  /// Publishes an op as the account (``GovernanceOps``).
  ///
  /// - Parameter groupId: where it is published: the group for a group's op, the namespace for a root op.
  /// - Returns: the group it acted on; for a creation the new one.
  /// - Throws: ``AccountError/intentRefused(reason:retryable:status:)`` when the relay may not, or the account lacks the right;
  ///   ``MeroError/http(_:)`` with 409 when it is so already.
  @discardableResult
  public func govern(groupId: String, op: Warrants.GovernanceOp) async throws -> String {
    let group = try HexField.text(groupId, "groupId")
    let description = try await describeGovernance(groupId: group)
    let executor = try executor(account: description.executorAccount, key: description.executorKey)
    guard description.canActOnBehalf else {
      throw AccountError.refusedHere("the relay may not act for members of this group")
    }
    return try await publish(op, in: group, by: executor)["groupId"]?.stringValue ?? group
  }

  /// Signs an op and posts it, without asking the relay first.
  func publish(
    _ op: Warrants.GovernanceOp, in scope: String, by executor: RelayExecutor
  ) async throws -> JSONValue {
    let warrant = try warrant(by: executor, nonce: { try nextGovernanceNonce(scope) }) { terms in
      try Warrants.signGovernanceWarrant(
        Warrants.Governance(scope: scope, op: op, terms: terms), keys: keys)
    }
    return try await requests.data(
      .post, "groups/\(scope)/governance-intents",
      body: [
        "warrant": .string(warrant), "authorProof": .string(authorProof), "op": .string(Hex.encode(op.bytes)),
      ],
      as: .governance)
  }

  /// Governance has a sequence for each group. It never runs behind the clock, so that one that was lost goes on above
  /// whatever it had reached (40 §7).
  private func nextGovernanceNonce(_ groupId: String) throws -> UInt64 {
    let sequence = "\(relayURL)|governance|\(groupId)"
    try nonces.advance(relay: sequence, to: milliseconds)
    return try nonces.next(relay: sequence)
  }
}
