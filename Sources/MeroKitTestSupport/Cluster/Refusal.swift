import MeroWire

/// An answer outside 2xx, with a code from the document's table.
struct Refusal: Error, Sendable {
  let status: Int
  let code: String
  let message: String
  var details: JSONValue?
  var retryAfterMs: Int64?

  init(
    _ status: Int, _ code: String, _ message: String, details: JSONValue? = nil, retryAfterMs: Int64? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.details = details
    self.retryAfterMs = retryAfterMs
  }

  /// The body every refusal has.
  func body(requestId: String) -> JSONValue {
    var error: JSONObject = [
      "code": .string(code), "message": .string(message), "requestId": .string(requestId),
    ]
    error["retryAfterMs"] = retryAfterMs.map { JSONValue($0) }
    error["details"] = details
    return ["error": .object(error)]
  }

  static func badRequest(_ message: String) -> Refusal { Refusal(400, "BAD_REQUEST", message) }

  static func invalidArgument(_ field: String, _ reason: String) -> Refusal {
    Refusal(
      400, "INVALID_ARGUMENT", "\(field) \(reason)",
      details: ["field": .string(field), "reason": .string(reason)])
  }

  static let invalidCursor = Refusal(
    400, "INVALID_CURSOR", "the cursor was not issued by this cluster for this listing")
  static let unauthenticated = Refusal(
    401, "UNAUTHENTICATED", "no bearer token was sent, or none this cluster knows")
  static let tokenExpired = Refusal(401, "TOKEN_EXPIRED", "the token's time is over")
  static let tokenRevoked = Refusal(401, "TOKEN_REVOKED", "the session was signed out or revoked")

  static func passkeyRejected(_ reason: String) -> Refusal { Refusal(401, "PASSKEY_REJECTED", reason) }

  static func forbidden(_ what: String) -> Refusal {
    Refusal(403, "FORBIDDEN", "the caller's role does not allow to \(what)")
  }

  static func scopeMissing(_ scope: String) -> Refusal {
    Refusal(
      403, "SCOPE_MISSING", "the credential lacks the scope \(scope)", details: ["scope": .string(scope)])
  }

  static let humanRequired = Refusal(
    403, "HUMAN_REQUIRED", "this takes a person's passkey, which an API key cannot give")

  static func suspended(_ subject: String) -> Refusal {
    Refusal(
      403, "SUSPENDED", "the \(subject) is suspended", details: ["subject": .string(subject)])
  }

  static func notFound(_ what: String) -> Refusal {
    Refusal(404, "NOT_FOUND", "there is no such \(what), or the caller may not know of it")
  }

  static let ceremonyExpired = Refusal(410, "CEREMONY_EXPIRED", "the ceremony is over or was used")

  static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(
      413, "PAYLOAD_TOO_LARGE", "the limit is \(limit) bytes", details: ["limit": JSONValue(limit)])
  }

  /// The refusal a schema's mismatch becomes: the wrong shape is a bad request, a value out of bounds an argument.
  init(_ mismatch: SchemaMismatch) {
    let field = mismatch.path.isEmpty ? "body" : mismatch.path
    self =
      mismatch.isBounds
      ? .invalidArgument(field, mismatch.reason) : .badRequest("\(field) \(mismatch.reason)")
  }
}
