import MeroWire

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

/// What a node needs to know to ask for a place in an account.
public struct AccountPairInitRequest: Codable, Sendable, Hashable {
  /// Root key of the account, 64 hex.
  public var accountRootPublicKey: String
  /// Namespaces to join, 64 hex each.
  public var namespaces: [String]
  /// The account's own namespace, 64 hex. One of the two has to name something.
  public var accountNamespace: String?

  /// Creates the request.
  public init(accountRootPublicKey: String, namespaces: [String] = [], accountNamespace: String? = nil) {
    self.accountRootPublicKey = accountRootPublicKey
    self.namespaces = namespaces
    self.accountNamespace = accountNamespace
  }
}

/// What the node with the account's root is given to pair a device.
public struct AccountPairInitResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// 64 hex.
  public var kemPublicKey: String
  /// 64 hex.
  public var signPublicKey: String
  /// The device's signature, hex.
  public var statement: String
  /// For a person to compare, `XXXX-XXXX-XXXX-XXXX`.
  public var confirmationCode: String

  /// Creates one from its fields.
  public init(
    accountId: String, deviceId: String, kemPublicKey: String, signPublicKey: String, statement: String,
    confirmationCode: String
  ) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.kemPublicKey = kemPublicKey
    self.signPublicKey = signPublicKey
    self.statement = statement
    self.confirmationCode = confirmationCode
  }
}

/// What the node with the account's root is given to pair a device.
public typealias PairDeviceInitResponseData = AccountPairInitResponseData

/// A device to take into the account.
public struct AccountPairCompleteRequest: Codable, Sendable, Hashable {
  /// 64 hex.
  public var deviceId: String
  /// 64 hex.
  public var kemPublicKey: String
  /// 64 hex.
  public var signPublicKey: String
  /// The device's signature, hex.
  public var statement: String
  /// As the person read it; case and grouping do not matter.
  public var confirmationCode: String
  /// Applications it may act for, 64 hex each; all when empty.
  public var applications: [String]

  /// Creates the request.
  public init(
    deviceId: String, kemPublicKey: String, signPublicKey: String, statement: String,
    confirmationCode: String, applications: [String] = []
  ) {
    self.deviceId = deviceId
    self.kemPublicKey = kemPublicKey
    self.signPublicKey = signPublicKey
    self.statement = statement
    self.confirmationCode = confirmationCode
    self.applications = applications
  }
}

/// The device that was taken in.
public struct AccountPairCompleteResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// False is not a failure: the device fetches the key by sync.
  public var keyDelivered: Bool
  /// The code of the pairing.
  public var confirmationCode: String
  /// The device's certificate, hex.
  public var credential: String

  /// Creates one from its fields.
  public init(
    accountId: String, deviceId: String, keyDelivered: Bool, confirmationCode: String, credential: String
  ) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.keyDelivered = keyDelivered
    self.confirmationCode = confirmationCode
    self.credential = credential
  }
}

/// The device that was taken in.
public typealias PairDeviceCompleteResponseData = AccountPairCompleteResponseData

/// A device of the node's account, as this node sees it.
public struct AccountDeviceEntry: Codable, Sendable, Hashable {
  /// 64 hex.
  public var deviceId: String
  /// 64 hex.
  public var signingKey: String
  /// Whether it is the node itself.
  public var isSelf: Bool
  /// Whether it was withdrawn.
  public var revoked: Bool
  /// Applications it may act for, 64 hex each; all when empty.
  public var applications: [String]
  /// Namespaces that bind it, 64 hex each.
  public var namespaces: [String]
  /// Its name.
  public var label: String?

  /// Creates one from its fields.
  public init(
    deviceId: String, signingKey: String, isSelf: Bool, revoked: Bool, applications: [String],
    namespaces: [String], label: String? = nil
  ) {
    self.deviceId = deviceId
    self.signingKey = signingKey
    self.isSelf = isSelf
    self.revoked = revoked
    self.applications = applications
    self.namespaces = namespaces
    self.label = label
  }
}

/// The devices of the node's account.
public struct AccountDevicesResponse: Codable, Sendable, Hashable {
  /// As this node sees them.
  public var devices: [AccountDeviceEntry]

  /// Creates one from its fields.
  public init(devices: [AccountDeviceEntry]) {
    self.devices = devices
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

/// What a device should be linked to besides.
public struct RelinkDeviceRequest: Codable, Sendable, Hashable {
  /// Applications to add to its scope, 64 hex each; none repairs without widening.
  public var applications: [String]

  /// Creates the request.
  public init(applications: [String] = []) {
    self.applications = applications
  }
}

/// A namespace a device was linked to.
public struct LinkedNamespace: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// False is not a failure: the device fetches the key by sync.
  public var keyDelivered: Bool

  /// Creates one from its fields.
  public init(namespaceId: String, keyDelivered: Bool) {
    self.namespaceId = namespaceId
    self.keyDelivered = keyDelivered
  }
}

/// A namespace that was left out.
public struct SkippedNamespace: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// Why.
  public var reason: DeviceLinkSkipReason

  /// Creates one from its fields.
  public init(namespaceId: String, reason: DeviceLinkSkipReason) {
    self.namespaceId = namespaceId
    self.reason = reason
  }
}

/// What a device was linked to.
public struct RelinkDeviceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// Its scope now; all when empty.
  public var applications: [String]
  /// Where it was linked.
  public var linkedIn: [LinkedNamespace]
  /// Where it was not; a full list is not a failure.
  public var skipped: [SkippedNamespace]

  /// Creates one from its fields.
  public init(
    accountId: String, deviceId: String, applications: [String], linkedIn: [LinkedNamespace],
    skipped: [SkippedNamespace]
  ) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.applications = applications
    self.linkedIn = linkedIn
    self.skipped = skipped
  }
}

/// What a device may act for, replacing what it could.
public struct RescopeDeviceRequest: Codable, Sendable, Hashable {
  /// All applications, or some.
  public var scope: DeviceScope

  /// Creates the request.
  public init(scope: DeviceScope) {
    self.scope = scope
  }
}

/// What a device may act for.
public enum DeviceScope: Codable, Sendable, Hashable {
  /// Every application.
  case all
  /// These applications, 64 hex each; at least one.
  case only([String])

  private enum CodingKeys: String, CodingKey { case only }

  /// Reads the word `all`, or a list.
  public init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      guard word == "all" else {
        throw WireError(format: "json", reason: "a device's scope is \"all\" or a list", path: nil)
      }
      self = .all
    } else {
      self = .only(try decoder.container(keyedBy: CodingKeys.self).value(.only))
    }
  }

  /// Writes the word `all`, or a list.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .all:
      var container = encoder.singleValueContainer()
      try container.encode("all")
    case .only(let applications):
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(applications, forKey: .only)
    }
  }
}

/// A namespace a device, or an account's hold on it, was taken out of.
public struct DescopedNamespace: Codable, Sendable, Hashable {
  /// 64 hex.
  public var namespaceId: String
  /// False: it can still read there until an admin rotates the key.
  public var keyRotated: Bool

  /// Creates one from its fields.
  public init(namespaceId: String, keyRotated: Bool) {
    self.namespaceId = namespaceId
    self.keyRotated = keyRotated
  }
}

/// What a device may act for now.
public struct RescopeDeviceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// Its scope now; all when empty.
  public var applications: [String]
  /// Where it was taken out.
  public var descoped: [DescopedNamespace]
  /// Where it was linked.
  public var linkedIn: [LinkedNamespace]
  /// Where it was not.
  public var skipped: [SkippedNamespace]

  /// Creates one from its fields.
  public init(
    accountId: String, deviceId: String, applications: [String], descoped: [DescopedNamespace],
    linkedIn: [LinkedNamespace], skipped: [SkippedNamespace]
  ) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.applications = applications
    self.descoped = descoped
    self.linkedIn = linkedIn
    self.skipped = skipped
  }
}

/// A device's name.
public struct LabelDeviceRequest: Codable, Sendable, Hashable {
  /// Not empty, short, without control characters.
  public var label: String

  /// Creates the request.
  public init(label: String) {
    self.label = label
  }
}

/// A device's name as it is now.
public struct LabelDeviceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// The name.
  public var label: String
  /// Orders renames made at the same time.
  public var labelEpoch: UInt32

  /// Creates one from its fields.
  public init(accountId: String, deviceId: String, label: String, labelEpoch: UInt32) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.label = label
    self.labelEpoch = labelEpoch
  }
}

/// A device to withdraw for good.
public struct RevokeAccountDeviceRequest: Codable, Sendable, Hashable {
  /// 64 hex.
  public var deviceId: String
  /// The root's signed withdrawal, hex, for a root kept offline.
  public var proof: String?

  /// Creates the request.
  public init(deviceId: String, proof: String? = nil) {
    self.deviceId = deviceId
    self.proof = proof
  }
}

/// A device to withdraw for good.
public typealias RevokeDeviceRequest = RevokeAccountDeviceRequest

/// Where a device was withdrawn.
public struct RevokeAccountDeviceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// Whether the key of the named namespace was rotated.
  public var keyRotated: Bool
  /// All namespaces that bound it.
  public var revokedIn: [DescopedNamespace]

  /// Creates one from its fields.
  public init(accountId: String, deviceId: String, keyRotated: Bool, revokedIn: [DescopedNamespace]) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.keyRotated = keyRotated
    self.revokedIn = revokedIn
  }
}

/// A device of an account this node does not hold.
public struct LinkAccountDeviceRequest: Codable, Sendable, Hashable {
  /// The device's certificate, hex.
  public var credential: String
  /// The root's statement of what it may act for, hex.
  public var scope: String

  /// Creates the request.
  public init(credential: String, scope: String) {
    self.credential = credential
    self.scope = scope
  }
}

/// The device that was bound.
public struct LinkAccountDeviceResponseData: Codable, Sendable, Hashable {
  /// 64 hex.
  public var accountId: String
  /// 64 hex.
  public var deviceId: String
  /// Whether it was before.
  public var alreadyBound: Bool

  /// Creates one from its fields.
  public init(accountId: String, deviceId: String, alreadyBound: Bool) {
    self.accountId = accountId
    self.deviceId = deviceId
    self.alreadyBound = alreadyBound
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
