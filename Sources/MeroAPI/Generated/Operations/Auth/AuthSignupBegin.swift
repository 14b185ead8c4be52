// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Begin a sign-up.
  ///
  /// Opens a registration ceremony for a new account. Nothing exists until it is finished.
  ///
  /// `POST /auth/signup/begin`
  public enum AuthSignupBegin {
    /// What it takes.
    public struct Input: Sendable {
      /// The body.
      public enum Body: Sendable {
        /// Who signs up.
        public struct JsonPayload: Codable, Sendable, Hashable, SecretBearing {
          /// The account name: 2 to 32 characters of a-z 0-9 . _ -, beginning with a letter or digit.
          public var name: String
          /// The name the authenticator shows; the account name when left out.
          ///
          /// At most 80 characters.
          public var displayName: String?
          /// An invitation code, where the cluster wants one.
          public var invite: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(name: String, displayName: String? = nil, invite: String? = nil) {
            self.name = name
            self.displayName = displayName
            self.invite = invite
          }

          var shown: [(label: String?, value: Any)] {
            [("name", name as Any), ("displayName", displayName as Any)]
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
      public struct Ok: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.CreationCeremony

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
      /// 403: The caller may not do this. Codes: FORBIDDEN, SCOPE_MISSING, HUMAN_REQUIRED, CONFIRM_REJECTED,
      /// OPERATOR_SIGNATURE_REJECTED, NOT_OPERATOR, SIGNUP_CLOSED, INVITE_REQUIRED, SUSPENDED,
      /// QUOTA_EXCEEDED.
      case forbidden(Components.Responses.Forbidden)
      /// 409: The state of things does not allow this. Codes: CONFLICT, NAME_TAKEN, ALREADY_EXISTS,
      /// LAST_OWNER, LAST_PASSKEY, VERSION_CONFLICT, VIEW_WROTE, IDEMPOTENCY_KEY_REUSED,
      /// IDEMPOTENCY_IN_PROGRESS, APP_NOT_READY, DECISION_CLOSED, UPLOAD_INCOMPLETE.
      case conflict(Components.Responses.Conflict)
      /// 410: It was there once. Codes: CEREMONY_EXPIRED, INVITE_EXPIRED, CURSOR_EXPIRED, CONSENT_EXPIRED.
      case gone(Components.Responses.Gone)
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
  /// Begin a sign-up.
  public static let authSignupBegin = APIOperation(
    id: "auth_signup_begin",
    group: "auth",
    name: "signupBegin",
    httpMethod: .post,
    pathTemplate: "/auth/signup/begin",
    retrySafety: .always,
    tier: 1,
    errorCodes: [
      "INVALID_ARGUMENT", "INVITE_EXPIRED", "INVITE_REQUIRED", "NAME_TAKEN", "RATE_LIMITED", "SIGNUP_CLOSED",
    ]
  )
}

extension Operations.AuthSignupBegin.Input: OperationInput {
  package static var operation: APIOperation { .authSignupBegin }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.authSignupBegin, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.AuthSignupBegin.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.CreationCeremony = try response.json(of: .authSignupBegin)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (409, let refusal?):
      self = .conflict(.init(headers: response.headers, body: .json(refusal)))
    case (410, let refusal?):
      self = .gone(.init(headers: response.headers, body: .json(refusal)))
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
