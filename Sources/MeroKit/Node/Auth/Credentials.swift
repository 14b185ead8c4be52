/// A user's name and password on a node. A secret.
public struct Credentials: Sendable, Hashable {
  /// The user's name.
  public var username: String
  /// The password: 8 to 128 characters.
  public var password: String

  /// A name and a password.
  public init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}
