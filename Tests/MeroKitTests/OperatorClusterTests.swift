import Foundation
import MeroAPI
import MeroCrypto
import MeroKitTestSupport
import MeroWire
import Testing

@testable import MeroKit

@Suite("Operators against a cluster")
struct OperatorClusterTests {
  @Test("70 §2.27 #10: a 428 is answered with the call's signer, which is shown the very request")
  func perCall() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    let signer = WatchedSigner(world.key)
    let answer = try await world.olga.ops.decisionVote(
      decision: decision, verdict: .approve, reason: "known", operatorSigner: signer)
    #expect(answer.state == .approved)
    #expect(world.votes == [428, 200])
    let statement = try #require(await signer.seen.first)
    #expect(await signer.seen.count == 1)
    #expect(statement.path == "/ops/decisions/\(decision)/votes")
    #expect(statement.summary == "approve deployer Acme")
    let body = try JSONValue(parsing: statement.body ?? Data())
    #expect(body == ["verdict": "approve", "reason": "known"])
    #expect(world.rig.cloud.violations.isEmpty)
    #expect(world.rig.cloud.unfitRequests == [])
  }

  @Test("a signed request to a route given as text or segments is answered with the call's signer")
  func escapeHatch() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    let votes = ["ops", "decisions", decision, "votes"]
    let body: JSONValue = ["verdict": "approve"]
    await #expect(throws: CalimeroError.operatorSignature(.required(action: "ops_decision_vote"))) {
      _ = try await world.olga.postSigned("/\(votes.joined(separator: "/"))", body: body)
    }
    let answer = try await world.olga.postSigned(votes, body: body, operatorSigner: world.key)
    #expect(answer["state"] == "approved")
    #expect(world.votes == [428, 428, 200])
    #expect(world.rig.cloud.violations.isEmpty)
    #expect(world.rig.cloud.unfitRequests == [])
  }

  @Test("70 §2.27 #10: else with the client's, set by useOperatorSigner")
  func clientSigner() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    await world.olga.useOperatorSigner(world.key)
    #expect(try await world.olga.ops.decisionVote(decision: decision, verdict: .approve).state == .approved)
    #expect(world.votes == [428, 200])
    await world.olga.useOperatorSigner(nil)
    await #expect(throws: CalimeroError.operatorSignature(.required(action: "ops_quota_set"))) {
      try await world.olga.ops.quotaSet(
        org: world.org, apps: 1, members: 1, storageBytes: 1, callsPerDay: 1)
    }
  }

  @Test("70 §2.27 #10: with none, the error names the operation and nothing more is sent")
  func noSigner() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    await #expect(throws: CalimeroError.operatorSignature(.required(action: "ops_decision_vote"))) {
      try await world.olga.ops.decisionVote(decision: decision, verdict: .approve)
    }
    #expect(world.votes == [428])
  }

  @Test("70 §2.27 #10: a signer that declines sends nothing more")
  func declined() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    let signer = WatchedSigner(world.key, throwing: CancellationError())
    await #expect(throws: CalimeroError.operatorSignature(.declined)) {
      try await world.olga.ops.decisionVote(decision: decision, verdict: .approve, operatorSigner: signer)
    }
    #expect(world.votes == [428])
    #expect(try await world.olga.ops.decisionGet(decision: decision).votes.isEmpty)
  }

  @Test("70 §2.27 #10: a challenge for another operation is not signed")
  func otherOperation() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    world.rig.cloud.nodes[0].answer(
      428, "OPERATOR_SIGNATURE_REQUIRED", operation: "ops_decision_vote",
      details: challenge("ops_quota_set", world))
    let signer = WatchedSigner(world.key)
    await #expect(throws: CalimeroError.operatorSignature(.mismatch)) {
      try await world.olga.ops.decisionVote(decision: decision, verdict: .approve, operatorSigner: signer)
    }
    #expect(await signer.seen.isEmpty)
    #expect(world.votes == [428])
  }

  @Test(
    "70 §2.27 #10: one for another path gets a signature over the client's own path, which is no use there")
  func otherPath() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    let other = try await world.olga.ops.decisionOpen(
      kind: "org.suspend", subject: world.org, operatorSigner: world.key
    ).decisionId
    // A node hands on what another request was asked, the suspension of Acme.
    let reply = try await world.olga.request(
      CalimeroRequest(
        method: .post, path: "/ops/decisions/\(other)/votes", body: Data(#"{"verdict":"approve"}"#.utf8)))
    let asked = try JSONValue(parsing: reply.body)["error"]?["details"]
    #expect(asked?["summary"] == "approve suspension of organization Acme")
    world.rig.cloud.nodes[0].answer(
      428, "OPERATOR_SIGNATURE_REQUIRED", operation: "ops_decision_vote", details: asked)
    let signer = WatchedSigner(world.key)
    await #expect(throws: CalimeroError.operatorSignature(.rejected(reason: "mismatch"))) {
      try await world.olga.ops.decisionVote(decision: decision, verdict: .approve, operatorSigner: signer)
    }
    #expect(await signer.seen.map(\.path) == ["/ops/decisions/\(decision)/votes"])
    #expect(try await world.olga.ops.decisionGet(decision: other).votes.isEmpty)
  }

  private func challenge(_ action: String, _ world: OperatorRig) -> JSONValue {
    let now = Int64(world.rig.clock.clock.now().timeIntervalSince1970 * 1000)
    return [
      "signingId": "sgn_other", "action": .string(action), "issuedAt": JSONValue(now),
      "expiresAt": JSONValue(now + 300_000), "nonce": .string(String(repeating: "0f", count: 32)),
      "summary": "approve deployer Acme",
    ]
  }

  @Test("70 §2.27 #10: a key that is not on the roster is rejected with the node's reason")
  func strangeKey() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    let stranger = try Ed25519OperatorKey(raw: [UInt8](repeating: 5, count: 32))
    await #expect(throws: CalimeroError.operatorSignature(.rejected(reason: "key"))) {
      try await world.olga.ops.decisionVote(decision: decision, verdict: .approve, operatorSigner: stranger)
    }
    #expect(world.votes == [428, 403])
  }

  @Test("70 §2.27 #10: an operation that needs both is answered with both, each once")
  func both() async throws {
    let world = try await OperatorRig()
    world.rig.cloud.demandConfirmation(of: "ops_quota_set")
    func setQuota() async throws -> Int32 {
      try await world.olga.ops.quotaSet(
        org: world.org, apps: 7, members: 8, storageBytes: 9, callsPerDay: 10
      ).apps
    }
    await world.olga.useStepUp(world.olgasPasskey)
    await #expect(throws: CalimeroError.operatorSignature(.required(action: "ops_quota_set"))) {
      try await setQuota()
    }
    let signer = WatchedSigner(world.key)
    await world.olga.useOperatorSigner(signer)
    world.rig.cloud.clearLog()
    #expect(try await setQuota() == 7)
    #expect(world.rig.cloud.log.requests("ops_quota_set").map(\.status) == [412, 428, 200])
    #expect(Set(world.rig.cloud.log.requests("ops_quota_set").map(\.requestId)).count == 1)
    #expect(await signer.seen.count == 1)
    await world.olga.useStepUp(nil)
    await #expect(throws: CalimeroError.confirm(.required(action: "ops_quota_set"))) { try await setQuota() }
    #expect(await signer.seen.count == 1)
    #expect(world.rig.cloud.violations.isEmpty)
    #expect(world.rig.cloud.unfitRequests == [])
  }

  @Test("a vote whose answer is lost is sent again with the same signature, at the next node")
  func lostVote() async throws {
    let world = try await OperatorRig()
    let decision = try await world.apply()
    let node = world.rig.cloud.nodes[0]
    // The question gets through, the answer to the vote does not.
    let signer = WatchedSigner(world.key) { node.loseAnswer(operation: "ops_decision_vote") }
    let answer = try await world.olga.ops.decisionVote(
      decision: decision, verdict: .approve, operatorSigner: signer)
    #expect(answer.state == .approved)
    #expect(answer.votes.count == 1)
    #expect(await signer.seen.count == 1)
    #expect(world.votes == [428, nil, 200])
  }

  @Test("a node that is drained sends its clients to another, without an error")
  func draining() async throws {
    let world = try await OperatorRig()
    let node = world.rig.cloud.nodes[0].id
    let drained = try await world.olga.ops.nodeUpdate(
      node: node, state: .draining, operatorSigner: world.key)
    #expect(drained.state == .draining)
    world.rig.cloud.clearLog()
    #expect(try await world.ada.orgs.list().orgs.map(\.orgId) == [world.org])
    #expect(world.rig.cloud.log.requests("org_list").map(\.node) == [0, 1])
    world.rig.cloud.clearLog()
    _ = try await world.ada.orgs.list()
    #expect(world.rig.cloud.log.requests("org_list").map(\.node) == [1])
    #expect(try await world.olga.ops.status().nodes == 2)
    #expect(world.rig.cloud.violations.isEmpty)
    #expect(world.rig.cloud.unfitRequests == [])
  }
}
