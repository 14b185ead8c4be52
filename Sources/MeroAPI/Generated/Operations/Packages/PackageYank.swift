// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Yank a version.
  ///
  /// Stops new apps from using a version; apps that run it go on.
  ///
  /// `POST /packages/{package}/versions/{version}/yank`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public enum PackageYank {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The package's name.
        public var package: String
        /// The version.
        public var version: String

        /// Creates them; what is left out is not sent.
        public init(package: String, version: String) {
          self.package = package
          self.version = version
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

      /// The parameters in the path.
      public var path: Path
      /// The headers.
      public var headers: Headers

      /// Creates an input.
      public init(path: Path, headers: Headers = .init()) {
        self.path = path
        self.headers = headers
      }
    }

    /// What it answers.
    public enum Output: Sendable {
      /// The operation succeeded.
      public struct Ok: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.PackageVersion

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
  /// Yank a version.
  public static let packageYank = APIOperation(
    id: "package_yank",
    group: "packages",
    name: "yank",
    httpMethod: .post,
    pathTemplate: "/packages/{package}/versions/{version}/yank",
    retrySafety: .never,
    stepUp: .always,
    acceptsSession: true,
    tier: 2,
    errorCodes: ["CONFIRM_REJECTED", "CONFIRM_REQUIRED", "HUMAN_REQUIRED", "NOT_FOUND"]
  )
}

extension Operations.PackageYank.Input: OperationInput {
  package static var operation: APIOperation { .packageYank }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("package", path.package), ("version", path.version)]
    var request = try APIRequest(.packageYank, path: segments, accept: "application/json")
    try request.setHeader("x-calimero-confirm", headers.confirm)
    return request
  }
}

extension Operations.PackageYank.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.PackageVersion = try response.json(of: .packageYank)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
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
