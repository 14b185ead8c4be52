/// A node's own name for a context.
public struct CreateContextAliasRequest: Codable, Sendable, Hashable {
  /// 1 to 50 of `A-Z a-z 0-9 . _ -`.
  public var alias: String
  /// 64 hex.
  public var contextId: String

  /// Creates the request.
  public init(alias: String, contextId: String) {
    self.alias = alias
    self.contextId = contextId
  }
}

/// A node's own name for an application.
public struct CreateApplicationAliasRequest: Codable, Sendable, Hashable {
  /// 1 to 50 of `A-Z a-z 0-9 . _ -`.
  public var alias: String
  /// 64 hex.
  public var applicationId: String

  /// Creates the request.
  public init(alias: String, applicationId: String) {
    self.alias = alias
    self.applicationId = applicationId
  }
}

/// A node's own name for a device.
public struct CreateDeviceAliasRequest: Codable, Sendable, Hashable {
  /// 1 to 50 of `A-Z a-z 0-9 . _ -`.
  public var alias: String
  /// 64 hex.
  public var deviceId: String

  /// Creates the request.
  public init(alias: String, deviceId: String) {
    self.alias = alias
    self.deviceId = deviceId
  }
}

/// What a name stands for.
public struct LookupAliasResponseData: Codable, Sendable, Hashable {
  /// 64 hex; nil when the name is not taken.
  public var value: String?

  /// Creates one from its fields.
  public init(value: String? = nil) {
    self.value = value
  }
}

/// Ids by name.
public typealias ListAliasesResponseData = [String: String]
