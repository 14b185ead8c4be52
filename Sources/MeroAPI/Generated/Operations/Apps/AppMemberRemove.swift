// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Take a role in an app away.
  ///
  /// Takes it away; taking away what is not there succeeds.
  ///
  /// `DELETE /apps/{app}/members/{principal}`
  ///
  /// An API key needs `apps:manage`.
  public enum AppMemberRemove {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The app's id.
        public var app: String
        /// The account's or team's id.
        public var principal: String

        /// Creates them; what is left out is not sent.
        public init(app: String, principal: String) {
          self.app = app
          self.principal = principal
        }
      }

      /// The parameters in the path.
      public var path: Path

      /// Creates an input.
      public init(path: Path) {
        self.path = path
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
  /// Take a role in an app away.
  public static let appMemberRemove = APIOperation(
    id: "app_member_remove",
    group: "apps",
    name: "memberRemove",
    httpMethod: .delete,
    pathTemplate: "/apps/{app}/members/{principal}",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["apps:manage"],
    tier: 1,
    errorCodes: ["NOT_FOUND"]
  )
}

extension Operations.AppMemberRemove.Input: OperationInput {
  package static var operation: APIOperation { .appMemberRemove }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("app", path.app), ("principal", path.principal)]
    return try APIRequest(.appMemberRemove, path: segments, accept: "application/json")
  }
}

extension Operations.AppMemberRemove.Output: OperationOutput {
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
