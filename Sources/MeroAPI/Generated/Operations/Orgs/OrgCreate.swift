// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Create an organization.
  ///
  /// Makes an organization with the caller as its owner.
  ///
  /// `POST /orgs`
  ///
  /// An API key needs `orgs:manage`.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public enum OrgCreate {
    /// What it takes.
    public struct Input: Sendable {
      /// The body.
      public enum Body: Sendable {
        /// The organization.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// 1 to 80 characters, no control characters, no leading or trailing spaces.
          public var name: String
          /// Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
          public var idempotencyKey: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(name: String, idempotencyKey: String? = nil) {
            self.name = name
            self.idempotencyKey = idempotencyKey
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The body.
      public var body: Body

      /// Creates an input.
      public init(body: Body) {
        self.body = body
      }
    }

    /// What it answers.
    public enum Output: Sendable {
      /// The operation succeeded.
      public struct Created: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.Org

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
      /// 409: The state of things does not allow this. Codes: CONFLICT, NAME_TAKEN, ALREADY_EXISTS,
      /// LAST_OWNER, LAST_PASSKEY, VERSION_CONFLICT, VIEW_WROTE, IDEMPOTENCY_KEY_REUSED,
      /// IDEMPOTENCY_IN_PROGRESS, APP_NOT_READY, DECISION_CLOSED, UPLOAD_INCOMPLETE.
      case conflict(Components.Responses.Conflict)
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
  /// Create an organization.
  public static let orgCreate = APIOperation(
    id: "org_create",
    group: "orgs",
    name: "create",
    httpMethod: .post,
    pathTemplate: "/orgs",
    retrySafety: .field("idempotencyKey"),
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["orgs:manage"],
    tier: 1,
    errorCodes: ["IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED", "INVALID_ARGUMENT", "QUOTA_EXCEEDED"]
  )
}

extension Operations.OrgCreate.Input: OperationInput {
  package static var operation: APIOperation { .orgCreate }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.orgCreate, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
      request.isKeyed = payload.idempotencyKey != nil
    }
    return request
  }
}

extension Operations.OrgCreate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.Org = try response.json(of: .orgCreate)
      self = .created(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (409, let refusal?):
      self = .conflict(.init(headers: response.headers, body: .json(refusal)))
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
