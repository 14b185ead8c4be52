// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP
import MeroWire

extension Operations {
  /// Say that I am present.
  ///
  /// Sets the caller's own entry, which lives for the limit's presenceTtlMs. A null state takes it away. A
  /// call whose version is not above the last one kept is ignored and answers 204 all the same.
  ///
  /// `PUT /apps/{app}/presence`
  ///
  /// It takes no API key.
  public enum AppPresenceSet {
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
        /// The entry.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// Anything, or null to leave.
          public var state: JSONValue
          /// Grows with every call of this session, so a late one cannot undo a newer.
          public var version: UInt64

          /// Creates it from its fields; what is left out is not sent.
          public init(state: JSONValue, version: UInt64) {
            self.state = state
            self.version = version
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
      public struct NoContent: Sendable {
        /// The answer's headers.
        public var headers: HTTPHeaders

        /// Creates an answer.
        public init(headers: HTTPHeaders = .init()) {
          self.headers = headers
        }
      }

      /// 204: The operation succeeded.
      case noContent(NoContent)
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
  /// Say that I am present.
  public static let appPresenceSet = APIOperation(
    id: "app_presence_set",
    group: "apps",
    name: "presenceSet",
    httpMethod: .put,
    pathTemplate: "/apps/{app}/presence",
    retrySafety: .always,
    acceptsSession: true,
    tier: 1,
    errorCodes: ["NOT_FOUND", "PAYLOAD_TOO_LARGE"]
  )
}

extension Operations.AppPresenceSet.Input: OperationInput {
  package static var operation: APIOperation { .appPresenceSet }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app)]
    var request = try APIRequest(.appPresenceSet, path: segments, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.AppPresenceSet.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (204, _):
      self = .noContent(.init(headers: response.headers))
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
