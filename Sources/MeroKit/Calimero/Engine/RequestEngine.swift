import Foundation
import MeroAPI
import MeroHTTP
import MeroWire

/// Carries requests to the cluster: credential, tries, failover, refresh, 412 and 428, errors (70 §2.6).
///
/// The decisions are made by values (``NodeRing``, ``AttemptRules``, ``RequestProgress``); a ``RequestRun`` performs
/// them for one request. Everything thrown from here is a ``CalimeroError``.
struct RequestEngine: Sendable {
  /// The nodes, or why the client's options cannot be used.
  let pool: Result<NodePool, CalimeroError>
  let settings: ClientSettings
  /// nil for the requests of the keeper itself, which carry no credential.
  let keeper: SessionKeeper?
  let options: CalimeroClientOptions
  /// What closing the client ends; nil for the requests of the keeper: a refresh that was sent has to be heard out,
  /// since its answer may hold the only tokens that still work.
  var runs: ClientRuns?

  var clock: MeroClock { options.clock }

  /// Sends a request until it has an outcome.
  ///
  /// - Returns: a 2xx answer, or any final answer when `plan.throwsRefusals` is false.
  func perform(_ request: APIRequest, plan: RequestPlan) async throws -> APIResponse {
    guard let runs, !plan.isFarewell else { return try await performed(request, plan) }
    return try await runs.run { try await performed(request, plan) }
  }

  private func performed(_ request: APIRequest, _ plan: RequestPlan) async throws -> APIResponse {
    var run = try await RequestRun(self, request, plan, purpose: .answer)
    let (answer, node) = try await run.outcome()
    let response = APIResponse(status: answer.status, headers: answer.headers, body: answer.body, node: node)
    if answer.isSuccess { await noteTime(request, response) }
    return response
  }

  /// Sends a request whose answer is read as it comes, and returns at its head. Refused nodes do not count as tries,
  /// so that one try (``RetryPolicy/none``) is one effort at one node that can be trusted.
  ///
  /// - Parameter failed: the node the stream was last open at, if it should go on at another one.
  func openStream(
    _ request: APIRequest, plan: RequestPlan, after failed: NodeHandle? = nil
  ) async throws -> OpenedStream {
    guard let runs else { return try await opened(request, plan, after: failed) }
    var stream = try await runs.run { try await opened(request, plan, after: failed) }
    stream.hold = runs.hold { [body = stream.body] in body.cancel() }
    return stream
  }

  private func opened(
    _ request: APIRequest, _ plan: RequestPlan, after failed: NodeHandle?
  ) async throws -> OpenedStream {
    var run = try await RequestRun(self, request, plan, purpose: .stream(after: failed?.url))
    let (answer, node) = try await run.outcome()
    return OpenedStream(
      node: NodeHandle(url: node), status: answer.status, headers: answer.headers,
      body: answer.stream ?? HTTPBody(answer.body))
  }

  /// A stream broke in a way that suggests leaving its node alone for a moment.
  func streamFailed(at node: NodeHandle) async {
    await (try? pool.get())?.apply(.cool(Cooling()), to: node.url)
  }

  /// Renews a session (70 §2.9); what the ``SessionKeeper`` is given to do it with.
  func refreshSession(
    _ refreshToken: String
  ) async throws -> (session: Components.Schemas.Session, issuedBy: URL) {
    let body: JSONValue = ["refreshToken": .string(refreshToken)]
    let request = APIRequest(
      operation: .authRefresh, method: .post, path: "/auth/refresh",
      headers: ["accept": "application/json", "content-type": "application/json"], body: body.data())
    let response = try await performRefresh(request)
    let session: Components.Schemas.Session = try response.decoded(for: request)
    options.log?(CalimeroLogEvent(.refreshed, node: response.node))
    return (session, try response.node ?? base())
  }

  /// How long a node gives the same tokens again for a refresh token that was used, in seconds (70 §2.9).
  private static let refreshGrace: TimeInterval = 10

  /// Asks again for an answer that does not come, while the node still gives the same one. With the usual limit of a
  /// try a connection that died without a word would be noticed too late: the token would be spent, and the session
  /// over.
  private func performRefresh(_ request: APIRequest) async throws -> APIResponse {
    var hasty = RequestPlan(request)
    hasty.timeout = min(options.timeouts.request, Self.refreshGrace / 2)
    hasty.deadline = min(options.retry.deadline, Self.refreshGrace * 0.8)
    let began = clock.uptime()
    do {
      return try await perform(request, plan: hasty)
    } catch let error as CalimeroError
      where error.code == nil && error != .cancelled && clock.uptime() - began >= Self.refreshGrace / 2
    {
      // Not lost, perhaps, but slow: this one may take its time.
      return try await perform(request, plan: RequestPlan(request))
    }
  }

  /// Binds the client to the cluster of the stored session before any node is attested. The store is not read when an
  /// API key is used.
  func expectCluster() async {
    guard let keeper, let pool = try? pool.get(), await pool.cluster() == nil, await settings.apiKey == nil,
      let stored = await keeper.current()
    else { return }
    await pool.expect(cluster: stored.clusterId)
  }

  /// An answer that says what time it is there tells how far the cluster's clock is from ours.
  private func noteTime(_ request: APIRequest, _ response: APIResponse) async {
    let time: Int64?
    switch request.operation {
    case .publicInfo: time = (try? response.decoded(Components.Schemas.ClusterInfo.self, for: request))?.time
    case .authSignupFinish, .authSigninFinish, .authRefresh, .consentToken:
      let session = try? response.decoded(Components.Schemas.Session.self, for: request)
      time = session.flatMap { session in
        let (time, overflows) = session.accessExpiresAt.subtractingReportingOverflow(
          session.accessExpiresInMs)
        return overflows ? nil : time
      }
    default: time = nil
    }
    if let time { await settings.saw(nodeTime: time, at: clock.now()) }
  }

  private func base() throws -> URL {
    guard let url = URL(string: options.baseUrl) else {
      throw CalimeroError.invalidInput("baseUrl is not a URL.")
    }
    return url
  }
}

extension APIRequest {
  /// The key in the body that makes a repeat safe.
  var idempotencyKey: String? {
    guard isKeyed, let body else { return nil }
    return (try? JSONValue(parsing: body))?["idempotencyKey"]?.stringValue
  }
}

extension APIResponse {
  /// The body as a value; an answer that does not fit is a `decoding` error.
  func decoded<T: Decodable>(_ type: T.Type = T.self, for request: APIRequest) throws -> T {
    do {
      return try ExactJSON.decode(type, from: body)
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error, operation: request.operation?.id))
    }
  }
}
