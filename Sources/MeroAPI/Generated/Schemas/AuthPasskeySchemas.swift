// Generated from openapi/openapi.json by scripts/generate-openapi.sh; not edited by hand.

extension Components.Schemas {
  /// A passkey the account holds.
  public struct Passkey: Codable, Sendable, Hashable {
    /// The passkey's id.
    public var passkeyId: String
    /// The credential id, base64url without padding.
    public var credentialId: String
    /// The person's name for it.
    public var label: String?
    /// Its COSE algorithm number.
    public var algorithm: Int32?
    /// Whether the authenticator says it is synced.
    public var backedUp: Bool?
    /// Unix milliseconds.
    public var createdAt: Int64
    /// Unix milliseconds.
    public var lastUsedAt: Int64?

    /// Creates one from its fields.
    public init(
      passkeyId: String,
      credentialId: String,
      label: String? = nil,
      algorithm: Int32? = nil,
      backedUp: Bool? = nil,
      createdAt: Int64,
      lastUsedAt: Int64? = nil
    ) {
      self.passkeyId = passkeyId
      self.credentialId = credentialId
      self.label = label
      self.algorithm = algorithm
      self.backedUp = backedUp
      self.createdAt = createdAt
      self.lastUsedAt = lastUsedAt
    }
  }

  /// The account's passkeys.
  public struct PasskeyList: Codable, Sendable, Hashable {
    /// Oldest first.
    public var passkeys: [Passkey]

    /// Creates one from its fields.
    public init(passkeys: [Passkey]) {
      self.passkeys = passkeys
    }
  }
}
