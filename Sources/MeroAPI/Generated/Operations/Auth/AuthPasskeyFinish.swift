// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Finish adding a passkey.
  ///
  /// Adds the passkey.
  ///
  /// `POST /auth/passkeys/finish`
  ///
  /// It takes no API key.
  public enum AuthPasskeyFinish {
    /// What it takes.
    public struct Input: Sendable {
      /// The body.
      public enum Body: Sendable {
        /// The authenticator's answer.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The ceremony.
          public var ceremonyId: String
          /// A new passkey, as WebAuthn serialises it.
          public var credential: Components.Schemas.RegistrationCredential
          /// A name for it.
          ///
          /// At most 80 characters.
          public var label: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            ceremonyId: String,
            credential: Components.Schemas.RegistrationCredential,
            label: String? = nil
          ) {
            self.ceremonyId = ceremonyId
            self.credential = credential
            self.label = label
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
      public struct Created: Sendable {
        /// The body.
        public enum Body: Sendable {
          /// The type of the body.
          public typealias JsonPayload = Components.Schemas.Passkey

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
      /// 410: It was there once. Codes: CEREMONY_EXPIRED, INVITE_EXPIRED, CURSOR_EXPIRED, CONSENT_EXPIRED.
      case gone(Components.Responses.Gone)
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
  /// Finish adding a passkey.
  public static let authPasskeyFinish = APIOperation(
    id: "auth_passkey_finish",
    group: "auth",
    name: "passkeyFinish",
    httpMethod: .post,
    pathTemplate: "/auth/passkeys/finish",
    retrySafety: .always,
    acceptsSession: true,
    tier: 1,
    errorCodes: ["CEREMONY_EXPIRED", "PASSKEY_REJECTED"]
  )
}

extension Operations.AuthPasskeyFinish.Input: OperationInput {
  package static var operation: APIOperation { .authPasskeyFinish }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.authPasskeyFinish, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.AuthPasskeyFinish.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.Passkey = try response.json(of: .authPasskeyFinish)
      self = .created(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
    case (401, let refusal?):
      self = .unauthenticated(.init(headers: response.headers, body: .json(refusal)))
    case (403, let refusal?):
      self = .forbidden(.init(headers: response.headers, body: .json(refusal)))
    case (410, let refusal?):
      self = .gone(.init(headers: response.headers, body: .json(refusal)))
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
