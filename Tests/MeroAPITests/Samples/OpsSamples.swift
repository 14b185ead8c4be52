import MeroAPI

extension OperationSample {
  static func ops(_ document: APIDocument) throws -> [OperationSample] {
    [
      OperationSample(Operations.OpsStatus.Input(), Operations.OpsStatus.Output.self),
      OperationSample(Operations.OpsNodeList.Input(), Operations.OpsNodeList.Output.self),
      OperationSample(
        Operations.OpsNodeUpdate.Input(
          path: .init(node: text("node")),
          headers: .init(operatorSignature: text("x-calimero-operator-signature")),
          body: .json(try document.payload("ops_node_update"))), Operations.OpsNodeUpdate.Output.self),
      OperationSample(
        Operations.OpsDecisionList.Input(
          query: .init(
            state: .init(rawValue: text("state")), kind: text("kind"), cursor: text("cursor"), limit: 7)),
        Operations.OpsDecisionList.Output.self),
      OperationSample(
        Operations.OpsDecisionOpen.Input(
          headers: .init(operatorSignature: text("x-calimero-operator-signature")),
          body: .json(try document.payload("ops_decision_open"))), Operations.OpsDecisionOpen.Output.self),
      OperationSample(
        Operations.OpsDecisionGet.Input(path: .init(decision: text("decision"))),
        Operations.OpsDecisionGet.Output.self),
      OperationSample(
        Operations.OpsDecisionVote.Input(
          path: .init(decision: text("decision")),
          headers: .init(operatorSignature: text("x-calimero-operator-signature")),
          body: .json(try document.payload("ops_decision_vote"))), Operations.OpsDecisionVote.Output.self),
      OperationSample(Operations.OpsReleaseList.Input(), Operations.OpsReleaseList.Output.self),
      OperationSample(
        Operations.OpsReleaseSet.Input(
          path: .init(release: text("release")),
          headers: .init(operatorSignature: text("x-calimero-operator-signature")),
          body: .json(try document.payload("ops_release_set"))), Operations.OpsReleaseSet.Output.self),
      OperationSample(Operations.OpsOperatorList.Input(), Operations.OpsOperatorList.Output.self),
      OperationSample(
        Operations.OpsQuotaGet.Input(path: .init(org: text("org"))), Operations.OpsQuotaGet.Output.self),
      OperationSample(
        Operations.OpsQuotaSet.Input(
          path: .init(org: text("org")),
          headers: .init(operatorSignature: text("x-calimero-operator-signature")),
          body: .json(try document.payload("ops_quota_set"))), Operations.OpsQuotaSet.Output.self),
    ]
  }
}
