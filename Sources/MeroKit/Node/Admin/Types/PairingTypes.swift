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
