import Foundation
import MeroHTTP
import MeroWire

/// A node's refusal of an envelope; answered in the clear (50 §1.6).
struct NodeRefusal: Error, Sendable {
  let status: Int
  let code: SealedErrorCode
  let message: String

  static let unsupportedVersion = NodeRefusal(
    status: 400, code: .unsupportedVersion, message: "this node speaks sealed transport version 2")
  static func malformed(_ what: String) -> NodeRefusal {
    NodeRefusal(status: 400, code: .malformed, message: what)
  }
  static let undecryptable = NodeRefusal(
    status: 400, code: .undecryptable, message: "the envelope does not open")
  static let replayed = NodeRefusal(
    status: 400, code: .replayedRequest, message: "the request id was used before or is too old")
  static let staleTransportKey = NodeRefusal(
    status: 409, code: .staleTransportKey,
    message: "this node does not hold that transport key; attest it again")
  static let unknownSession = NodeRefusal(
    status: 409, code: .unknownSession, message: "no such session; open a new one")
  static let tooLarge = NodeRefusal(
    status: 413, code: .tooLarge, message: "the envelope is larger than 64 MiB")
  static let busy = NodeRefusal(status: 503, code: .busy, message: "too many handshakes; try again")

  func response(retryAfter: Int? = nil) -> HTTPResponse {
    var headers: HTTPHeaders = ["content-type": "application/json"]
    if let retryAfter { headers["retry-after"] = "\(retryAfter)" }
    return HTTPResponse(
      status: status, headers: headers, body: HTTPBody(errorBody(code: code.rawValue, message: message)))
  }
}

/// `{"error":{"code","message"}}`, the form of every error around sealing, inside and outside envelopes.
func errorBody(code: String?, message: String) -> Data {
  var error: JSONObject = [:]
  if let code { error["code"] = .string(code) }
  error["message"] = .string(message)
  return JSONValue.object(["error": .object(error)]).data()
}
