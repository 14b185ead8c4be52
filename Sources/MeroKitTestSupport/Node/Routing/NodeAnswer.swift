import Foundation
import MeroHTTP
import MeroWire

/// What runs a route: with the node's state, alone, and the request as it was checked.
typealias NodeHandler = @Sendable (inout NodeState, NodeExchange) throws -> NodeAnswer

/// What a route answers with, in the envelopes of 20 §1.3.
enum NodeAnswer: Sendable {
  /// `{"data": X}`
  case data(JSONValue)
  /// `X` at the top level.
  case flat(JSONValue)
  /// `{"data": X, "error": null}`, as the auth service answers.
  case service(JSONValue, headers: HTTPHeaders = HTTPHeaders())
  /// `{}`
  case empty
  /// 204 without a body.
  case none
  /// 200 with bytes.
  case bytes(Data, headers: HTTPHeaders)
  /// 200 whose answer is in its headers.
  case head(HTTPHeaders)
  /// Anything else, event streams among it.
  case response(HTTPResponse)
  /// Wait this many seconds on the node's clock, then ask this handler.
  case pause(TimeInterval, then: NodeHandler)
  /// Do work outside the node's lock (asking another node), then ask the handler it gives.
  case outside(@Sendable () async throws -> NodeHandler)
}

extension NodeAnswer {
  /// The response; nil for the two that are not answers yet.
  var response: HTTPResponse? {
    switch self {
    case .data(let value): return .json(200, ["data": value])
    case .flat(let value): return .json(200, value)
    case .service(let value, let headers):
      return .json(200, ["data": value, "error": .null], headers: headers)
    case .empty: return .json(200, [:])
    case .none: return HTTPResponse(status: 204)
    case .bytes(let bytes, let headers):
      return HTTPResponse(status: 200, headers: headers, body: HTTPBody(bytes))
    case .head(let headers): return HTTPResponse(status: 200, headers: headers)
    case .response(let response): return response
    case .pause, .outside: return nil
    }
  }
}

extension HTTPResponse {
  /// A response with a JSON body.
  static func json(_ status: Int, _ value: JSONValue, headers: HTTPHeaders = HTTPHeaders()) -> HTTPResponse {
    var headers = headers
    headers["content-type"] = "application/json"
    return HTTPResponse(status: status, headers: headers, body: HTTPBody(value.data()))
  }
}
