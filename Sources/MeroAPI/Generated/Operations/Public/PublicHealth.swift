// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Health.
  ///
  /// Whether the node is up and ready. Answered in the clear.
  ///
  /// `GET /health`
  public enum PublicHealth {
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
          public typealias JsonPayload = Components.Schemas.Health

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
  /// Health.
  public static let publicHealth = APIOperation(
    id: "public_health",
    group: "public",
    name: "health",
    httpMethod: .get,
    pathTemplate: "/health",
    retrySafety: .always,
    isUnsealed: true,
    tier: 1,
    errorCodes: []
  )
}

extension Operations.PublicHealth.Input: OperationInput {
  package static var operation: APIOperation { .publicHealth }

  package func request() throws(APIFailure) -> APIRequest {
    return APIRequest(.publicHealth, accept: "application/json")
  }
}

extension Operations.PublicHealth.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.Health = try response.json(of: .publicHealth)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (500, let refusal?):
      self = .internal(.init(headers: response.headers, body: .json(refusal)))
    case (503, let refusal?):
      self = .unavailable(.init(headers: response.headers, body: .json(refusal)))
    default:
      self = .undocumented(statusCode: response.status, response.undocumented)
    }
  }
}
