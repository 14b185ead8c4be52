// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import Foundation
import MeroHTTP

extension Operations {
  /// Send one part.
  ///
  /// Stores one part; sending it again replaces it.
  ///
  /// `PUT /apps/{app}/uploads/{upload}/parts/{index}`
  ///
  /// An API key needs `storage:write`.
  public enum AppUploadPart {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The app's id.
        public var app: String
        /// The upload's id.
        public var upload: String
        /// The part, from 0.
        public var index: Int32

        /// Creates them; what is left out is not sent.
        public init(app: String, upload: String, index: Int32) {
          self.app = app
          self.upload = upload
          self.index = index
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// The part's bytes.
        case binary(Data, contentType: String = "application/octet-stream")
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
      public struct Ok: Sendable {
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
      /// 413: The body is too large. Codes: PAYLOAD_TOO_LARGE.
      case payloadTooLarge(Components.Responses.PayloadTooLarge)
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
  /// Send one part.
  public static let appUploadPart = APIOperation(
    id: "app_upload_part",
    group: "apps",
    name: "uploadPart",
    httpMethod: .put,
    pathTemplate: "/apps/{app}/uploads/{upload}/parts/{index}",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["storage:write"],
    tier: 2,
    errorCodes: ["INVALID_ARGUMENT", "NOT_FOUND", "PAYLOAD_TOO_LARGE"]
  )
}

extension Operations.AppUploadPart.Input: OperationInput {
  package static var operation: APIOperation { .appUploadPart }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [
      ("app", path.app),
      ("upload", path.upload),
      ("index", path.index.description),
    ]
    var request = try APIRequest(.appUploadPart, path: segments, accept: "application/json")
    switch body {
    case .binary(let bytes, let contentType):
      try request.setBody(bytes: bytes, contentType: contentType)
    }
    return request
  }
}

extension Operations.AppUploadPart.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.Upload = try response.json(of: .appUploadPart)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
    case (413, let refusal?):
      self = .payloadTooLarge(.init(headers: response.headers, body: .json(refusal)))
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
