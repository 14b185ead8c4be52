// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// List teams.
  ///
  /// The organization's teams.
  ///
  /// `GET /orgs/{org}/teams`
  ///
  /// An API key needs `orgs:read`.
  public enum OrgTeamList {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The organization's id.
        public var org: String

        /// Creates them; what is left out is not sent.
        public init(org: String) {
          self.org = org
        }
      }

      /// The parameters in the query.
      public struct Query: Sendable {
        /// Where to go on: the nextCursor of the page before.
        ///
        /// At most 256 characters.
        public var cursor: String?
        /// How many at most.
        ///
        /// From 1 to 200. Left out it is `50`.
        public var limit: Int32?

        /// Creates them; what is left out is not sent.
        public init(cursor: String? = nil, limit: Int32? = nil) {
          self.cursor = cursor
          self.limit = limit
        }
      }

      /// The parameters in the path.
      public var path: Path
      /// The parameters in the query.
      public var query: Query

      /// Creates an input.
      public init(path: Path, query: Query = .init()) {
        self.path = path
        self.query = query
      }
    }

    /// What it answers.
    public enum Output: Sendable {
      /// The operation succeeded.
      public struct Ok: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.TeamList

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
  /// List teams.
  public static let orgTeamList = APIOperation(
    id: "org_team_list",
    group: "orgs",
    name: "teamList",
    httpMethod: .get,
    pathTemplate: "/orgs/{org}/teams",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["orgs:read"],
    tier: 1,
    errorCodes: ["INVALID_CURSOR", "NOT_FOUND"]
  )
}

extension Operations.OrgTeamList.Input: OperationInput {
  package static var operation: APIOperation { .orgTeamList }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("org", path.org)]
    let items: [(String, String?)] = [("cursor", query.cursor), ("limit", query.limit?.description)]
    return try APIRequest(.orgTeamList, path: segments, query: items, accept: "application/json")
  }
}

extension Operations.OrgTeamList.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.TeamList = try response.json(of: .orgTeamList)
      self = .ok(.init(headers: response.headers, body: .json(payload)))
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
