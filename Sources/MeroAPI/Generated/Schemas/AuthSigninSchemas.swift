// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

import MeroWire

extension Components.Schemas {
  /// An authenticator's answer to a request.
  public struct AssertionResponse: Codable, Sendable, Hashable {
    /// base64url without padding.
    public var clientDataJSON: String
    /// base64url without padding.
    public var authenticatorData: String
    /// base64url without padding.
    public var signature: String
    /// The user handle, base64url without padding, when the authenticator returns it.
    public var userHandle: String?

    /// Creates one from its fields.
    public init(
      clientDataJSON: String,
      authenticatorData: String,
      signature: String,
      userHandle: String? = nil
    ) {
      self.clientDataJSON = clientDataJSON
      self.authenticatorData = authenticatorData
      self.signature = signature
      self.userHandle = userHandle
    }
  }

  /// A passkey's signature, as WebAuthn serialises it.
  public struct AssertionCredential: Codable, Sendable, Hashable {
    /// The credential id, base64url without padding.
    public var id: String
    /// The same as id.
    public var rawId: String
    /// Always public-key.
    ///
    /// One of `public-key`.
    public var type: String
    /// An authenticator's answer to a request.
    public var response: AssertionResponse
    /// platform or cross-platform.
    public var authenticatorAttachment: String?
    /// Extension results; an empty object when there are none.
    public var clientExtensionResults: JSONValue?

    /// Creates one from its fields.
    public init(
      id: String,
      rawId: String,
      type: String,
      response: AssertionResponse,
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

  /// An open sign-in ceremony.
  public struct RequestCeremony: Codable, Sendable, Hashable {
    /// Names the ceremony when it is finished.
    public var ceremonyId: String
    /// Unix milliseconds after which it cannot be finished.
    public var expiresAt: Int64
    /// WebAuthn request options in their JSON form.
    public var options: PasskeyRequestOptions

    /// Creates one from its fields.
    public init(ceremonyId: String, expiresAt: Int64, options: PasskeyRequestOptions) {
      self.ceremonyId = ceremonyId
      self.expiresAt = expiresAt
      self.options = options
    }
  }
}
