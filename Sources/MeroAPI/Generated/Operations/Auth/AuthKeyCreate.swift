// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Make an API key.
  ///
  /// Makes an API key. Its scopes are never more than the account's own rights when it is used.
  ///
  /// `POST /auth/api-keys`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public enum AuthKeyCreate {
    /// What it takes.
    public struct Input: Sendable {
      /// The headers it knows.
      public struct Headers: Sendable {
        /// The answer to a 412: v1, a dot, the confirmId, a dot, and the AssertionCredential as base64url of
        /// its JSON.
        ///
        /// At most 8192 characters.
        public var confirm: String?

        /// Creates them; what is left out is not sent.
        public init(confirm: String? = nil) {
          self.confirm = confirm
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// What the key may do.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// 1 to 80 characters, no control characters, no leading or trailing spaces.
          public var label: String
          /// At least one scope.
          public var scopes: [String]
          /// Limit it to these apps.
          public var apps: [String]?
          /// Limit it to these organizations.
          public var orgs: [String]?
          /// Unix milliseconds when it ends.
          public var expiresAt: Int64?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            label: String,
            scopes: [String],
            apps: [String]? = nil,
            orgs: [String]? = nil,
            expiresAt: Int64? = nil
          ) {
            self.label = label
            self.scopes = scopes
            self.apps = apps
            self.orgs = orgs
            self.expiresAt = expiresAt
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The headers.
      public var headers: Headers
      /// The body.
      public var body: Body

      /// Creates an input.
      public init(headers: Headers = .init(), body: Body) {
        self.headers = headers
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
          public typealias JsonPayload = Components.Schemas.ApiKeyCreated

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
      /// 412: A passkey has to confirm this request. Codes: CONFIRM_REQUIRED.
      case confirmRequired(Components.Responses.ConfirmRequired)
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
  /// Make an API key.
  public static let authKeyCreate = APIOperation(
    id: "auth_key_create",
    group: "auth",
    name: "keyCreate",
    httpMethod: .post,
    pathTemplate: "/auth/api-keys",
    retrySafety: .never,
    stepUp: .always,
    acceptsSession: true,
    tier: 1,
    errorCodes: [
      "CONFIRM_REJECTED", "CONFIRM_REQUIRED", "HUMAN_REQUIRED", "INVALID_ARGUMENT", "QUOTA_EXCEEDED",
    ]
  )
}

extension Operations.AuthKeyCreate.Input: OperationInput {
  package static var operation: APIOperation { .authKeyCreate }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.authKeyCreate, accept: "application/json")
    try request.setHeader("x-calimero-confirm", headers.confirm)
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.AuthKeyCreate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.ApiKeyCreated = try response.json(of: .authKeyCreate)
      self = .created(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (412, let refusal?):
      self = .confirmRequired(.init(headers: response.headers, body: .json(refusal)))
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
