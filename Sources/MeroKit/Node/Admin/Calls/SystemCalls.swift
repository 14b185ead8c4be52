extension AdminApi {
  /// Whether the node is alive; true while it starts or drains. Needs no token.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 503 when its store does not answer.
  public func healthCheck() async throws -> HealthStatus { try await get("health") }

  /// Whether the node serves requests. Needs no token.
  ///
  /// - Throws: ``MeroError/http(_:)`` with 503 while it does not.
  public func readinessCheck() async throws -> HealthStatus { try await get("ready") }

  /// Whether a Calimero node is at this address. It does not check a token.
  public func isAuthed() async throws -> AdminAuthStatus { try await get("is-authed", .flat) }

  /// How many peers the node is connected to.
  public func getPeersCount() async throws -> PeersCountResponseData { try await get("peers", .flat) }

  /// How the node stands in its peer-to-peer network.
  public func getNetworkStatus() async throws -> NetworkStatusResponse {
    try await get("network/status", .flat)
  }

  /// What every namespace takes up on the node.
  public func getUsage() async throws -> UsageResponse { try await get("usage", .flat) }
}
