import MeroWire

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
