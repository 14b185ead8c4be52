import Foundation
import MeroAPI
import MeroHTTP

/// What a ``CalimeroClient`` consists of. The generated facade and the generated client both send through it.
final class ClientCore: FacadeCaller, APITransport, Sendable {
  let options: CalimeroClientOptions
  let settings: ClientSettings
  let keeper: SessionKeeper
  let engine: RequestEngine

  init(_ options: CalimeroClientOptions) {
    self.options = options
    settings = ClientSettings(options)
    let pool: Result<NodePool, CalimeroError>
    do {
      pool = .success(NodePool(try ClientConfiguration(options), options))
    } catch {
      pool = .failure(error)
    }
    // Renewing a session is itself a request, over the same nodes, that carries no credential.
    let renewing = RequestEngine(pool: pool, settings: settings, keeper: nil, options: options)
    keeper = SessionKeeper(store: options.sessionStore, clock: options.clock, random: options.random) {
      token in
      try await renewing.refreshSession(token)
    }
    engine = RequestEngine(pool: pool, settings: settings, keeper: keeper, options: options)
  }

  /// The nodes; throws what is wrong with the options.
  func pool() throws(CalimeroError) -> NodePool { try engine.pool.get() }

  /// Sends a facade's request: its answer is a success, or it throws.
  func perform(
    _ request: APIRequest, passkey: (any PasskeyProvider)?, operatorSigner: (any OperatorSigner)?,
    options: RequestOptions
  ) async throws -> APIResponse {
    var plan = RequestPlan(request, options: options)
    plan.passkey = passkey
    plan.operatorSigner = operatorSigner
    return try await engine.perform(request, plan: plan)
  }

  /// Sends a request of the generated client: whatever the node answers is its answer.
  func send(_ request: APIRequest) async throws -> APIResponse {
    var plan = RequestPlan(request)
    plan.throwsRefusals = false
    return try await engine.perform(request, plan: plan)
  }
}
