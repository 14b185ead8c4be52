// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Deploy a package.
  ///
  /// Makes a published version available. The first deployment of a package waits for a decision; later ones
  /// go live at once.
  ///
  /// `POST /deployments`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  ///
  /// With `idempotencyKey` it is safe to repeat.
  public enum DeploymentCreate {
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
        /// The deployment.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The package.
          public var package: String
          /// The version.
          public var version: String
          /// The deployer.
          public var org: String
          /// Whether its apps follow the version.
          ///
          /// Left out it is `false`.
          public var autoUpgrade: Bool?
          /// Redirect URIs for consent.
          public var redirectUris: [String]?
          /// SHA-256 of an uploaded archive to host as the web app.
          public var siteBlob: String?
          /// Makes a repeat of this request safe: 1 to 64 characters of A-Z a-z 0-9 - and _.
          public var idempotencyKey: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            package: String,
            version: String,
            org: String,
            autoUpgrade: Bool? = nil,
            redirectUris: [String]? = nil,
            siteBlob: String? = nil,
            idempotencyKey: String? = nil
          ) {
            self.package = package
            self.version = version
            self.org = org
            self.autoUpgrade = autoUpgrade
            self.redirectUris = redirectUris
            self.siteBlob = siteBlob
            self.idempotencyKey = idempotencyKey
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
  /// Deploy a package.
  public static let deploymentCreate = APIOperation(
    id: "deployment_create",
    group: "deployments",
    name: "create",
    httpMethod: .post,
    pathTemplate: "/deployments",
    retrySafety: .field("idempotencyKey"),
    stepUp: .always,
    acceptsSession: true,
    tier: 2,
    errorCodes: [
      "ALREADY_EXISTS", "CONFIRM_REJECTED", "CONFIRM_REQUIRED", "HUMAN_REQUIRED", "IDEMPOTENCY_KEY_REUSED",
      "INVALID_ARGUMENT", "NOT_FOUND",
    ]
  )
}

extension Operations.DeploymentCreate.Input: OperationInput {
  package static var operation: APIOperation { .deploymentCreate }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.deploymentCreate, accept: "application/json")
    try request.setHeader("x-calimero-confirm", headers.confirm)
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
      request.isKeyed = payload.idempotencyKey != nil
    }
    return request
  }
}

extension Operations.DeploymentCreate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.Deployment = try response.json(of: .deploymentCreate)
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
