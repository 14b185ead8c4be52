// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Client {
  /// Health.
  ///
  /// Whether the node is up and ready. Answered in the clear.
  ///
  /// `GET /health`
  public func publicHealth(
    _ input: Operations.PublicHealth.Input = .init()
  ) async throws -> Operations.PublicHealth.Output {
    try await perform(input)
  }

  /// Attest.
  ///
  /// A fresh quote that commits to the nonce, the cluster's id and the transport key. Answered in the clear:
  /// it is what a client asks for before it can seal anything.
  ///
  /// `POST /tee/attest`
  public func publicAttest(
    _ input: Operations.PublicAttest.Input
  ) async throws -> Operations.PublicAttest.Output {
    try await perform(input)
  }

  /// About the cluster.
  ///
  /// What a client needs to know before anyone is signed in.
  ///
  /// `GET /info`
  public func publicInfo(
    _ input: Operations.PublicInfo.Input = .init()
  ) async throws -> Operations.PublicInfo.Output {
    try await perform(input)
  }

  /// The cluster's addresses.
  ///
  /// Where the cluster's nodes are. A client attests each before it sends it anything else.
  ///
  /// `GET /nodes`
  public func publicNodeList(
    _ input: Operations.PublicNodeList.Input = .init()
  ) async throws -> Operations.PublicNodeList.Output {
    try await perform(input)
  }

  /// See an invitation.
  ///
  /// What an invitation is to, for whoever holds its code. The code is in the body so that no log keeps it.
  ///
  /// `POST /invites/preview`
  public func publicInvitePreview(
    _ input: Operations.PublicInvitePreview.Input
  ) async throws -> Operations.PublicInvitePreview.Output {
    try await perform(input)
  }
}
