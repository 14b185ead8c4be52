import MeroKit

extension FacadeCall {
  static var ops: [FacadeCall] {
    [
      FacadeCall("ops_status") { _ = try await $0.ops.status(options: options) },
      FacadeCall("ops_node_list") { _ = try await $0.ops.nodeList(options: options) },
      FacadeCall("ops_node_update") {
        _ = try await $0.ops.nodeUpdate(
          node: "node", state: .active, operatorSigner: signer, options: options)
      },
      FacadeCall("ops_decision_list") {
        _ = try await $0.ops.decisionList(
          state: .pending, kind: "kind", cursor: "cursor", limit: 7, options: options)
      },
      FacadeCall("ops_decision_open") {
        _ = try await $0.ops.decisionOpen(
          kind: "kind", subject: "subject", payload: ["n": 1], operatorSigner: signer, options: options)
      },
      FacadeCall("ops_decision_get") {
        _ = try await $0.ops.decisionGet(decision: "decision", options: options)
      },
      FacadeCall("ops_decision_vote") {
        _ = try await $0.ops.decisionVote(
          decision: "decision", verdict: .approve, reason: "reason", operatorSigner: signer, options: options)
      },
      FacadeCall("ops_release_list") { _ = try await $0.ops.releaseList(options: options) },
      FacadeCall("ops_release_set") {
        _ = try await $0.ops.releaseSet(
          release: "release", allowed: true,
          measurements: .init(mrtd: "a", rtmr0: "b", rtmr1: "c", rtmr2: "d", rtmr3: "e"), profile: "profile",
          operatorSigner: signer, options: options)
      },
      FacadeCall("ops_operator_list") { _ = try await $0.ops.operatorList(options: options) },
      FacadeCall("ops_quota_get") { _ = try await $0.ops.quotaGet(org: "org", options: options) },
      FacadeCall("ops_quota_set") {
        _ = try await $0.ops.quotaSet(
          org: "org", apps: 7, members: 7, storageBytes: 7, callsPerDay: 7, operatorSigner: signer,
          options: options)
      },
    ]
  }
}
