// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Revoke a grant.
  ///
  /// Takes the permission back and ends the sessions made with it.
  ///
  /// `DELETE /consent/grants/{grant}`
  ///
  /// It takes no API key.
  public enum ConsentGrantRevoke {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The grant's id.
        public var grant: String

        /// Creates them; what is left out is not sent.
        public init(grant: String) {
          self.grant = grant
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
  /// Revoke a grant.
  public static let consentGrantRevoke = APIOperation(
    id: "consent_grant_revoke",
    group: "consent",
    name: "grantRevoke",
    httpMethod: .delete,
    pathTemplate: "/consent/grants/{grant}",
    retrySafety: .always,
    acceptsSession: true,
    tier: 2,
    errorCodes: ["NOT_FOUND"]
  )
}

extension Operations.ConsentGrantRevoke.Input: OperationInput {
  package static var operation: APIOperation { .consentGrantRevoke }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("grant", path.grant)]
    return try APIRequest(.consentGrantRevoke, path: segments, accept: "application/json")
  }
}

extension Operations.ConsentGrantRevoke.Output: OperationOutput {
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
