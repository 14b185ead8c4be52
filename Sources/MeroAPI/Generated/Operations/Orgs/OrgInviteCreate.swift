// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Invite to an organization.
  ///
  /// Makes an invitation. Whoever holds its code can accept it, so the code is shown once and only its hash
  /// is kept.
  ///
  /// `POST /orgs/{org}/invites`
  ///
  /// It needs a passkey for this very request.
  ///
  /// It takes no API key.
  public enum OrgInviteCreate {
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

      /// The headers it knows.
      public struct Headers: Sendable {
        /// The answer to a 412: v1, a dot, the confirmId, a dot, and the AssertionCredential as base64url of
        /// its JSON.
        ///
        /// At most 8192 characters.
        public var confirm: String?

        /// Creates them; what is left out is not sent.
        public init(confirm: String? = nil) {
          self.confirm = confirm
        }
      }

      /// The body.
      public enum Body: Sendable {
        /// The invitation.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// A role in an organization, strongest first.
          public var role: Components.Schemas.OrgRole
          /// Teams to add the account to as well.
          public var teams: [String]?
          /// A note, such as who it is for.
          ///
          /// At most 80 characters.
          public var label: String?
          /// How often it can be accepted.
          ///
          /// From 1 to 1000. Left out it is `1`.
          public var maxUses: Int32?
          /// How long it lives; at most 30 days.
          ///
          /// From 60000 to 2592000000. Left out it is `604800000`.
          public var expiresInMs: Int64?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            role: Components.Schemas.OrgRole,
            teams: [String]? = nil,
            label: String? = nil,
            maxUses: Int32? = nil,
            expiresInMs: Int64? = nil
          ) {
            self.role = role
            self.teams = teams
            self.label = label
            self.maxUses = maxUses
            self.expiresInMs = expiresInMs
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
      public struct Created: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.OrgInviteCreated

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

      /// 201: The operation succeeded.
      case created(Created)
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
      /// 412: A passkey has to confirm this request. Codes: CONFIRM_REQUIRED.
      case confirmRequired(Components.Responses.ConfirmRequired)
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
  /// Invite to an organization.
  public static let orgInviteCreate = APIOperation(
    id: "org_invite_create",
    group: "orgs",
    name: "inviteCreate",
    httpMethod: .post,
    pathTemplate: "/orgs/{org}/invites",
    retrySafety: .never,
    stepUp: .always,
    acceptsSession: true,
    tier: 1,
    errorCodes: [
      "CONFIRM_REJECTED", "CONFIRM_REQUIRED", "HUMAN_REQUIRED", "INVALID_ARGUMENT", "NOT_FOUND",
      "QUOTA_EXCEEDED",
    ]
  )
}

extension Operations.OrgInviteCreate.Input: OperationInput {
  package static var operation: APIOperation { .orgInviteCreate }

  package func request() throws(APIFailure) -> APIRequest {
    let segments: [(String, String)] = [("org", path.org)]
    var request = try APIRequest(.orgInviteCreate, path: segments, accept: "application/json")
    try request.setHeader("x-calimero-confirm", headers.confirm)
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.OrgInviteCreate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.OrgInviteCreated = try response.json(of: .orgInviteCreate)
      self = .created(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (404, let refusal?):
      self = .notFound(.init(headers: response.headers, body: .json(refusal)))
    case (412, let refusal?):
      self = .confirmRequired(.init(headers: response.headers, body: .json(refusal)))
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
