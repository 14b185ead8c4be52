import Foundation

/// An account on this device, and the relay that writes for it (40 §6.1).
///
/// Without a relay it is a session all the same: a new account is a member of nothing, and gets its first relay by redeeming
/// an invitation. There is no context in it; which one is open is a choice that is made later.
public struct DelegatedSession: Sendable, Hashable {
  /// The account, 64 hex.
  public var account: String
  /// What the wallet certified about this device, hex.
  public var credential: String
  /// The device's keys.
  public var keys: DeviceKeys
  /// The relay, if there is one.
  public var relayUrl: String?
  /// The relay's own account, 64 hex, if it is known.
  public var executorAccount: String?

  /// A session of these parts.
  public init(
    account: String, credential: String, keys: DeviceKeys, relayUrl: String? = nil,
    executorAccount: String? = nil
  ) {
    self.account = account.lowercased()
    self.credential = credential
    self.keys = keys
    self.relayUrl = relayUrl
    self.executorAccount = executorAccount
  }
}

extension DelegatedSession: CustomStringConvertible {
  /// Account and relay.
  public var description: String { "account \(account) at \(relayUrl ?? "no relay")" }
}
