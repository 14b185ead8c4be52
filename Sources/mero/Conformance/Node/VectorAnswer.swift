import Foundation
import MeroHTTP
import MeroWire

/// An answer that a vector has its node give.
struct VectorAnswer: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: String

  init(_ object: VectorObject) throws(Mismatch) {
    status = try object.number("status")
    var headers = HTTPHeaders()
    if object.has("headers") {
      let fields = try object.object("headers")
      for name in fields.keys { headers.add(name, try fields.text(name)) }
      try fields.finish()
    }
    self.headers = headers
    // Many of a guard's words lead to the same; that they are words of a guard is looked at here.
    if let word = headers["x-auth-error"] {
      try require(Self.authErrors.contains(word), "no guard says \(word)")
    }
    body = object.has("bodyJson") ? try object.value("bodyJson").text : try object.text("body")
    try object.finish()
  }

  private static let authErrors = [
    "token_expired", "token_revoked", "token_reuse", "permission_denied", "invalid_node",
  ]

  var response: HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: HTTPBody(Data(body.utf8)))
  }

  /// The body as JSON; null when it is something else.
  var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}

extension HTTPResponse {
  static func json(_ value: JSONValue) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["content-type": "application/json"], body: HTTPBody(value.data()))
  }

  /// New tokens, as a node's auth service gives them.
  static func tokens(_ access: String, _ refresh: String) -> HTTPResponse {
    json(["data": ["access_token": .string(access), "refresh_token": .string(refresh)], "error": nil])
  }
}
