import Foundation
import MeroHTTP
import MeroWire

/// Serves one request: finds its route, asks the guard, reads the body, runs the handler.
struct NodeDoor: Sendable {
  let store: NodeStore
  let address: NodeAddress
  let routes: NodeRoutes

  func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
    let split = address.innerPath(of: request.url).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(split[0])
    switch routes.match(request.method, path: path) {
    case .unknown: return HTTPResponse(status: 404)
    case .otherMethod(let allowed):
      return HTTPResponse(status: 405, headers: ["allow": allowed.joined(separator: ",")])
    case .found(let route, let parameters):
      let query = NodeExchange.readQuery(split.count > 1 ? split[1] : nil)
      var response = try await serve(request, route, parameters, path: path, query: query)
      if request.method == .head { response.body = .empty }
      return response
    }
  }

  private func serve(
    _ request: HTTPRequest, _ route: NodeRoute, _ parameters: [String: String], path: String,
    query: [String: String]
  ) async throws -> HTTPResponse {
    do {
      let now = store.clock.now()
      let host = request.url.host ?? ""
      let caller = try check(route, request, parameters, host: host, at: now)
      let body = try NodeBodyReader.bytes(of: request)
      let exchange = NodeExchange(
        method: request.method, path: path, route: route.name, parameters: try Self.readIds(parameters),
        query: query, headers: request.headers, body: body,
        fields: try NodeBodyReader.fields(body, request.headers, as: route.body), caller: caller, host: host,
        idleTimeout: request.idleTimeout, now: now)
      return try await run(route.handler, exchange)
    } catch let refusal as NodeRefusal {
      return refusal.response
    }
  }

  private func check(
    _ route: NodeRoute, _ request: HTTPRequest, _ parameters: [String: String], host: String, at now: Date
  ) throws -> NodeCaller {
    let asked = NodeGuard.Request(
      bearer: NodeExchange.bearer(in: request.headers), host: host, parameters: parameters,
      now: Int64(now.timeIntervalSince1970.rounded(.down)))
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
