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
