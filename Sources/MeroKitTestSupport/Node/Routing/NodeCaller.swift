/// Who asks, as far as the guard found out (20 §1.4).
struct NodeCaller: Sendable {
  enum Kind: Sendable, Hashable {
    /// No credential, on a route that needs none.
    case nobody
    /// A session of the node's owner, or of an app the owner let in.
    case node
    /// A session of an account, or an account that proved itself in the request.
    case account
  }

  var kind = Kind.nobody
  /// The key the session's tokens were minted for.
  var keyId: String?
  /// `sub` of the token.
  var subject: String?
  var permissions: [NodePermission] = []
  /// The account of an account session, 64 hex.
  var account: String?
  /// The device key of an account session, 64 hex.
  var device: String?
  /// The only context the session may use; nil for any.
  var boundContext: String?

  static let nobody = NodeCaller()
  /// Whoever reaches a node that has no guard in front of it.
  static let owner = NodeCaller(kind: .node, permissions: [.admin])

  var isAccount: Bool { kind == .account }

  func mayUse(context: String) -> Bool { boundContext == nil || boundContext == context }

  func holds(_ permission: NodePermission) -> Bool {
    permissions.contains { $0.covers(permission) }
  }
}

extension NodeCaller {
  /// Whether this is the one who opened an event stream: the same user, whatever its token by now.
  func isSame(as other: NodeCaller) -> Bool {
    subject == other.subject && keyId == other.keyId
  }
}
