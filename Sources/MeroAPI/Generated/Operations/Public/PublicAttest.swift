// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Attest.
  ///
  /// A fresh quote that commits to the nonce, the cluster's id and the transport key. Answered in the clear:
  /// it is what a client asks for before it can seal anything.
  ///
  /// `POST /tee/attest`
  public enum PublicAttest {
    /// What it takes.
    public struct Input: Sendable {
      /// The body.
      public enum Body: Sendable {
        /// What to commit to.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// 32 random bytes, lower-case hex.
          public var nonce: String
          /// Commit to the transport key. A client of this API always asks for it.
          ///
          /// Left out it is `true`.
          public var bindTransportKey: Bool?
          /// Commit to the cluster's id. A client of this API always asks for it.
          ///
          /// Left out it is `true`.
          public var bindCluster: Bool?
          /// Send what the quote is checked against.
          ///
          /// Left out it is `false`.
          public var includeCollateral: Bool?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            nonce: String,
            bindTransportKey: Bool? = nil,
            bindCluster: Bool? = nil,
            includeCollateral: Bool? = nil
          ) {
            self.nonce = nonce
            self.bindTransportKey = bindTransportKey
            self.bindCluster = bindCluster
            self.includeCollateral = includeCollateral
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The body.
      public var body: Body

      /// Creates an input.
      public init(body: Body) {
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
          public typealias JsonPayload = Components.Schemas.Attestation

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
  /// Attest.
  public static let publicAttest = APIOperation(
    id: "public_attest",
    group: "public",
    name: "attest",
    httpMethod: .post,
    pathTemplate: "/tee/attest",
    retrySafety: .always,
    isUnsealed: true,
    tier: 1,
    errorCodes: ["INVALID_ARGUMENT", "RATE_LIMITED"]
  )
}

extension Operations.PublicAttest.Input: OperationInput {
  package static var operation: APIOperation { .publicAttest }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.publicAttest, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.PublicAttest.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.Attestation = try response.json(of: .publicAttest)
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
