/// Who may spend a warrant: a relay's account, and the one key of it (40 §1).
public struct RelayExecutor: Sendable, Hashable {
  /// The relay's own account, 64 hex.
  public var executorAccount: String
  /// The relay's signing key, 64 hex: its node key.
  public var executorKey: String

  /// An executor of these parts.
  public init(executorAccount: String, executorKey: String) {
    self.executorAccount = executorAccount
    self.executorKey = executorKey
  }

  /// In lower case; nil when either is no id.
  var normalized: RelayExecutor? {
    guard let account = try? HexField.text(executorAccount, "executorAccount"),
      let key = try? HexField.text(executorKey, "executorKey")
    else { return nil }
    return RelayExecutor(executorAccount: account, executorKey: key)
  }
}
