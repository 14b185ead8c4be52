/// A key of the auth service: what logins and clients stand on, and what tokens are minted for.
struct NodeKey: Sendable {
  enum Kind: Sendable, Hashable {
    /// The owner's.
    case root
    /// One that the owner's made for an app.
    case client(of: String)
    /// An account's, made by proving the account (20 §1.4).
    case account(String, device: String)
  }

  let id: String
  let kind: Kind
  var publicKey: String
  var method: String
  var name: String
  /// The opaque user id in `sub`.
  let subject: String
  var permissions: [String]
  let createdAt: Int64
  var revokedAt: Int64?
  var expiresAt: Int64?
  /// What a client key is bound to.
  var contextId: String?

  var rootKeyId: String? {
    guard case .client(let root) = kind else { return nil }
    return root
  }

  func isLive(at seconds: Int64) -> Bool {
    revokedAt == nil && (expiresAt ?? .max) > seconds
  }
}

/// A user who logs in with a password.
struct NodeUser: Sendable {
  let salt: [UInt8]
  let digest: [UInt8]
  let keyId: String
}

/// What the node remembers of a token it made.
struct TokenRecord: Sendable {
  /// One login or client key and everything refreshed from it.
  let family: Int
  /// Rises with every token made.
  let number: Int
  var isConsumed = false
}
