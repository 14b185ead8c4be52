import Foundation
import MeroAPI
import MeroHTTP
import MeroWire

/// Routes the API document lacks (70 §2.24). All of it is sealed, authenticated and retried like everything else.
///
/// A path is everything after the node's base URL, percent-encoded by the caller, or a list of segments that the client
/// encodes; a query is appended to it in the order of its names. A path that goes up or names another host is
/// ``CalimeroError/invalidInput(_:)``.
extension CalimeroClient {
  /// Reads a route.
  public func get(_ path: String, query: [String: String] = [:]) async throws -> JSONValue {
    try await json(.get, path, query, nil)
  }

  /// Posts JSON; `.null` is answered for an empty body.
  ///
  /// - Parameter retrySafe: whether sending it twice changes nothing.
  public func post(
    _ path: String, query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await json(.post, path, query, body, retrySafe: retrySafe)
  }

  /// Puts JSON; `.null` is answered for an empty body.
  public func put(
    _ path: String, query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await json(.put, path, query, body, retrySafe: retrySafe)
  }

  /// Patches with JSON; `.null` is answered for an empty body.
  public func patch(
    _ path: String, query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await json(.patch, path, query, body, retrySafe: retrySafe)
  }

  /// Deletes; `.null` is answered for an empty body.
  @discardableResult
  public func delete(
    _ path: String, query: [String: String] = [:], body: JSONValue? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await json(.delete, path, query, body, retrySafe: retrySafe)
  }

  /// Posts JSON to a route that a person has to confirm.
  ///
  /// - Parameter passkey: who confirms; the client's provider when nil.
  public func postConfirmed(
    _ path: String, query: [String: String] = [:], body: JSONValue? = nil,
    passkey: (any PasskeyProvider)? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await json(.post, path, query, body, retrySafe: retrySafe) { $0.passkey = passkey }
  }

  /// Posts JSON to a route that an operator has to sign.
  ///
  /// - Parameter operatorSigner: who signs; the client's signer when nil.
  public func postSigned(
    _ path: String, query: [String: String] = [:], body: JSONValue? = nil,
    operatorSigner: (any OperatorSigner)? = nil, retrySafe: Bool = false
  ) async throws -> JSONValue {
    try await json(.post, path, query, body, retrySafe: retrySafe) { $0.operatorSigner = operatorSigner }
  }

  /// Sends bytes and answers bytes. A refusal is an answer here; 412 and 428 are the caller's to handle.
  ///
  /// An answer of more than 32 MiB, or one that takes longer than a try may, is read only where `accept` names
  /// something else than JSON.
  ///
  /// - Throws: ``CalimeroError`` when there is no answer.
  public func request(_ request: CalimeroRequest) async throws -> CalimeroResponse {
    try RawRequest.check(path: request.path)
    try RawRequest.check(headers: request.headers)
    let inner = APIRequest(
      method: request.method, path: request.path, headers: request.headers, body: request.body)
    var plan = RequestPlan(inner, options: request.options)
    plan.retrySafe = request.retrySafe ?? plan.retrySafe
    plan.auth = request.isAuthenticated ? .session : .none
    plan.throwsRefusals = false
    plan.answersStepUp = false
    let response = try await core.engine.perform(inner, plan: plan)
    return CalimeroResponse(
      status: response.status, headers: response.headers, body: response.body, node: response.node)
  }

  /// Reads a route that answers with server-sent events. It is opened when the first event is asked for, and not
  /// resumed when it ends.
  public func stream(_ path: String, query: [String: String] = [:]) -> RawEventStream {
    RawEventStream(core: core, path: RawRequest.path(path, query))
  }

  // MARK: Beneath

  private func json(
    _ method: HTTPMethod, _ path: String, _ query: [String: String], _ body: JSONValue?,
    retrySafe: Bool = false, _ change: (inout RequestPlan) -> Void = { _ in }
  ) async throws -> JSONValue {
    let path = RawRequest.path(path, query)
    try RawRequest.check(path: path)
    var request = APIRequest(
      method: method, path: path, headers: ["accept": "application/json"], body: body?.data())
    if body != nil { request.headers["content-type"] = "application/json" }
    var plan = RequestPlan(request)
    plan.retrySafe = plan.retrySafe || retrySafe
    change(&plan)
    let response = try await core.engine.perform(request, plan: plan)
    guard !response.body.isEmpty else { return .null }
    do {
      return try JSONValue(parsing: response.body)
    } catch {
      throw CalimeroError.decoding(DecodingFailure(error))
    }
  }
}
