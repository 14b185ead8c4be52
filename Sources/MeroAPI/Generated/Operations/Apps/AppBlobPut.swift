// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import Foundation
import MeroHTTP

extension Operations {
  /// Put a file.
  ///
  /// Stores a file. Its id is its hash, so putting it twice stores it once. The type in Content-Type is kept.
  ///
  /// `POST /apps/{app}/blobs`
  ///
  /// An API key needs `storage:write`.
  public enum AppBlobPut {
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

      /// The parameters in the query.
      public struct Query: Sendable {
        /// A file name.
        ///
        /// At most 255 characters.
        public var name: String?
        /// The hash the bytes must have.
        public var sha256: String?

        /// Creates them; what is left out is not sent.
        public init(name: String? = nil, sha256: String? = nil) {
          self.name = name
          self.sha256 = sha256
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// The bytes.
        case binary(Data, contentType: String = "application/octet-stream")
      }

      /// The parameters in the path.
      public var path: Path
      /// The parameters in the query.
      public var query: Query
      /// The body.
      public var body: Body

      /// Creates an input.
      public init(path: Path, query: Query = .init(), body: Body) {
        self.path = path
        self.query = query
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
          public typealias JsonPayload = Components.Schemas.Blob

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
      /// 413: The body is too large. Codes: PAYLOAD_TOO_LARGE.
      case payloadTooLarge(Components.Responses.PayloadTooLarge)
      /// 422: The app's code, or the bytes sent, did not hold. Codes: METHOD_FAILED, METHOD_TRAPPED,
      /// ARGS_INVALID, HASH_MISMATCH, PACKAGE_INVALID.
      case methodFailed(Components.Responses.MethodFailed)
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
  /// Put a file.
  public static let appBlobPut = APIOperation(
    id: "app_blob_put",
    group: "apps",
    name: "blobPut",
    httpMethod: .post,
    pathTemplate: "/apps/{app}/blobs",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["storage:write"],
    tier: 1,
    errorCodes: ["HASH_MISMATCH", "NOT_FOUND", "PAYLOAD_TOO_LARGE", "QUOTA_EXCEEDED"]
  )
}

extension Operations.AppBlobPut.Input: OperationInput {
  package static var operation: APIOperation { .appBlobPut }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app)]
    let items: [(String, String?)] = [("name", query.name), ("sha256", query.sha256)]
    var request = try APIRequest(.appBlobPut, path: segments, query: items, accept: "application/json")
    switch body {
    case .binary(let bytes, let contentType):
      try request.setBody(bytes: bytes, contentType: contentType)
    }
    return request
  }
}

extension Operations.AppBlobPut.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.Blob = try response.json(of: .appBlobPut)
      self = .created(.init(headers: response.headers, body: .json(payload)))
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
    case (422, let refusal?):
      self = .methodFailed(.init(headers: response.headers, body: .json(refusal)))
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
