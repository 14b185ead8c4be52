/// Who is signed in with the cloud on this device, as it is stored (40 §5.1). No secret is in it: the device's keys are kept
/// apart.
public struct CloudSession: Codable, Sendable, Hashable {
  /// The account, 64 hex.
  public var account: String
  /// This device, 64 hex.
  public var device: String
  /// What the wallet certified about this device, hex.
  public var credential: String
  /// The relay, if there is one.
  public var relayUrl: String?
  /// The relay's own account, 64 hex, if it is known.
  public var executorAccount: String?
  /// What is not as it should be with the relay, in words to show.
  public var note: String?

  /// A session of these parts.
  public init(
    account: String, device: String, credential: String, relayUrl: String? = nil,
    executorAccount: String? = nil, note: String? = nil
  ) {
    self.account = account
    self.device = device
    self.credential = credential
    self.relayUrl = relayUrl
    self.executorAccount = executorAccount
    self.note = note
  }

  /// Whether there is no relay yet: signed in all the same, and a member of nothing.
  public var isRelayless: Bool { relayUrl == nil }
}

extension CloudSession: CustomStringConvertible {
  /// Account and relay.
  public var description: String { "account \(account) at \(relayUrl ?? "no relay")" }
}
