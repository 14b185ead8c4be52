import Foundation

/// What a device proves to the cloud with who it reads for: its credential, and the secret that signs each challenge
/// (40 §4.2).
public struct RoutingCredential: Sendable, Hashable {
  /// The device's credential, hex.
  public let credential: String
  /// The secret of the device's signing key, 32 bytes. It stays here; only signatures leave.
  public let deviceSecret: Data

  /// A credential and the secret it certifies the public half of.
  public init(credential: String, deviceSecret: Data) {
    self.credential = credential
    self.deviceSecret = deviceSecret
  }

  /// A credential and the keys it certifies.
  public init(credential: String, keys: DeviceKeys) {
    self.init(credential: credential, deviceSecret: keys.signSecret)
  }
}

extension RoutingCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without the secret.
  public var description: String { "a device's credential for the cloud" }
  /// Without the secret.
  public var debugDescription: String { description }
  /// Nothing, so that no dump shows the secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
