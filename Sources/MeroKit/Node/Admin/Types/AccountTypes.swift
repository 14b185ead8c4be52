/// Who a node is.
public struct NodeIdentity: Codable, Sendable, Hashable {
  /// Its account, 64 hex; it addresses the member.
  public var accountId: String
  /// Its device, 64 hex.
  public var deviceId: String?
  /// Its signing key, 64 hex; it addresses nobody.
  public var publicKey: String
  /// Root key of the account, 64 hex.
  public var accountRootPublicKey: String?
  /// The key others seal to, 64 hex.
  public var deviceAgreementKey: String?
  /// Whether it can sign with the root.
  public var holdsAccountRoot: Bool
  /// Whether the root has certified the device.
  public var deviceCertified: Bool
  /// The account's own namespace, 64 hex.
  public var accountNamespaceId: String?
  /// The account the device was withdrawn from.
  public var revokedFrom: RevokedDevice?

  /// Creates one from its fields.
  public init(
    accountId: String, deviceId: String? = nil, publicKey: String, accountRootPublicKey: String? = nil,
    deviceAgreementKey: String? = nil, holdsAccountRoot: Bool = false, deviceCertified: Bool = false,
    accountNamespaceId: String? = nil, revokedFrom: RevokedDevice? = nil
  ) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.publicKey = publicKey
    self.accountRootPublicKey = accountRootPublicKey
    self.deviceAgreementKey = deviceAgreementKey
    self.holdsAccountRoot = holdsAccountRoot
    self.deviceCertified = deviceCertified
    self.accountNamespaceId = accountNamespaceId
    self.revokedFrom = revokedFrom
  }

  /// Reads the answer; members that some nodes leave out have a default.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    accountId = try members.value(.accountId)
    deviceId = try members.optional(.deviceId)
    publicKey = try members.value(.publicKey)
    accountRootPublicKey = try members.optional(.accountRootPublicKey)
    deviceAgreementKey = try members.optional(.deviceAgreementKey)
    holdsAccountRoot = try members.value(.holdsAccountRoot, or: false)
    deviceCertified = try members.value(.deviceCertified, or: false)
    accountNamespaceId = try members.optional(.accountNamespaceId)
    revokedFrom = try members.optional(.revokedFrom)
  }
}

/// A device that was withdrawn from an account.
public struct RevokedDevice: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String

  /// Creates one from its fields.
  public init(accountId: String, deviceId: String) {
    self.accountId = accountId
    self.deviceId = deviceId
  }
}

/// Who a node is in a namespace; the same in all of them.
public struct NamespaceIdentity: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// Signing key, 64 hex.
  public var publicKey: String
  /// 64 hex.
  public var account: String

  /// Creates one from its fields.
  public init(namespaceId: String, publicKey: String, account: String) {
    self.namespaceId = namespaceId
    self.publicKey = publicKey
    self.account = account
  }
}

/// An application of the node's account, and where it is used.
public struct AccountApplicationEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var applicationId: String
  /// 64 hex each.
  public var namespaces: [String]

  /// Creates one from its fields.
  public init(applicationId: String, namespaces: [String]) {
    self.applicationId = applicationId
    self.namespaces = namespaces
  }
}

/// The applications of the node's account that have a namespace.
public struct AccountApplicationsResponse: Codable, Sendable, Hashable {
  /// One entry each.
  public var applications: [AccountApplicationEntry]

  /// Creates one from its fields.
  public init(applications: [AccountApplicationEntry]) {
    self.applications = applications
  }
}

/// Something for the node's account root to sign for an outside service.
public struct AccountSignWithRootRequest: Codable, Sendable, Hashable {
  /// `mdma.account-link`, `mdma.account-login` or `mdma.account-recovery`.
  public var domain: String
  /// Hex, at most 4096 bytes.
  public var payload: String

  /// Creates the request.
  public init(domain: String, payload: String) {
    self.domain = domain
    self.payload = payload
  }
}

/// The root's signature.
public struct AccountSignWithRootResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var rootPublicKey: String
  /// Base64.
  public var signature: String
  /// 64 hex.
  public var accountId: String

  /// Creates one from its fields.
  public init(rootPublicKey: String, signature: String, accountId: String) {
    self.rootPublicKey = rootPublicKey
    self.signature = signature
    self.accountId = accountId
  }
}

/// A small secret for a member's account.
public struct SealToAccountRequest: Codable, Sendable, Hashable {
  /// Hex, at most 65,536 bytes.
  public var plaintext: String

  /// Creates the request.
  public init(plaintext: String) {
    self.plaintext = plaintext
  }
}

/// A secret that only the account's root can open. It does not say who sent it.
public struct SealedEnvelope: Codable, Sendable, Hashable {
  /// Which root key it is for.
  public var accountRootEpoch: UInt32
  /// 64 hex.
  public var ephemeralPublicKey: String
  /// Hex, 12 bytes.
  public var nonce: String
  /// Hex, AES-256-GCM with the tag at the end.
  public var ciphertext: String

  /// Creates one from its fields.
  public init(accountRootEpoch: UInt32, ephemeralPublicKey: String, nonce: String, ciphertext: String) {
    self.accountRootEpoch = accountRootEpoch
    self.ephemeralPublicKey = ephemeralPublicKey
    self.nonce = nonce
    self.ciphertext = ciphertext
  }
}
