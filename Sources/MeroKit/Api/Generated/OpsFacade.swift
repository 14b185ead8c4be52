// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroAPI
import MeroWire

extension CalimeroClient {
  /// The operations of the group `ops`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct OpsApi: Sendable {
    let caller: any FacadeCaller

    /// How the cluster is.
    ///
    /// A summary.
    ///
    /// `GET /ops/status`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: How the cluster is.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_OPERATOR`.
    public func status(options: RequestOptions = .init()) async throws -> Components.Schemas.ClusterStatus {
      let input = Operations.OpsStatus.Input()
      return try await caller.json(input, options: options)
    }

    /// List nodes.
    ///
    /// The cluster's nodes.
    ///
    /// `GET /ops/nodes`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: The cluster's nodes.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_OPERATOR`.
    public func nodeList(
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ClusterNodeList {
      let input = Operations.OpsNodeList.Input()
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - node: The node's id.
    ///   - state: Where a node stands.
    ///   - operatorSigner: Who signs, if asked; else the client's signer.
    ///   - options: What this request does differently.
    /// - Returns: A node of the cluster.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFLICT`, `NOT_FOUND`,
    ///   `NOT_OPERATOR`, `OPERATOR_SIGNATURE_REJECTED`, `OPERATOR_SIGNATURE_REQUIRED`.
    public func nodeUpdate(
      node: String,
      state: Components.Schemas.NodeState,
      operatorSigner: (any OperatorSigner)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ClusterNode {
      let payload = Operations.OpsNodeUpdate.Input.Body.JsonPayload(state: state)
      let input = Operations.OpsNodeUpdate.Input(path: .init(node: node), body: .json(payload))
      return try await caller.json(input, operatorSigner: operatorSigner, options: options)
    }

    /// List decisions.
    ///
    /// What operators have decided or are to decide.
    ///
    /// `GET /ops/decisions`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - state: Only those in this state.
    ///   - kind: Only this kind.
    ///   - cursor: Where to go on: the nextCursor of the page before. At most 256 characters.
    ///   - limit: How many at most. From 1 to 200. Left out it is `50`.
    ///   - options: What this request does differently.
    /// - Returns: A page of decisions.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_CURSOR`,
    ///   `NOT_OPERATOR`.
    public func decisionList(
      state: Components.Schemas.DecisionState? = nil,
      kind: String? = nil,
      cursor: String? = nil,
      limit: Int32? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.DecisionList {
      let input = Operations.OpsDecisionList.Input(
        query: .init(state: state, kind: kind, cursor: cursor, limit: limit)
      )
      return try await caller.json(input, options: options)
    }

    /// All that ``decisionList(state:kind:cursor:limit:options:)`` lists, page after page.
    ///
    /// Nothing is asked before the sequence is read.
    ///
    /// - Parameters:
    ///   - state: Only those in this state.
    ///   - kind: Only this kind.
    ///   - options: What this request does differently.
    public func decisionAll(
      state: Components.Schemas.DecisionState? = nil,
      kind: String? = nil,
      options: RequestOptions = .init()
    ) -> Pages<Components.Schemas.Decision> {
      Pages(of: "ops_decision_list") { cursor in
        let page = try await decisionList(
          state: state,
          kind: kind,
          cursor: cursor,
          limit: pageLimit,
          options: options
        )
        return (page.decisions, page.nextCursor)
      }
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
    ///
    /// - Parameters:
    ///   - kind: operator.add, operator.remove, account.suspend or org.suspend.
    ///   - subject: The id or key it is about.
    ///   - payload: The facts.
    ///   - operatorSigner: Who signs, if asked; else the client's signer.
    ///   - options: What this request does differently.
    /// - Returns: Something operators decide together.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `ALREADY_EXISTS`,
    ///   `INVALID_ARGUMENT`, `NOT_FOUND`, `NOT_OPERATOR`, `OPERATOR_SIGNATURE_REJECTED`,
    ///   `OPERATOR_SIGNATURE_REQUIRED`.
    public func decisionOpen(
      kind: String,
      subject: String,
      payload: JSONValue? = nil,
      operatorSigner: (any OperatorSigner)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Decision {
      let payload = Operations.OpsDecisionOpen.Input.Body.JsonPayload(
        kind: kind,
        subject: subject,
        payload: payload
      )
      let input = Operations.OpsDecisionOpen.Input(body: .json(payload))
      return try await caller.json(input, operatorSigner: operatorSigner, options: options)
    }

    /// Get a decision.
    ///
    /// One decision with its votes.
    ///
    /// `GET /ops/decisions/{decision}`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - decision: The decision's id.
    ///   - options: What this request does differently.
    /// - Returns: Something operators decide together.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`, `NOT_OPERATOR`.
    public func decisionGet(
      decision: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Decision {
      let input = Operations.OpsDecisionGet.Input(path: .init(decision: decision))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - decision: The decision's id.
    ///   - verdict: What an operator says.
    ///   - reason: Why. At most 2000 characters.
    ///   - operatorSigner: Who signs, if asked; else the client's signer.
    ///   - options: What this request does differently.
    /// - Returns: Something operators decide together.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `DECISION_CLOSED`, `NOT_FOUND`,
    ///   `NOT_OPERATOR`, `OPERATOR_SIGNATURE_REJECTED`, `OPERATOR_SIGNATURE_REQUIRED`.
    public func decisionVote(
      decision: String,
      verdict: Components.Schemas.Verdict,
      reason: String? = nil,
      operatorSigner: (any OperatorSigner)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Decision {
      let payload = Operations.OpsDecisionVote.Input.Body.JsonPayload(verdict: verdict, reason: reason)
      let input = Operations.OpsDecisionVote.Input(path: .init(decision: decision), body: .json(payload))
      return try await caller.json(input, operatorSigner: operatorSigner, options: options)
    }

    /// List releases.
    ///
    /// Node releases the cluster knows.
    ///
    /// `GET /ops/releases`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: Releases the cluster knows.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_OPERATOR`.
    public func releaseList(
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.ReleaseList {
      let input = Operations.OpsReleaseList.Input()
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - release: The release.
    ///   - allowed: Whether nodes may run it.
    ///   - measurements: The five registers that name an image, each 48 bytes in lower-case hex.
    ///   - profile: The image profile.
    ///   - operatorSigner: Who signs, if asked; else the client's signer.
    ///   - options: What this request does differently.
    /// - Returns: A node release the cluster knows.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `CONFLICT`, `NOT_FOUND`,
    ///   `NOT_OPERATOR`, `OPERATOR_SIGNATURE_REJECTED`, `OPERATOR_SIGNATURE_REQUIRED`.
    public func releaseSet(
      release: String,
      allowed: Bool,
      measurements: Components.Schemas.Measurements? = nil,
      profile: String? = nil,
      operatorSigner: (any OperatorSigner)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Release {
      let payload = Operations.OpsReleaseSet.Input.Body.JsonPayload(
        allowed: allowed,
        measurements: measurements,
        profile: profile
      )
      let input = Operations.OpsReleaseSet.Input(path: .init(release: release), body: .json(payload))
      return try await caller.json(input, operatorSigner: operatorSigner, options: options)
    }

    /// List operators.
    ///
    /// The roster, and how many approvals a decision takes.
    ///
    /// `GET /ops/operators`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: The operator roster.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_OPERATOR`.
    public func operatorList(
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.OperatorList {
      let input = Operations.OpsOperatorList.Input()
      return try await caller.json(input, options: options)
    }

    /// Get a quota.
    ///
    /// What an organization may use, and uses.
    ///
    /// `GET /ops/quotas/{org}`
    ///
    /// An API key needs `ops:read`.
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - options: What this request does differently.
    /// - Returns: What an organization may use.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`, `NOT_OPERATOR`.
    public func quotaGet(
      org: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Quota {
      let input = Operations.OpsQuotaGet.Input(path: .init(org: org))
      return try await caller.json(input, options: options)
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
    ///
    /// - Parameters:
    ///   - org: The organization's id.
    ///   - apps: Apps at most.
    ///   - members: Members at most.
    ///   - storageBytes: Bytes at most.
    ///   - callsPerDay: Calls a day at most.
    ///   - operatorSigner: Who signs, if asked; else the client's signer.
    ///   - options: What this request does differently.
    /// - Returns: What an organization may use.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`, `NOT_OPERATOR`,
    ///   `OPERATOR_SIGNATURE_REJECTED`, `OPERATOR_SIGNATURE_REQUIRED`.
    public func quotaSet(
      org: String,
      apps: Int32,
      members: Int32,
      storageBytes: UInt64,
      callsPerDay: UInt64,
      operatorSigner: (any OperatorSigner)? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Quota {
      let payload = Operations.OpsQuotaSet.Input.Body.JsonPayload(
        apps: apps,
        members: members,
        storageBytes: storageBytes,
        callsPerDay: callsPerDay
      )
      let input = Operations.OpsQuotaSet.Input(path: .init(org: org), body: .json(payload))
      return try await caller.json(input, operatorSigner: operatorSigner, options: options)
    }
  }
}
