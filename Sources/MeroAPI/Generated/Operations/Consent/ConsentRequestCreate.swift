// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Operations {
  /// Ask for consent.
  ///
  /// Begins a sign-in through the consent page: the app opens the page in the system browser, the person
  /// signs in there with a passkey, and the page sends a code back.
  ///
  /// `POST /consent/requests`
  public enum ConsentRequestCreate {
    /// What it takes.
    public struct Input: Sendable {
      /// The body.
      public enum Body: Sendable {
        /// What is asked.
        public struct JsonPayload: Codable, Sendable, Hashable {
          /// The package that asks.
          public var package: String
          /// What it asks for.
          public var scopes: [String]
          /// Apps it asks for.
          public var apps: [String]?
          /// Where the answer goes; one the deployment lists.
          public var redirectUri: String
          /// At least 22 random characters, given back unchanged.
          ///
          /// At most 128 characters.
          public var state: String
          /// base64url of SHA-256 of the code verifier.
          ///
          /// At most 43 characters.
          public var codeChallenge: String
          /// A name for this device.
          ///
          /// At most 80 characters.
          public var label: String?

          /// Creates it from its fields; what is left out is not sent.
          public init(
            package: String,
            scopes: [String],
            apps: [String]? = nil,
            redirectUri: String,
            state: String,
            codeChallenge: String,
            label: String? = nil
          ) {
            self.package = package
            self.scopes = scopes
            self.apps = apps
            self.redirectUri = redirectUri
            self.state = state
            self.codeChallenge = codeChallenge
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
          public typealias JsonPayload = Components.Schemas.ConsentCreated

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
  /// Ask for consent.
  public static let consentRequestCreate = APIOperation(
    id: "consent_request_create",
    group: "consent",
    name: "requestCreate",
    httpMethod: .post,
    pathTemplate: "/consent/requests",
    retrySafety: .never,
    tier: 1,
    errorCodes: ["INVALID_ARGUMENT", "NOT_FOUND", "RATE_LIMITED"]
  )
}

extension Operations.ConsentRequestCreate.Input: OperationInput {
  package static var operation: APIOperation { .consentRequestCreate }

  package func request() throws(APIFailure) -> APIRequest {
    var request = APIRequest(.consentRequestCreate, accept: "application/json")
    switch body {
    case .json(let payload):
      try request.setBody(json: payload)
    }
    return request
  }
}

extension Operations.ConsentRequestCreate.Output: OperationOutput {
  package init(response: APIResponse) throws(APIFailure) {
    let refusal: Components.Schemas.ErrorBody? = response.refusal()
    switch (response.status, refusal) {
    case (201, _):
      let payload: Components.Schemas.ConsentCreated = try response.json(of: .consentRequestCreate)
      self = .created(.init(headers: response.headers, body: .json(payload)))
    case (400, let refusal?):
      self = .badRequest(.init(headers: response.headers, body: .json(refusal)))
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
