// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import Foundation
import MeroHTTP

extension Operations {
  /// Get a file.
  ///
  /// The file's bytes. A Range header of one range is honoured with 206.
  ///
  /// `GET /apps/{app}/blobs/{blob}`
  ///
  /// An API key needs `storage:read`.
  public enum AppBlobGet {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The app's id.
        public var app: String
        /// The file's id.
        public var blob: String

        /// Creates them; what is left out is not sent.
        public init(app: String, blob: String) {
          self.app = app
          self.blob = blob
        }
      }

      /// The headers it knows.
      public struct Headers: Sendable {
        /// One byte range.
        public var range: String?

        /// Creates them; what is left out is not sent.
        public init(range: String? = nil) {
          self.range = range
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
          /// Bytes.
          case binary(Data)

          /// The body's bytes.
          public var binary: Data {
            switch self {
            case .binary(let value): return value
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

      /// The bytes of the range asked for; Content-Range says which.
      public struct PartialContent: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// Bytes.
          case binary(Data)

          /// The body's bytes.
          public var binary: Data {
            switch self {
            case .binary(let value): return value
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
      /// 206: The bytes of the range asked for; Content-Range says which.
      case partialContent(PartialContent)
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
  /// Get a file.
  public static let appBlobGet = APIOperation(
    id: "app_blob_get",
    group: "apps",
    name: "blobGet",
    httpMethod: .get,
    pathTemplate: "/apps/{app}/blobs/{blob}",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["storage:read"],
    tier: 1,
    errorCodes: ["NOT_FOUND"]
  )
}

extension Operations.AppBlobGet.Input: OperationInput {
  package static var operation: APIOperation { .appBlobGet }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app), ("blob", path.blob)]
    var request = try APIRequest(.appBlobGet, path: segments, accept: "application/octet-stream")
    try request.setHeader("range", headers.range)
    return request
  }
}

extension Operations.AppBlobGet.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      self = .ok(.init(headers: response.headers, body: .binary(response.body)))
    case (206, _):
      self = .partialContent(.init(headers: response.headers, body: .binary(response.body)))
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
