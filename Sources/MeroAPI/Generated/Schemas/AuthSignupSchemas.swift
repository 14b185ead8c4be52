// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// The relying party a passkey belongs to.
  public struct PasskeyRp: Codable, Sendable, Hashable {
    /// The relying party id, a domain.
    public var id: String
    /// Its name, shown by the authenticator.
    public var name: String

    /// Creates one from its fields.
    public init(id: String, name: String) {
      self.id = id
      self.name = name
    }
  }

  /// The account a new passkey is made for.
  public struct PasskeyUser: Codable, Sendable, Hashable {
    /// The user handle, base64url without padding, 16 to 64 bytes. It is random and says nothing about the
    /// person.
    public var id: String
    /// The account name.
    public var name: String
    /// The name shown by the authenticator.
    public var displayName: String

    /// Creates one from its fields.
    public init(id: String, name: String, displayName: String) {
      self.id = id
      self.name = name
      self.displayName = displayName
    }
  }

  /// One signature algorithm the cluster accepts.
  public struct PasskeyParam: Codable, Sendable, Hashable {
    /// Always public-key.
    ///
    /// One of `public-key`.
    public var type: String
    /// A COSE algorithm number: -7 for ES256, -8 for EdDSA over Ed25519.
    public var alg: Int32

    /// Creates one from its fields.
    public init(type: String, alg: Int32) {
      self.type = type
      self.alg = alg
    }
  }

  /// What kind of authenticator to use.
  public struct AuthenticatorSelection: Codable, Sendable, Hashable {
    /// required, so that sign-in needs no account name.
    ///
    /// One of `required`, `preferred`, `discouraged`.
    public var residentKey: String
    /// True when residentKey is required.
    public var requireResidentKey: Bool?
    /// Always required.
    ///
    /// One of `required`, `preferred`, `discouraged`.
    public var userVerification: String

    /// Creates one from its fields.
    public init(residentKey: String, requireResidentKey: Bool? = nil, userVerification: String) {
      self.residentKey = residentKey
      self.requireResidentKey = requireResidentKey
      self.userVerification = userVerification
    }
  }

  /// WebAuthn creation options in their JSON form.
  public struct PasskeyCreationOptions: Codable, Sendable, Hashable {
    /// The relying party a passkey belongs to.
    public var rp: PasskeyRp
    /// The account a new passkey is made for.
    public var user: PasskeyUser
    /// 32 random bytes, base64url without padding.
    public var challenge: String
    /// Algorithms accepted, best first.
    public var pubKeyCredParams: [PasskeyParam]
    /// Milliseconds the person has.
    ///
    /// Left out it is `300000`.
    public var timeout: Int64?
    /// Credentials the account holds already.
    public var excludeCredentials: [CredentialDescriptor]?
    /// What kind of authenticator to use.
    public var authenticatorSelection: AuthenticatorSelection
    /// Always none: the cluster does not ask who made the authenticator.
    ///
    /// One of `none`.
    public var attestation: String

    /// Creates one from its fields.
    public init(
      rp: PasskeyRp,
      user: PasskeyUser,
      challenge: String,
      pubKeyCredParams: [PasskeyParam],
      timeout: Int64? = nil,
      excludeCredentials: [CredentialDescriptor]? = nil,
      authenticatorSelection: AuthenticatorSelection,
      attestation: String
    ) {
      self.rp = rp
      self.user = user
      self.challenge = challenge
      self.pubKeyCredParams = pubKeyCredParams
      self.timeout = timeout
      self.excludeCredentials = excludeCredentials
      self.authenticatorSelection = authenticatorSelection
      self.attestation = attestation
    }
  }

  /// An authenticator's answer to a creation.
  public struct AttestationResponse: Codable, Sendable, Hashable {
    /// base64url without padding.
    public var clientDataJSON: String
    /// base64url without padding.
    public var attestationObject: String
    /// How this authenticator can be reached later.
    public var transports: [String]?

    /// Creates one from its fields.
    public init(clientDataJSON: String, attestationObject: String, transports: [String]? = nil) {
      self.clientDataJSON = clientDataJSON
      self.attestationObject = attestationObject
      self.transports = transports
    }
  }

  /// A new passkey, as WebAuthn serialises it.
  public struct RegistrationCredential: Codable, Sendable, Hashable {
    /// The credential id, base64url without padding.
    public var id: String
    /// The same as id.
    public var rawId: String
    /// Always public-key.
    ///
    /// One of `public-key`.
    public var type: String
    /// An authenticator's answer to a creation.
    public var response: AttestationResponse
    /// platform or cross-platform.
    public var authenticatorAttachment: String?
    /// Extension results; an empty object when there are none.
    public var clientExtensionResults: JSONValue?

    /// Creates one from its fields.
    public init(
      id: String,
      rawId: String,
      type: String,
      response: AttestationResponse,
      authenticatorAttachment: String? = nil,
      clientExtensionResults: JSONValue? = nil
    ) {
      self.id = id
      self.rawId = rawId
      self.type = type
      self.response = response
      self.authenticatorAttachment = authenticatorAttachment
      self.clientExtensionResults = clientExtensionResults
    }
  }

  /// An open registration ceremony.
  public struct CreationCeremony: Codable, Sendable, Hashable {
    /// Names the ceremony when it is finished.
    public var ceremonyId: String
    /// Unix milliseconds after which it cannot be finished.
    public var expiresAt: Int64
    /// WebAuthn creation options in their JSON form.
    public var options: PasskeyCreationOptions

    /// Creates one from its fields.
    public init(ceremonyId: String, expiresAt: Int64, options: PasskeyCreationOptions) {
      self.ceremonyId = ceremonyId
      self.expiresAt = expiresAt
      self.options = options
    }
  }

  /// How a session came to be.
  ///
  /// An open set: a word added later is kept and sent back as it came.
  public struct SessionKind: RawRepresentable, Codable, Sendable, Hashable {
    /// The word as it is on the wire.
    public let rawValue: String

    /// Takes any word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A sign-up or sign-in with a passkey.
    public static let passkey = SessionKind(rawValue: "passkey")
    /// A code from the consent page.
    public static let consent = SessionKind(rawValue: "consent")

    /// The words known when this was written, in the document's order.
    public static let known: [SessionKind] = [.passkey, .consent]
  }

  /// A signed-in session: two tokens and whose they are.
  public struct Session: Codable, Sendable, Hashable, SecretBearing {
    /// The session's id.
    public var sessionId: String
    /// The account's id.
    public var accountId: String
    /// The account's name.
    public var name: String
    /// How a session came to be.
    public var kind: SessionKind
    /// Sent as a bearer token. Opaque; begins with cms_.
    public var accessToken: String
    /// Unix milliseconds.
    public var accessExpiresAt: Int64
    /// The same, as a span from the answer, for a client whose clock is wrong.
    public var accessExpiresInMs: Int64
    /// Good for one refresh. Opaque; begins with cmr_.
    public var refreshToken: String
    /// Unix milliseconds.
    public var refreshExpiresAt: Int64
    /// Scopes of a consented session; a passkey session holds the single scope all.
    public var scopes: [String]
    /// The cluster that issued it, 32 bytes in lower-case hex.
    public var clusterId: String

    /// Creates one from its fields.
    public init(
      sessionId: String,
      accountId: String,
      name: String,
      kind: SessionKind,
      accessToken: String,
      accessExpiresAt: Int64,
      accessExpiresInMs: Int64,
      refreshToken: String,
      refreshExpiresAt: Int64,
      scopes: [String],
      clusterId: String
    ) {
      self.sessionId = sessionId
      self.accountId = accountId
      self.name = name
      self.kind = kind
      self.accessToken = accessToken
      self.accessExpiresAt = accessExpiresAt
      self.accessExpiresInMs = accessExpiresInMs
      self.refreshToken = refreshToken
      self.refreshExpiresAt = refreshExpiresAt
      self.scopes = scopes
      self.clusterId = clusterId
    }

    var shown: [(label: String?, value: Any)] {
      [
        ("sessionId", sessionId as Any),
        ("accountId", accountId as Any),
        ("name", name as Any),
        ("kind", kind as Any),
        ("accessExpiresAt", accessExpiresAt as Any),
        ("accessExpiresInMs", accessExpiresInMs as Any),
        ("refreshExpiresAt", refreshExpiresAt as Any),
        ("scopes", scopes as Any),
        ("clusterId", clusterId as Any),
      ]
    }
  }
}
