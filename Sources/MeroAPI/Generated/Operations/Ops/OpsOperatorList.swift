// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// List operators.
  ///
  /// The roster, and how many approvals a decision takes.
  ///
  /// `GET /ops/operators`
  ///
  /// An API key needs `ops:read`.
  public enum OpsOperatorList {
    /// What it takes.
    public struct Input: Sendable {
      /// Creates an input.
      public init() {}
    }

    /// What it answers.
    public enum Output: Sendable {
      /// The operation succeeded.
      public struct Ok: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.OperatorList

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
  /// List operators.
  public static let opsOperatorList = APIOperation(
    id: "ops_operator_list",
    group: "ops",
    name: "operatorList",
    httpMethod: .get,
    pathTemplate: "/ops/operators",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["ops:read"],
    tier: 2,
    errorCodes: ["NOT_OPERATOR"]
  )
}

extension Operations.OpsOperatorList.Input: OperationInput {
  package static var operation: APIOperation { .opsOperatorList }

  package func request() throws(APIFailure) -> APIRequest {
    return APIRequest(.opsOperatorList, accept: "application/json")
  }
}

extension Operations.OpsOperatorList.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.OperatorList = try response.json(of: .opsOperatorList)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
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
