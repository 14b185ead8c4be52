import Foundation
import MeroAPI
import MeroHTTP
import MeroWire

/// What a ``CalimeroClient`` consists of. The generated facade and the generated client both send through it.
final class ClientCore: FacadeCaller, APITransport, Sendable {
  let options: CalimeroClientOptions
  /// What a session of this client is called.
  let deviceLabel: String?
  let settings: ClientSettings
  let keeper: SessionKeeper
  let engine: RequestEngine
  let runs = ClientRuns()
  let presences = Presences()

  init(_ options: CalimeroClientOptions) {
    self.options = options
    settings = ClientSettings(options)
    let pool: Result<NodePool, CalimeroError>
    do {
      let configuration = try ClientConfiguration(options)
      pool = .success(NodePool(configuration, options))
      deviceLabel = configuration.deviceLabel
    } catch {
      pool = .failure(error)
      deviceLabel = nil
    }
    // Renewing a session is itself a request, over the same nodes, that carries no credential.
    let renewing = RequestEngine(pool: pool, settings: settings, keeper: nil, options: options)
    keeper = SessionKeeper(store: options.sessionStore, clock: options.clock) { token in
      try await renewing.refreshSession(token)
    } revoke: { session in
      await renewing.endSession(session)
    }
    engine = RequestEngine(pool: pool, settings: settings, keeper: keeper, options: options, runs: runs)
  }

  /// Ends everything, for good. Returns when what had to be said has been said.
  func close() async {
    runs.close()
    await presences.closeAll()
    await keeper.close()
    await keeper.landed()
    await (try? pool())?.close()
  }

  /// The nodes; throws what is wrong with the options.
  func pool() throws(CalimeroError) -> NodePool { try engine.pool.get() }

  /// Sends a facade's request: its answer is a success, or it throws.
  func perform(
    _ request: APIRequest, passkey: (any PasskeyProvider)?, operatorSigner: (any OperatorSigner)?,
    options: RequestOptions
  ) async throws -> APIResponse {
    let request = try checked(request)
    var plan = RequestPlan(request, options: options)
    plan.passkey = passkey
    plan.operatorSigner = operatorSigner
    let response = try await engine.perform(request, plan: plan)
    await notePosition(request, response)
    return response
  }

  /// Sends a request of the generated client: whatever the node answers is its answer.
  func send(_ request: APIRequest) async throws -> APIResponse {
    let request = try checked(request)
    var plan = RequestPlan(request)
    plan.throwsRefusals = false
    let response = try await engine.perform(request, plan: plan)
    await notePosition(request, response)
    return response
  }

  /// What is refused before anything is sent, whichever of the generated methods made it.
  private func checked(_ request: APIRequest) throws(CalimeroError) -> APIRequest {
    try CallLimits.check(request)
    return try NameLimits.checked(request)
  }

  /// The generated calls and views count for what this client has seen of an app, too (70 §2.7).
  private func notePosition(_ request: APIRequest, _ response: APIResponse) async {
    guard request.operation == .appCall || request.operation == .appView, response.status == 200,
      let seq = (try? JSONValue(parsing: response.body))?["seq"]?.uint64,
      let app = request.path.split(separator: "/").dropFirst().first?.removingPercentEncoding
    else { return }
    await settings.saw(app, at: seq)
  }
}
