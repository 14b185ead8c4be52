// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Change a deployment.
  ///
  /// Changes the version new apps start with, its state or its web app. Going to an older version is how it
  /// is rolled back.
  ///
  /// `PATCH /deployments/{deployment}`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public enum DeploymentUpdate {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The deployment's id.
        public var deployment: String

        /// Creates them; what is left out is not sent.
        public init(deployment: String) {
          self.deployment = deployment
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
        /// What to change.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The version.
          public var version: String?
          /// Where a deployment stands.
          public var state: Components.Schemas.DeploymentState?
          /// Whether its apps follow.
          public var autoUpgrade: Bool?
          /// Redirect URIs for consent.
          public var redirectUris: [String]?
          /// SHA-256 of the web app's archive.
          public var siteBlob: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            version: String? = nil,
            state: Components.Schemas.DeploymentState? = nil,
            autoUpgrade: Bool? = nil,
            redirectUris: [String]? = nil,
            siteBlob: String? = nil
          ) {
            self.version = version
            self.state = state
            self.autoUpgrade = autoUpgrade
            self.redirectUris = redirectUris
            self.siteBlob = siteBlob
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
      public init(path: Path, headers: Headers = .init(), body: Body = .json(.init())) {
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
          public typealias JsonPayload = Components.Schemas.Deployment

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
  /// Change a deployment.
  public static let deploymentUpdate = APIOperation(
    id: "deployment_update",
    group: "deployments",
    name: "update",
    httpMethod: .patch,
    pathTemplate: "/deployments/{deployment}",
    retrySafety: .always,
    stepUp: .always,
    acceptsSession: true,
    tier: 2,
    errorCodes: [
      "CONFIRM_REJECTED", "CONFIRM_REQUIRED", "CONFLICT", "HUMAN_REQUIRED", "NOT_FOUND", "VERSION_CONFLICT",
    ]
  )
}

extension Operations.DeploymentUpdate.Input: OperationInput {
  package static var operation: APIOperation { .deploymentUpdate }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("deployment", path.deployment)]
    var request = try APIRequest(.deploymentUpdate, path: segments, accept: "application/json")
    try request.setHeader("x-calimero-confirm", headers.confirm)
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.DeploymentUpdate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.Deployment = try response.json(of: .deploymentUpdate)
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
