import Foundation
import MeroHTTP
import MeroWire

/// A refusal as the node sends it: a status, and one of the bodies of 10 §1.4.
struct NodeRefusal: Error, Sendable {
  enum Body: Sendable {
    /// `{"error": message}`, with `type` and `data` beside it where there are any.
    case admin(type: String?, data: JSONValue?)
    /// `{"data": null, "error": message}`
    case service
    /// `{"error": message, "status": status}`: the auth service's own checks of a request.
    case serviceField
    /// The message as plain text: what the web framework refuses by itself.
    case text
    /// Any other JSON.
    case json(JSONValue)
    /// Nothing; the guard's answers say what they have to say in a header.
    case none
  }

  var status: Int
  var message: String
  var body: Body
  var headers = HTTPHeaders()

  /// A refusal of the admin API.
  init(
    _ status: Int, _ message: String, type: String? = nil, data: JSONValue? = nil,
    headers: HTTPHeaders = HTTPHeaders()
  ) {
    self.status = status
    self.message = message
    self.headers = headers
    body = .admin(type: type, data: data)
  }

  /// A refusal with another body.
  init(_ status: Int, _ message: String, _ body: Body, headers: HTTPHeaders = HTTPHeaders()) {
    self.status = status
    self.message = message
    self.body = body
    self.headers = headers
  }

  /// A refusal of the auth service, with `x-auth-error` where there is a word for it.
  static func service(_ status: Int, _ message: String, authError: String? = nil) -> NodeRefusal {
    var headers = HTTPHeaders()
    headers["x-auth-error"] = authError
    return NodeRefusal(status, message, .service, headers: headers)
  }

  /// A refusal of the guard in front of the routes: no body.
  static func guarding(_ status: Int, _ authError: String?) -> NodeRefusal {
    var headers = HTTPHeaders()
    headers["x-auth-error"] = authError
    return NodeRefusal(status, authError ?? "refused", .none, headers: headers)
  }

  /// A body that does not fit, as routes say that check theirs (20 §4.1).
  static func invalid(_ field: String, _ reason: String) -> NodeRefusal {
    NodeRefusal(400, "Validation errors: \(field): \(reason)")
  }

  /// Nothing of this kind has this id.
  static func notFound(_ what: String) -> NodeRefusal {
    NodeRefusal(404, "\(what) not found")
  }

  /// The node cannot decide yet; the same call succeeds later. Without `Retry-After`, as the node cannot estimate it.
  static func notYet(_ message: String) -> NodeRefusal {
    NodeRefusal(503, message)
  }

  var response: HTTPResponse {
    switch body {
    case .admin(let type, let data):
      var object: JSONObject = ["error": .string(message)]
      object["type"] = type.map { .string($0) }
      object["data"] = data
      return .json(status, .object(object), headers: headers)
    case .service:
      return .json(status, ["data": .null, "error": .string(message)], headers: headers)
    case .serviceField:
      return .json(status, ["error": .string(message), "status": JSONValue(status)], headers: headers)
    case .text:
      var headers = headers
      headers["content-type"] = "text/plain; charset=utf-8"
      return HTTPResponse(status: status, headers: headers, body: HTTPBody(Data(message.utf8)))
    case .json(let value): return .json(status, value, headers: headers)
    case .none: return HTTPResponse(status: status, headers: headers)
    }
  }
}
