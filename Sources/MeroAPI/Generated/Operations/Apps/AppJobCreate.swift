// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP
import MeroWire

extension Operations {
  /// Start a job.
  ///
  /// Queues a method that runs longer than a call may.
  ///
  /// `POST /apps/{app}/jobs`
  ///
  /// An API key needs `jobs:run`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public enum AppJobCreate {
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
        /// The job.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The method's name.
          public var method: String
          /// Its arguments.
          public var args: JSONValue
          /// How long it may run; at most 1 hour.
          ///
          /// From 1000 to 3600000. Left out it is `600000`.
          public var timeoutMs: Int64?
          /// Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
          public var idempotencyKey: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            method: String,
            args: JSONValue,
            timeoutMs: Int64? = nil,
            idempotencyKey: String? = nil
          ) {
            self.method = method
            self.args = args
            self.timeoutMs = timeoutMs
            self.idempotencyKey = idempotencyKey
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
      public struct Accepted: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.Job

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

      /// 202: The operation succeeded.
      case accepted(Accepted)
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
      /// A status the document does not list, or a refusal whose body is none.
      case undocumented(statusCode: Int, UndocumentedPayload)
    }
  }
}

extension APIOperation {
  /// Start a job.
  public static let appJobCreate = APIOperation(
    id: "app_job_create",
    group: "apps",
    name: "jobCreate",
    httpMethod: .post,
    pathTemplate: "/apps/{app}/jobs",
    retrySafety: .field("idempotencyKey"),
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["jobs:run"],
    tier: 2,
    errorCodes: ["ARGS_INVALID", "IDEMPOTENCY_KEY_REUSED", "METHOD_NOT_FOUND", "NOT_FOUND", "QUOTA_EXCEEDED"]
  )
}

extension Operations.AppJobCreate.Input: OperationInput {
  package static var operation: APIOperation { .appJobCreate }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app)]
    var request = try APIRequest(.appJobCreate, path: segments, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
      request.isKeyed = payload.idempotencyKey != nil
    }
    return request
  }
}

extension Operations.AppJobCreate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (202, _):
      let payload: Components.Schemas.Job = try response.json(of: .appJobCreate)
      self = .accepted(.init(headers: response.headers, body: .json(payload)))
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
    case (422, let refusal?):
      self = .methodFailed(.init(headers: response.headers, body: .json(refusal)))
    case (429, let refusal?):
      self = .rateLimited(.init(headers: response.headers, body: .json(refusal)))
    case (500, let refusal?):
      self = .internal(.init(headers: response.headers, body: .json(refusal)))
    case (503, let refusal?):
      self = .unavailable(.init(headers: response.headers, body: .json(refusal)))
    default:
      self = .undocumented(statusCode: response.status, response.undocumented)
    }
  }
}
