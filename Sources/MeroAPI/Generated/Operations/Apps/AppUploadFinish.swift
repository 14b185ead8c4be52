// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Finish an upload.
  ///
  /// Joins the parts and checks the hash.
  ///
  /// `POST /apps/{app}/uploads/{upload}/finish`
  ///
  /// An API key needs `storage:write`.
  public enum AppUploadFinish {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The app's id.
        public var app: String
        /// The upload's id.
        public var upload: String

        /// Creates them; what is left out is not sent.
        public init(app: String, upload: String) {
          self.app = app
          self.upload = upload
        }
      }

      /// The parameters in the path.
      public var path: Path

      /// Creates an input.
      public init(path: Path) {
        self.path = path
      }
    }

    /// What it answers.
    public enum Output: Sendable {
      /// The operation succeeded.
      public struct Created: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.Blob

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

      /// 201: The operation succeeded.
      case created(Created)
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
  /// Finish an upload.
  public static let appUploadFinish = APIOperation(
    id: "app_upload_finish",
    group: "apps",
    name: "uploadFinish",
    httpMethod: .post,
    pathTemplate: "/apps/{app}/uploads/{upload}/finish",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["storage:write"],
    tier: 2,
    errorCodes: ["HASH_MISMATCH", "NOT_FOUND", "UPLOAD_INCOMPLETE"]
  )
}

extension Operations.AppUploadFinish.Input: OperationInput {
  package static var operation: APIOperation { .appUploadFinish }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app), ("upload", path.upload)]
    return try APIRequest(.appUploadFinish, path: segments, accept: "application/json")
  }
}

extension Operations.AppUploadFinish.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.Blob = try response.json(of: .appUploadFinish)
      self = .created(.init(headers: response.headers, body: .json(payload)))
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
