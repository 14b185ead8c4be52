// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// Any JSON value. Numbers keep every digit they were sent with: a reader must not pass them through a
  /// 64-bit float.
  public typealias AnyValue = JSONValue

  /// What went wrong, in a form a program can act on.
  public struct ErrorInfo: Codable, Sendable, Hashable {
    /// One of the codes in x-calimero-error-codes. A client keeps an unknown code as text rather than failing
    /// on it.
    public var code: String
    /// A sentence for a developer. Not stable, not for end users.
    public var message: String
    /// The request's id, as sent in x-calimero-request-id or made by the node.
    public var requestId: String?
    /// How long to wait before trying again, when waiting helps.
    public var retryAfterMs: Int64?
    /// Facts about this error; its shape depends on the code.
    public var details: JSONValue?

    /// Creates one from its fields.
    public init(
      code: String,
      message: String,
      requestId: String? = nil,
      retryAfterMs: Int64? = nil,
      details: JSONValue? = nil
    ) {
      self.code = code
      self.message = message
      self.requestId = requestId
      self.retryAfterMs = retryAfterMs
      self.details = details
    }
  }

  /// The body of every answer outside 2xx.
  public struct ErrorBody: Codable, Sendable, Hashable {
    /// What went wrong, in a form a program can act on.
    public var error: ErrorInfo

    /// Creates one from its fields.
    public init(error: ErrorInfo) {
      self.error = error
    }
  }

  /// A credential, named.
  public struct CredentialDescriptor: Codable, Sendable, Hashable {
    /// Always public-key.
    ///
    /// One of `public-key`.
    public var type: String
    /// The credential id, base64url without padding.
    public var id: String
    /// How the authenticator can be reached: internal, hybrid, usb, nfc, ble.
    public var transports: [String]?

    /// Creates one from its fields.
    public init(type: String, id: String, transports: [String]? = nil) {
      self.type = type
      self.id = id
      self.transports = transports
    }
  }

  /// WebAuthn request options in their JSON form.
  public struct PasskeyRequestOptions: Codable, Sendable, Hashable {
    /// 32 bytes, base64url without padding. Random for a sign-in; computed from the request for a
    /// confirmation.
    public var challenge: String
    /// The relying party id.
    public var rpId: String
    /// Milliseconds the person has.
    ///
    /// Left out it is `300000`.
    public var timeout: Int64?
    /// Credentials that may answer; empty means any the authenticator can discover.
    public var allowCredentials: [CredentialDescriptor]?
    /// required for every ceremony of this API.
    ///
    /// One of `required`, `preferred`, `discouraged`.
    public var userVerification: String

    /// Creates one from its fields.
    public init(
      challenge: String,
      rpId: String,
      timeout: Int64? = nil,
      allowCredentials: [CredentialDescriptor]? = nil,
      userVerification: String
    ) {
      self.challenge = challenge
      self.rpId = rpId
      self.timeout = timeout
      self.allowCredentials = allowCredentials
      self.userVerification = userVerification
    }
  }

  /// What error.details holds when a request needs a passkey confirmation.
  public struct ConfirmChallenge: Codable, Sendable, Hashable {
    /// Names the confirmation; any node of the cluster accepts it. At most 512 characters.
    public var confirmId: String
    /// The operationId that is to be confirmed.
    public var action: String
    /// Unix milliseconds; part of the challenge.
    public var expiresAt: Int64
    /// 32 random bytes, lower-case hex; part of the challenge.
    public var nonce: String
    /// WebAuthn request options in their JSON form.
    public var options: PasskeyRequestOptions
    /// Why an earlier confirmation was not enough: expired.
    public var reason: String?

    /// Creates one from its fields.
    public init(
      confirmId: String,
      action: String,
      expiresAt: Int64,
      nonce: String,
      options: PasskeyRequestOptions,
      reason: String? = nil
    ) {
      self.confirmId = confirmId
      self.action = action
      self.expiresAt = expiresAt
      self.nonce = nonce
      self.options = options
      self.reason = reason
    }
  }

  /// What error.details holds when a request needs an operator's signature.
  public struct OperatorChallenge: Codable, Sendable, Hashable {
    /// Names the signing request; any node of the cluster accepts it. At most 512 characters.
    public var signingId: String
    /// The operationId that is to be signed for.
    public var action: String
    /// Unix milliseconds; part of the statement.
    public var issuedAt: Int64
    /// Unix milliseconds; part of the statement.
    public var expiresAt: Int64
    /// 32 random bytes, lower-case hex; part of the statement.
    public var nonce: String
    /// One line a person can check, such as: approve deployer acme.
    public var summary: String
    /// Why an earlier signature was not enough: expired.
    public var reason: String?

    /// Creates one from its fields.
    public init(
      signingId: String,
      action: String,
      issuedAt: Int64,
      expiresAt: Int64,
      nonce: String,
      summary: String,
      reason: String? = nil
    ) {
      self.signingId = signingId
      self.action = action
      self.issuedAt = issuedAt
      self.expiresAt = expiresAt
      self.nonce = nonce
      self.summary = summary
      self.reason = reason
    }
  }

  /// Server-sent events. Each has id (the cursor), event (the kind) and data (an AppEvent in JSON). A comment
  /// line is sent every 15 seconds.
  public typealias EventStream = String
}
