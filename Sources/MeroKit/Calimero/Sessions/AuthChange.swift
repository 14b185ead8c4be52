/// Who is signed in.
public struct CalimeroAccount: Sendable, Hashable, Codable {
  /// The account's id.
  public let accountId: String
  /// The account's name.
  public let name: String

  /// An account.
  public init(accountId: String, name: String) {
    self.accountId = accountId
    self.name = name
  }
}

/// A change of who is signed in.
public enum AuthChange: Sendable, Hashable {
  /// This account is signed in.
  case signedIn(CalimeroAccount)
  /// Nobody is, and why.
  case signedOut(SignedOutReason)
}
