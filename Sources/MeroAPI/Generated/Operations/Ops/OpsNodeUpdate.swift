// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Drain a node or put it back.
  ///
  /// Sets a node's state to draining or active.
  ///
  /// `PATCH /ops/nodes/{node}`
  ///
  /// It needs an operator's signature.
  ///
  /// An API key needs `ops:write`.
  public enum OpsNodeUpdate {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The node's id.
        public var node: String

        /// Creates them; what is left out is not sent.
        public init(node: String) {
          self.node = node
        }
      }

      /// The headers it knows.
      public struct Headers: Sendable {
        /// The answer to a 428: v1, a dot, the signingId, a dot, the operator's key in hex, a dot, and the
        /// signature in base64url.
        ///
        /// At most 2048 characters.
        public var operatorSignature: String?

        /// Creates them; what is left out is not sent.
        public init(operatorSignature: String? = nil) {
          self.operatorSignature = operatorSignature
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// The state.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// Where a node stands.
          public var state: Components.Schemas.NodeState

          /// Creates it from its fields; what is left out is not sent.
          public init(state: Components.Schemas.NodeState) {
            self.state = state
          }
        }

        /// JSON.
        case json(JsonPayload)
      }

      /// The parameters in the path.
      public var path: Path
      /// The headers.
      public var headers: Headers
      /// The body.
      public var body: Body

      /// Creates an input.
      public init(path: Path, headers: Headers = .init(), body: Body) {
        self.path = path
        self.headers = headers
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
          public typealias JsonPayload = Components.Schemas.ClusterNode

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
      /// 401: The credential is missing, unknown or over. Codes: UNAUTHENTICATED, TOKEN_EXPIRED,
      /// TOKEN_REVOKED, REFRESH_REUSED, PASSKEY_REJECTED.
      case unauthenticated(Components.Responses.Unauthenticated)
      /// 403: The caller may not do this. Codes: FORBIDDEN, SCOPE_MISSING, HUMAN_REQUIRED, CONFIRM_REJECTED,
      /// OPERATOR_SIGNATURE_REJECTED, NOT_OPERATOR, SIGNUP_CLOSED, INVITE_REQUIRED, SUSPENDED,
      /// QUOTA_EXCEEDED.
      case forbidden(Components.Responses.Forbidden)
      /// 404: There is no such thing. Codes: NOT_FOUND, METHOD_NOT_FOUND.
      case notFound(Components.Responses.NotFound)
      /// 409: The state of things does not allow this. Codes: CONFLICT, NAME_TAKEN, ALREADY_EXISTS,
      /// LAST_OWNER, LAST_PASSKEY, VERSION_CONFLICT, VIEW_WROTE, IDEMPOTENCY_KEY_REUSED,
      /// IDEMPOTENCY_IN_PROGRESS, APP_NOT_READY, DECISION_CLOSED, UPLOAD_INCOMPLETE.
      case conflict(Components.Responses.Conflict)
      /// 428: An operator has to sign for this request. Codes: OPERATOR_SIGNATURE_REQUIRED.
      case operatorSignatureRequired(Components.Responses.OperatorSignatureRequired)
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
  /// Drain a node or put it back.
  public static let opsNodeUpdate = APIOperation(
    id: "ops_node_update",
    group: "ops",
    name: "nodeUpdate",
    httpMethod: .patch,
    pathTemplate: "/ops/nodes/{node}",
    retrySafety: .always,
    needsOperatorSignature: true,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["ops:write"],
    tier: 1,
    errorCodes: [
      "CONFLICT", "NOT_FOUND", "NOT_OPERATOR", "OPERATOR_SIGNATURE_REJECTED", "OPERATOR_SIGNATURE_REQUIRED",
    ]
  )
}

extension Operations.OpsNodeUpdate.Input: OperationInput {
  package static var operation: APIOperation { .opsNodeUpdate }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("node", path.node)]
    var request = try APIRequest(.opsNodeUpdate, path: segments, accept: "application/json")
    try request.setHeader("x-calimero-operator-signature", headers.operatorSignature)
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.OpsNodeUpdate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.ClusterNode = try response.json(of: .opsNodeUpdate)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
    case (409, let refusal?):
      self = .conflict(.init(headers: response.headers, body: .json(refusal)))
    case (428, let refusal?):
      self = .operatorSignatureRequired(.init(headers: response.headers, body: .json(refusal)))
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
