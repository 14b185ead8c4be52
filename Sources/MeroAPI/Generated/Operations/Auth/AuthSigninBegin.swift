// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Begin a sign-in.
  ///
  /// Opens a sign-in ceremony. Without a name the authenticator offers the passkeys it can discover. The
  /// answer is the same whether or not the name exists.
  ///
  /// `POST /auth/signin/begin`
  public enum AuthSigninBegin {
    /// What it takes.
    public struct Input: Sendable {
      /// The body.
      public enum Body: Sendable {
        /// Who signs in.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The account name, to narrow the choice.
          public var name: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(name: String? = nil) {
            self.name = name
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The body.
      public var body: Body

      /// Creates an input.
      public init(body: Body = .json(.init())) {
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
          public typealias JsonPayload = Components.Schemas.RequestCeremony

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
  /// Begin a sign-in.
  public static let authSigninBegin = APIOperation(
    id: "auth_signin_begin",
    group: "auth",
    name: "signinBegin",
    httpMethod: .post,
    pathTemplate: "/auth/signin/begin",
    retrySafety: .always,
    tier: 1,
    errorCodes: ["RATE_LIMITED"]
  )
}

extension Operations.AuthSigninBegin.Input: OperationInput {
  package static var operation: APIOperation { .authSigninBegin }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.authSigninBegin, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.AuthSigninBegin.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.RequestCeremony = try response.json(of: .authSigninBegin)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
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
