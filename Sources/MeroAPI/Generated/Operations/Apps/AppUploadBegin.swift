// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Begin an upload in parts.
  ///
  /// For files larger than one request may carry. Naming a hash that an unfinished upload of the caller has
  /// continues that one.
  ///
  /// `POST /apps/{app}/uploads`
  ///
  /// An API key needs `storage:write`.
  public enum AppUploadBegin {
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
        /// The file.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// Bytes.
          public var size: UInt64
          /// Its hash, lower-case hex.
          public var sha256: String
          /// Its media type.
          public var contentType: String?
          /// A file name.
          ///
          /// At most 255 characters.
          public var name: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(size: UInt64, sha256: String, contentType: String? = nil, name: String? = nil) {
            self.size = size
            self.sha256 = sha256
            self.contentType = contentType
            self.name = name
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
      public struct Created: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.Upload

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
  /// Begin an upload in parts.
  public static let appUploadBegin = APIOperation(
    id: "app_upload_begin",
    group: "apps",
    name: "uploadBegin",
    httpMethod: .post,
    pathTemplate: "/apps/{app}/uploads",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["storage:write"],
    tier: 2,
    errorCodes: ["INVALID_ARGUMENT", "NOT_FOUND", "QUOTA_EXCEEDED"]
  )
}

extension Operations.AppUploadBegin.Input: OperationInput {
  package static var operation: APIOperation { .appUploadBegin }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app)]
    var request = try APIRequest(.appUploadBegin, path: segments, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.AppUploadBegin.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.Upload = try response.json(of: .appUploadBegin)
      self = .created(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
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
