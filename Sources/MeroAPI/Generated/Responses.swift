// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroHTTP

extension Components.Responses {
  /// The request is malformed. Codes: BAD_REQUEST, INVALID_ARGUMENT, INVALID_CURSOR.
  public struct BadRequest: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The credential is missing, unknown or over. Codes: UNAUTHENTICATED, TOKEN_EXPIRED, TOKEN_REVOKED,
  /// REFRESH_REUSED, PASSKEY_REJECTED.
  public struct Unauthenticated: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The caller may not do this. Codes: FORBIDDEN, SCOPE_MISSING, HUMAN_REQUIRED, CONFIRM_REJECTED,
  /// OPERATOR_SIGNATURE_REJECTED, NOT_OPERATOR, SIGNUP_CLOSED, INVITE_REQUIRED, SUSPENDED, QUOTA_EXCEEDED.
  public struct Forbidden: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// There is no such thing. Codes: NOT_FOUND, METHOD_NOT_FOUND.
  public struct NotFound: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The state of things does not allow this. Codes: CONFLICT, NAME_TAKEN, ALREADY_EXISTS, LAST_OWNER,
  /// LAST_PASSKEY, VERSION_CONFLICT, VIEW_WROTE, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS,
  /// APP_NOT_READY, DECISION_CLOSED, UPLOAD_INCOMPLETE.
  public struct Conflict: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// It was there once. Codes: CEREMONY_EXPIRED, INVITE_EXPIRED, CURSOR_EXPIRED, CONSENT_EXPIRED.
  public struct Gone: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// A passkey has to confirm this request. Codes: CONFIRM_REQUIRED.
  ///
  /// `error.details` is a ``Components/Schemas/ConfirmChallenge``.
  public struct ConfirmRequired: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The body is too large. Codes: PAYLOAD_TOO_LARGE.
  public struct PayloadTooLarge: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The app's code, or the bytes sent, did not hold. Codes: METHOD_FAILED, METHOD_TRAPPED, ARGS_INVALID,
  /// HASH_MISMATCH, PACKAGE_INVALID.
  public struct MethodFailed: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// An operator has to sign for this request. Codes: OPERATOR_SIGNATURE_REQUIRED.
  ///
  /// `error.details` is a ``Components/Schemas/OperatorChallenge``.
  public struct OperatorSignatureRequired: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// Too many requests. Codes: RATE_LIMITED.
  public struct RateLimited: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The node failed. Codes: INTERNAL.
  public struct Internal: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The node did not run the request; another may. Codes: UNAVAILABLE, DRAINING, OVERLOADED, NOT_LEADER,
  /// BEHIND, SYNCING.
  public struct Unavailable: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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

  /// The node gave up waiting; the outcome is unknown. Codes: TIMEOUT.
  public struct TimedOut: Sendable {
    /// The body.
    public enum Body: Sendable {
      /// The type of the body.
      public typealias JsonPayload = Components.Schemas.ErrorBody

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
}
