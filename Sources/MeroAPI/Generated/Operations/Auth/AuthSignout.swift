// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Sign out.
  ///
  /// Ends the caller's session on every node.
  ///
  /// `POST /auth/signout`
  ///
  /// It takes no API key.
  public enum AuthSignout {
    /// What it takes.
    public struct Input: Sendable {
      /// Creates an input.
      public init() {}
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
      /// 401: The credential is missing, unknown or over. Codes: UNAUTHENTICATED, TOKEN_EXPIRED,
      /// TOKEN_REVOKED, REFRESH_REUSED, PASSKEY_REJECTED.
      case unauthenticated(Components.Responses.Unauthenticated)
      /// 403: The caller may not do this. Codes: FORBIDDEN, SCOPE_MISSING, HUMAN_REQUIRED, CONFIRM_REJECTED,
      /// OPERATOR_SIGNATURE_REJECTED, NOT_OPERATOR, SIGNUP_CLOSED, INVITE_REQUIRED, SUSPENDED,
      /// QUOTA_EXCEEDED.
      case forbidden(Components.Responses.Forbidden)
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
  /// Sign out.
  public static let authSignout = APIOperation(
    id: "auth_signout",
    group: "auth",
    name: "signout",
    httpMethod: .post,
    pathTemplate: "/auth/signout",
    retrySafety: .always,
    acceptsSession: true,
    tier: 1,
    errorCodes: []
  )
}

extension Operations.AuthSignout.Input: OperationInput {
  package static var operation: APIOperation { .authSignout }

  package func request() throws(APIFailure) -> APIRequest {
    return APIRequest(.authSignout, accept: "application/json")
  }
}

extension Operations.AuthSignout.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (204, _):
      self = .noContent(.init(headers: response.headers))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
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
