// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP
import MeroWire

extension Operations {
  /// Call a method.
  ///
  /// Runs a method that may change the app's state, applies it in the app's order, and answers once a
  /// majority of nodes hold it. With an idempotency key a repeat gives the kept answer instead of running
  /// again.
  ///
  /// `POST /apps/{app}/intents`
  ///
  /// An API key needs `apps:call`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public enum AppCall {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The app's id.
        public var app: String

        /// Creates them; what is left out is not sent.
        public init(app: String) {
          self.app = app
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// The call.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The method's name.
          ///
          /// At most 128 characters.
          public var method: String
          /// Its arguments: an object by name, or an array in order. Numbers are kept exactly.
          public var args: JSONValue
          /// Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
          public var idempotencyKey: String?
          /// Only if the app's position is this; else 409 VERSION_CONFLICT.
          public var ifSeq: UInt64?

          /// Creates it from its fields; what is left out is not sent.
          public init(method: String, args: JSONValue, idempotencyKey: String? = nil, ifSeq: UInt64? = nil) {
            self.method = method
            self.args = args
            self.idempotencyKey = idempotencyKey
            self.ifSeq = ifSeq
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The parameters in the path.
      public var path: Path
      /// The body.
      public var body: Body

      /// Creates an input.
      public init(path: Path, body: Body) {
        self.path = path
        self.body = body
      }
    }

    /// What it answers.
    public enum Output: Sendable {
      /// The operation succeeded.
      public struct Ok: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.CallResult

          /// JSON.
          case json(JsonPayload)

          /// The body's value.
          public var json: JsonPayload {
            switch self {
            case .json(let value): return value
            }
          }
        }

        /// The answer's headers.
        public var headers: HTTPHeaders
        /// The body.
        public var body: Body

        /// Creates an answer.
        public init(headers: HTTPHeaders = .init(), body: Body) {
          self.headers = headers
          self.body = body
        }
      }

      /// 200: The operation succeeded.
      case ok(Ok)
      /// 400: The request is malformed. Codes: BAD_REQUEST, INVALID_ARGUMENT, INVALID_CURSOR.
      case badRequest(Components.Responses.BadRequest)
      /// 401: The credential is missing, unknown or over. Codes: UNAUTHENTICATED, TOKEN_EXPIRED,
      /// TOKEN_REVOKED, REFRESH_REUSED, PASSKEY_REJECTED.
      case unauthenticated(Components.Responses.Unauthenticated)
      /// 403: The caller may not do this. Codes: FORBIDDEN, SCOPE_MISSING, HUMAN_REQUIRED, CONFIRM_REJECTED,
      /// OPERATOR_SIGNATURE_REJECTED, NOT_OPERATOR, SIGNUP_CLOSED, INVITE_REQUIRED, SUSPENDED,
      /// QUOTA_EXCEEDED.
      case forbidden(Components.Responses.Forbidden)
      /// 404: There is no such thing. Codes: NOT_FOUND, METHOD_NOT_FOUND.
      case notFound(Components.Responses.NotFound)
      /// 409: The state of things does not allow this. Codes: CONFLICT, NAME_TAKEN, ALREADY_EXISTS,
      /// LAST_OWNER, LAST_PASSKEY, VERSION_CONFLICT, VIEW_WROTE, IDEMPOTENCY_KEY_REUSED,
      /// IDEMPOTENCY_IN_PROGRESS, APP_NOT_READY, DECISION_CLOSED, UPLOAD_INCOMPLETE.
      case conflict(Components.Responses.Conflict)
      /// 413: The body is too large. Codes: PAYLOAD_TOO_LARGE.
      case payloadTooLarge(Components.Responses.PayloadTooLarge)
      /// 422: The app's code, or the bytes sent, did not hold. Codes: METHOD_FAILED, METHOD_TRAPPED,
      /// ARGS_INVALID, HASH_MISMATCH, PACKAGE_INVALID.
      case methodFailed(Components.Responses.MethodFailed)
      /// 429: Too many requests. Codes: RATE_LIMITED.
      case rateLimited(Components.Responses.RateLimited)
      /// 500: The node failed. Codes: INTERNAL.
      case `internal`(Components.Responses.Internal)
      /// 503: The node did not run the request; another may. Codes: UNAVAILABLE, DRAINING, OVERLOADED,
      /// NOT_LEADER, BEHIND, SYNCING.
      case unavailable(Components.Responses.Unavailable)
      /// 504: The node gave up waiting; the outcome is unknown. Codes: TIMEOUT.
      case timedOut(Components.Responses.TimedOut)
      /// A status the document does not list, or a refusal whose body is none.
      case undocumented(statusCode: Int, UndocumentedPayload)
    }
  }
}

extension APIOperation {
  /// Call a method.
  public static let appCall = APIOperation(
    id: "app_call",
    group: "apps",
    name: "call",
    httpMethod: .post,
    pathTemplate: "/apps/{app}/intents",
    retrySafety: .field("idempotencyKey"),
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["apps:call"],
    tier: 1,
    errorCodes: [
      "APP_NOT_READY", "ARGS_INVALID", "IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED", "METHOD_FAILED",
      "METHOD_NOT_FOUND", "METHOD_TRAPPED", "NOT_FOUND", "NOT_LEADER", "PAYLOAD_TOO_LARGE", "QUOTA_EXCEEDED",
      "SUSPENDED", "TIMEOUT", "VERSION_CONFLICT",
    ]
  )
}

extension Operations.AppCall.Input: OperationInput {
  package static var operation: APIOperation { .appCall }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app)]
    var request = try APIRequest(.appCall, path: segments, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
      request.isKeyed = payload.idempotencyKey != nil
    }
    return request
  }
}

extension Operations.AppCall.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.CallResult = try response.json(of: .appCall)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
    case (409, let refusal?):
      self = .conflict(.init(headers: response.headers, body: .json(refusal)))
    case (413, let refusal?):
      self = .payloadTooLarge(.init(headers: response.headers, body: .json(refusal)))
    case (422, let refusal?):
      self = .methodFailed(.init(headers: response.headers, body: .json(refusal)))
    case (429, let refusal?):
      self = .rateLimited(.init(headers: response.headers, body: .json(refusal)))
    case (500, let refusal?):
      self = .internal(.init(headers: response.headers, body: .json(refusal)))
    case (503, let refusal?):
      self = .unavailable(.init(headers: response.headers, body: .json(refusal)))
    case (504, let refusal?):
      self = .timedOut(.init(headers: response.headers, body: .json(refusal)))
    default:
      self = .undocumented(statusCode: response.status, response.undocumented)
    }
  }
}
