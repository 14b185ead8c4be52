// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroAPI

extension CalimeroClient {
  /// The operations of the group `public`, as typed methods.
  ///
  /// Each answers the success value alone and throws ``CalimeroError`` otherwise.
  public struct PublicApi: Sendable {
    let caller: any FacadeCaller

    /// Health.
    ///
    /// Whether the node is up and ready. Answered in the clear.
    ///
    /// `GET /health`
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: Whether the node is up and ready.
    /// - Throws: ``CalimeroError``.
    public func health(options: RequestOptions = .init()) async throws -> Components.Schemas.Health {
      let input = Operations.PublicHealth.Input()
      return try await caller.json(input, options: options)
    }

    /// Attest.
    ///
    /// A fresh quote that commits to the nonce, the cluster's id and the transport key. Answered in the
    /// clear: it is what a client asks for before it can seal anything.
    ///
    /// `POST /tee/attest`
    ///
    /// - Parameters:
    ///   - nonce: 32 random bytes, lower-case hex.
    ///   - bindTransportKey: Commit to the transport key. A client of this API always asks for it. Left out
    ///     it is `true`.
    ///   - bindCluster: Commit to the cluster's id. A client of this API always asks for it. Left out it is
    ///     `true`.
    ///   - includeCollateral: Send what the quote is checked against. Left out it is `false`.
    ///   - options: What this request does differently.
    /// - Returns: A quote, and the keys it commits to.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `INVALID_ARGUMENT`,
    ///   `RATE_LIMITED`.
    public func attest(
      nonce: String,
      bindTransportKey: Bool? = nil,
      bindCluster: Bool? = nil,
      includeCollateral: Bool? = nil,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.Attestation {
      let payload = Operations.PublicAttest.Input.Body.JsonPayload(
        nonce: nonce,
        bindTransportKey: bindTransportKey,
        bindCluster: bindCluster,
        includeCollateral: includeCollateral
      )
      let input = Operations.PublicAttest.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }

    /// About the cluster.
    ///
    /// What a client needs to know before anyone is signed in.
    ///
    /// `GET /info`
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: What a client needs to know about the cluster.
    /// - Throws: ``CalimeroError``.
    public func info(options: RequestOptions = .init()) async throws -> Components.Schemas.ClusterInfo {
      let input = Operations.PublicInfo.Input()
      return try await caller.json(input, options: options)
    }

    /// The cluster's addresses.
    ///
    /// Where the cluster's nodes are. A client attests each before it sends it anything else.
    ///
    /// `GET /nodes`
    ///
    /// - Parameters:
    ///   - options: What this request does differently.
    /// - Returns: The cluster's nodes, as addresses. A client attests each before it sends it anything else.
    /// - Throws: ``CalimeroError``.
    public func nodeList(
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.NodeAddressList {
      let input = Operations.PublicNodeList.Input()
      return try await caller.json(input, options: options)
    }

    /// See an invitation.
    ///
    /// What an invitation is to, for whoever holds its code. The code is in the body so that no log keeps it.
    ///
    /// `POST /invites/preview`
    ///
    /// - Parameters:
    ///   - code: The invitation's code.
    ///   - options: What this request does differently.
    /// - Returns: What an invitation is to, before it is accepted.
    /// - Throws: ``CalimeroError``; of the codes of `api`, these are its own: `NOT_FOUND`, `RATE_LIMITED`.
    public func invitePreview(
      code: String,
      options: RequestOptions = .init()
    ) async throws -> Components.Schemas.InvitePreview {
      let payload = Operations.PublicInvitePreview.Input.Body.JsonPayload(code: code)
      let input = Operations.PublicInvitePreview.Input(body: .json(payload))
      return try await caller.json(input, options: options)
    }
  }
}
