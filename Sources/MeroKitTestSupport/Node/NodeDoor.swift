import Foundation
import MeroHTTP
import MeroWire

/// Serves one request: finds its route, asks the guard, reads the body, runs the handler.
struct NodeDoor: Sendable {
  let store: NodeStore
  let address: NodeAddress
  let routes: NodeRoutes

  func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    let inner = address.innerPath(of: request.url)
    let split = inner.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(split[0])
    let match = routes.match(request.method, path: path)
    let target = NodeFaultList.Target(method: request.method.rawValue, path: path, template: match.template)
    let body = try NodeBodyReader.bytes(of: request)
    let number = store.enter(
      FakeNode.Request(
        method: target.method, path: inner, route: target.template, headers: request.headers,
        body: body.count <= 1 << 20 ? body : Data()))
    let (delay, before, after) = try await stop(request, target)
    if delay > 0 { try await wait(delay, request) }
    var response = HTTPResponse(status: 404)
    if let before {
      response = before.response
    } else {
      switch match {
      case .unknown: break
      case .otherMethod(_, let allowed):
        response = HTTPResponse(status: 405, headers: ["allow": allowed.joined(separator: ",")])
      case .found(let route, let parameters):
        let query = NodeExchange.readQuery(split.count > 1 ? split[1] : nil)
        response = try await serve(request, route, parameters, path: path, query: query, body: body)
      }
    }
    response = try fail(response, after)
    if request.method == .head { response.body = .empty }
    store.answered(number, status: response.status)
    return response
  }

  // MARK: Faults

  private func stop(
    _ request: HTTPRequest, _ target: NodeFaultList.Target
  ) async throws -> (TimeInterval, NodeRefusal?, NodeFaultList.Kind?) {
    let (reach, taken) = store.withState { state in
      (state.faults.reach, state.faults.reach == .up ? state.faults.take(for: target) : (0, nil, nil))
    }
    switch reach {
    case .up: return taken
    case .down:
      throw TransportError(kind: .cannotConnect, text: "no way leads to the node", mayHaveBeenSent: false)
    case .silent: try await timeOut(request.timeout)
    }
  }

  private func wait(_ seconds: TimeInterval, _ request: HTTPRequest) async throws {
    if let timeout = request.timeout, timeout <= seconds { try await timeOut(timeout) }
    try await store.clock.sleep(seconds)
  }

  private func timeOut(_ timeout: TimeInterval?) async throws -> Never {
    try await store.clock.sleep(timeout ?? 86_400)
    throw TransportError(kind: .timedOut, text: "the node did not answer in time", mayHaveBeenSent: true)
  }

  private func fail(_ response: HTTPResponse, _ fault: NodeFaultList.Kind?) throws -> HTTPResponse {
    switch fault {
    case .lose:
      response.body.cancel()
      throw TransportError(kind: .lost, text: "the connection was lost", mayHaveBeenSent: true)
    case .replace(let refusal):
      response.body.cancel()
      return refusal.response
    case .answer, .delay, nil: return response
    }
  }

  // MARK: Serving

  private func serve(
    _ request: HTTPRequest, _ route: NodeRoute, _ parameters: [String: String], path: String,
    query: [String: String], body: Data
  ) async throws -> HTTPResponse {
    do {
      let now = store.clock.now()
      let host = request.url.host ?? ""
      var headers = request.headers
      if path == "/sse", headers["authorization"] == nil, let token = query["token"] {
        headers["authorization"] = "Bearer \(token)"
      }
      let proof = headers["x-calimero-proof"].map {
        CallerProof.Request(header: $0, method: request.method.rawValue, path: path, body: body)
      }
      let caller = try check(route, headers, parameters, proof: proof, host: host, at: now)
      let exchange = NodeExchange(
        method: request.method, path: path, route: route.name, parameters: try Self.readIds(parameters),
        query: query, headers: headers, body: body,
        fields: try NodeBodyReader.fields(body, headers, as: route.body), caller: caller, host: host,
        nodeURL: address.base(named: request.headers["host"]), idleTimeout: request.idleTimeout, now: now)
      return try await run(route.handler, exchange)
    } catch let refusal as NodeRefusal {
      return refusal.response
    }
  }

  private func check(
    _ route: NodeRoute, _ headers: HTTPHeaders, _ parameters: [String: String],
    proof: CallerProof.Request?, host: String, at now: Date
  ) throws -> NodeCaller {
    let asked = NodeGuard.Request(
      bearer: NodeExchange.bearer(in: headers), host: host, parameters: parameters,
      now: Int64(now.timeIntervalSince1970.rounded(.down)), proof: proof)
    return try store.withState { state in
      if route.access != .everyone { state.counters.protectedCalls += 1 }
      return try NodeGuard.check(route, asked, state)
    }
  }

  /// Runs a handler, and the one it passes on to.
  private func run(_ handler: NodeHandler, _ exchange: NodeExchange) async throws -> HTTPResponse {
    var handler = handler
    var exchange = exchange
    while true {
      let asked = exchange
      let answer = try store.withState { try handler(&$0, asked) }
      switch answer {
      case .pause(let seconds, let next):
        try await store.clock.sleep(seconds)
        handler = next
      case .outside(let work): handler = try await work()
      default:
        guard let response = answer.response else { preconditionFailure("only answers are left here") }
        return response
      }
      exchange.now = store.clock.now()
    }
  }

  /// Parameters that are not ids of 32 bytes.
  private static let names: Set<String> = ["package", "name", "session_id", "key_id", "client_id"]

  private static func readIds(_ parameters: [String: String]) throws(NodeRefusal) -> [String: String] {
    var read = parameters
    for (name, value) in parameters where !names.contains(name) {
      guard let id = NodeId.read(value) else {
        throw NodeRefusal(400, "Invalid \(name): expected 64 hex characters")
      }
      read[name] = id
    }
    return read
  }
}
