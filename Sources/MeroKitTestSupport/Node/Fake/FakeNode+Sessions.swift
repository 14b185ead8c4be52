import Foundation

/// The session a test begins with, and what can happen to it.
extension FakeNode {
  /// The access token the node made last.
  public var accessToken: String { store.withState { $0.auth.latest.access } }
  /// The refresh token the node made last.
  public var refreshToken: String { store.withState { $0.auth.latest.refresh } }

  /// Every access token made so far counts as expired: 401 `token_expired`, until the client refreshes.
  public func expireAccessToken() { store.withState { $0.auth.expireAccessTokens() } }

  /// Ends the login ``accessToken`` came from, as if a copied refresh token had been used: guarded routes answer 403
  /// `token_revoked`, and a refresh 401 `token_reuse`.
  public func revokeFamily() { store.withState { $0.auth.revokeLatestFamily() } }

  /// Every token made so far is refused with a bare 401, as by a node that was upgraded (10 §2.3).
  public func forgetSessions() { store.withState { $0.auth.forgetTokens() } }

  /// Calls of `/auth/token` so far.
  public var tokenCalls: Int { store.withState { $0.counters.tokenCalls } }
  /// Calls of `/auth/refresh` so far.
  public var refreshCalls: Int { store.withState { $0.counters.refreshCalls } }
  /// Refresh tokens that were handed in at `/auth/logout`.
  public var logoutCalls: Int { store.withState { $0.counters.logoutCalls } }
  /// Calls of `/jsonrpc` that the guard let through.
  public var rpcCalls: Int { store.withState { $0.counters.rpcCalls } }
  /// Requests at routes that need a session, refused ones included.
  public var protectedCalls: Int { store.withState { $0.counters.protectedCalls } }

  /// Makes a user with a key of these permissions, or gives one another password.
  public func addUser(_ name: String, password: String, permissions: [String] = ["admin"]) {
    precondition((8...128).contains(password.count), "a password has 8 to 128 characters")
    store.withState { state in
      _ = state.auth.setUser(name, password: password, permissions: permissions, at: store.seconds)
    }
  }

  /// A session of the owner's with these permissions, without a login.
  public func makeSession(permissions: [String] = ["admin"]) -> (accessToken: String, refreshToken: String) {
    store.withState { state in
      let key = state.auth.addKey(
        .root, publicKey: "session", method: "mock", name: "session", permissions: permissions,
        at: store.seconds)
      let pair = state.auth.mint(for: key, at: store.seconds)
      return (pair.access, pair.refresh)
    }
  }

  /// A session of an account on a relay, without a login; both ids are 64 hex (20 §1.4).
  public func makeAccountSession(
    account: String, device: String, permissions: [String] = FakeNode.accountPermissions
  ) -> (accessToken: String, refreshToken: String) {
    store.withState { state in
      let key = state.auth.addKey(
        .account(account, device: device), publicKey: device, method: "account_proof", name: "account",
        permissions: permissions, at: store.seconds)
      let pair = state.auth.mint(for: key, at: store.seconds)
      return (pair.access, pair.refresh)
    }
  }

  /// What an account session may do unless told otherwise.
  public static let accountPermissions = [
    "context:intent", "context:list-own", "context:query", "context:subscribe", "namespace:list-own",
  ]
}

extension NodeStore {
  /// The node's time in Unix seconds.
  var seconds: Int64 { Int64(clock.now().timeIntervalSince1970.rounded(.down)) }
}
