// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Put an account in a team.
  ///
  /// Adds a member of the organization to the team, or changes whether it leads.
  ///
  /// `PUT /orgs/{org}/teams/{team}/members/{account}`
  ///
  /// An API key needs `orgs:manage`.
  public enum OrgTeamMemberSet {
    /// What it takes.
    public struct Input: Sendable {
      /// The parameters in the path.
      public struct Path: Sendable {
        /// The organization's id.
        public var org: String
        /// The team's id.
        public var team: String
        /// The account's id.
        public var account: String

        /// Creates them; what is left out is not sent.
        public init(org: String, team: String, account: String) {
          self.org = org
          self.team = team
          self.account = account
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// How.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// Whether it leads the team.
          ///
          /// Left out it is `false`.
          public var lead: Bool?

          /// Creates it from its fields; what is left out is not sent.
          public init(lead: Bool? = nil) {
            self.lead = lead
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
      public init(path: Path, body: Body = .json(.init())) {
        self.path = path
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
          public typealias JsonPayload = Components.Schemas.TeamMember

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
  /// Put an account in a team.
  public static let orgTeamMemberSet = APIOperation(
    id: "org_team_member_set",
    group: "orgs",
    name: "teamMemberSet",
    httpMethod: .put,
    pathTemplate: "/orgs/{org}/teams/{team}/members/{account}",
    retrySafety: .always,
    acceptsSession: true,
    acceptsApiKey: true,
    scopes: ["orgs:manage"],
    tier: 1,
    errorCodes: ["NOT_FOUND"]
  )
}

extension Operations.OrgTeamMemberSet.Input: OperationInput {
  package static var operation: APIOperation { .orgTeamMemberSet }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("org", path.org), ("team", path.team), ("account", path.account)]
    var request = try APIRequest(.orgTeamMemberSet, path: segments, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.OrgTeamMemberSet.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (200, _):
      let payload: Components.Schemas.TeamMember = try response.json(of: .orgTeamMemberSet)
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
