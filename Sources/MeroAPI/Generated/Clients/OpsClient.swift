// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// How the cluster is.
  ///
  /// A summary.
  ///
  /// `GET /ops/status`
  ///
  /// An API key needs `ops:read`.
  public func opsStatus(
    _ input: Operations.OpsStatus.Input = .init()
  ) async throws -> Operations.OpsStatus.Output {
    try await perform(input)
  }

  /// List nodes.
  ///
  /// The cluster's nodes.
  ///
  /// `GET /ops/nodes`
  ///
  /// An API key needs `ops:read`.
  public func opsNodeList(
    _ input: Operations.OpsNodeList.Input = .init()
  ) async throws -> Operations.OpsNodeList.Output {
    try await perform(input)
  }

  /// Drain a node or put it back.
  ///
  /// Sets a node's state to draining or active.
  ///
  /// `PATCH /ops/nodes/{node}`
  ///
  /// It needs an operator's signature.
  ///
  /// An API key needs `ops:write`.
  public func opsNodeUpdate(
    _ input: Operations.OpsNodeUpdate.Input
  ) async throws -> Operations.OpsNodeUpdate.Output {
    try await perform(input)
  }

  /// List decisions.
  ///
  /// What operators have decided or are to decide.
  ///
  /// `GET /ops/decisions`
  ///
  /// An API key needs `ops:read`.
  public func opsDecisionList(
    _ input: Operations.OpsDecisionList.Input = .init()
  ) async throws -> Operations.OpsDecisionList.Output {
    try await perform(input)
  }

  /// Open a decision.
  ///
  /// Puts something to the operators: an operator to add or remove, an account or organization to suspend.
  ///
  /// `POST /ops/decisions`
  ///
  /// It needs an operator's signature.
  ///
  /// An API key needs `ops:write`.
  public func opsDecisionOpen(
    _ input: Operations.OpsDecisionOpen.Input
  ) async throws -> Operations.OpsDecisionOpen.Output {
    try await perform(input)
  }

  /// Get a decision.
  ///
  /// One decision with its votes.
  ///
  /// `GET /ops/decisions/{decision}`
  ///
  /// An API key needs `ops:read`.
  public func opsDecisionGet(
    _ input: Operations.OpsDecisionGet.Input
  ) async throws -> Operations.OpsDecisionGet.Output {
    try await perform(input)
  }

  /// Vote on a decision.
  ///
  /// An operator's signed word. The same word from the same operator again changes nothing.
  ///
  /// `POST /ops/decisions/{decision}/votes`
  ///
  /// It needs an operator's signature.
  ///
  /// An API key needs `ops:write`.
  public func opsDecisionVote(
    _ input: Operations.OpsDecisionVote.Input
  ) async throws -> Operations.OpsDecisionVote.Output {
    try await perform(input)
  }

  /// List releases.
  ///
  /// Node releases the cluster knows.
  ///
  /// `GET /ops/releases`
  ///
  /// An API key needs `ops:read`.
  public func opsReleaseList(
    _ input: Operations.OpsReleaseList.Input = .init()
  ) async throws -> Operations.OpsReleaseList.Output {
    try await perform(input)
  }

  /// Allow or forbid a release.
  ///
  /// Says whether nodes may run a release. Forbidding one drains the nodes that do.
  ///
  /// `PUT /ops/releases/{release}`
  ///
  /// It needs an operator's signature.
  ///
  /// An API key needs `ops:write`.
  public func opsReleaseSet(
    _ input: Operations.OpsReleaseSet.Input
  ) async throws -> Operations.OpsReleaseSet.Output {
    try await perform(input)
  }

  /// List operators.
  ///
  /// The roster, and how many approvals a decision takes.
  ///
  /// `GET /ops/operators`
  ///
  /// An API key needs `ops:read`.
  public func opsOperatorList(
    _ input: Operations.OpsOperatorList.Input = .init()
  ) async throws -> Operations.OpsOperatorList.Output {
    try await perform(input)
  }

  /// Get a quota.
  ///
  /// What an organization may use, and uses.
  ///
  /// `GET /ops/quotas/{org}`
  ///
  /// An API key needs `ops:read`.
  public func opsQuotaGet(
    _ input: Operations.OpsQuotaGet.Input
  ) async throws -> Operations.OpsQuotaGet.Output {
    try await perform(input)
  }

  /// Set a quota.
  ///
  /// Says what an organization may use.
  ///
  /// `PUT /ops/quotas/{org}`
  ///
  /// It needs an operator's signature.
  ///
  /// An API key needs `ops:write`.
  public func opsQuotaSet(
    _ input: Operations.OpsQuotaSet.Input
  ) async throws -> Operations.OpsQuotaSet.Output {
    try await perform(input)
  }
}
