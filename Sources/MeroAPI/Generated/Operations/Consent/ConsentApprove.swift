// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Approve a consent request.
  ///
  /// The person says yes, with a passkey, and may leave scopes or apps out.
  ///
  /// `POST /consent/requests/{request}/approve`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public enum ConsentApprove {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The request's id.
        public var request: String

        /// Creates them; what is left out is not sent.
        public init(request: String) {
          self.request = request
        }
      }

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
        /// What is granted.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// At most those asked for.
          public var scopes: [String]
          /// Apps granted.
          public var apps: [String]?

          /// Creates it from its fields; what is left out is not sent.
          public init(scopes: [String], apps: [String]? = nil) {
            self.scopes = scopes
            self.apps = apps
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The parameters in the path.
      public var path: Path
      /// The headers.
      public var headers: Headers
      /// The body.
      public var body: Body

      /// Creates an input.
      public init(path: Path, headers: Headers = .init(), body: Body) {
        self.path = path
        self.headers = headers
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
          public typealias JsonPayload = Components.Schemas.ConsentAnswer

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
      /// 410: It was there once. Codes: CEREMONY_EXPIRED, INVITE_EXPIRED, CURSOR_EXPIRED, CONSENT_EXPIRED.
      case gone(Components.Responses.Gone)
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
  /// Approve a consent request.
  public static let consentApprove = APIOperation(
    id: "consent_approve",
    group: "consent",
    name: "approve",
    httpMethod: .post,
    pathTemplate: "/consent/requests/{request}/approve",
    retrySafety: .never,
    stepUp: .always,
    acceptsSession: true,
    tier: 1,
    errorCodes: [
      "CONFIRM_REJECTED", "CONFIRM_REQUIRED", "CONSENT_EXPIRED", "HUMAN_REQUIRED", "INVALID_ARGUMENT",
      "NOT_FOUND",
    ]
  )
}

extension Operations.ConsentApprove.Input: OperationInput {
  package static var operation: APIOperation { .consentApprove }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("request", path.request)]
    var request = try APIRequest(.consentApprove, path: segments, accept: "application/json")
    try request.setHeader("x-calimero-confirm", headers.confirm)
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.ConsentApprove.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.ConsentAnswer = try response.json(of: .consentApprove)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
    case (410, let refusal?):
      self = .gone(.init(headers: response.headers, body: .json(refusal)))
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
