import Foundation

/// Whether the tokens of a login callback replace those there are (10 §2.8).
///
/// A callback may be old: delivered twice, or again after a relaunch. Its refresh token may be used up, and to store it
/// would end the session at the next renewal.
public enum TokenAdoption {
  /// Why.
  public enum Reason: String, Sendable {
    /// There were none.
    case freshLogin = "fresh-login"
    /// Those there are belong to another node.
    case nodeChanged = "node-changed"
    /// The callback's are newer.
    case newer
    /// Those there are could not be renewed; the callback's refresh token is added.
    case fillRefresh = "fill-refresh"
    /// The callback's are not newer.
    case stale
  }

  /// What to do with the tokens of a callback.
  public struct Decision: Sendable, Equatable {
    /// Whether to store something.
    public let adopt: Bool
    /// What to store.
    public let tokens: TokenData?
    /// Why.
    public let reason: Reason

    fileprivate init(_ reason: Reason, _ tokens: TokenData? = nil) {
      adopt = tokens != nil
      self.tokens = tokens
      self.reason = reason
    }
  }

  /// Decides about the tokens of a callback of a node that is trusted.
  ///
  /// - Parameters:
  ///   - stored: the tokens there are.
  ///   - storedNodeURL: the node that gave them, which need not be the one the login is for.
  public static func resolve(
    callbackAccessToken: String, callbackRefreshToken: String, callbackNodeURL: String, stored: TokenData?,
    storedNodeURL: String?, now: Date
  ) -> Decision {
    let callback = TokenData(
      accessToken: callbackAccessToken, refreshToken: callbackRefreshToken, now: now)
    guard let stored, !stored.accessToken.isEmpty else { return Decision(.freshLogin, callback) }
    guard let storedNodeURL, NodeTrust.sameOrigin(storedNodeURL, callbackNodeURL) else {
      // The other node's refresh token is of no use here, and none of this node's business.
      return Decision(.nodeChanged, callback)
    }
    if isNewer(callback, than: stored) {
      var tokens = callback
      if tokens.refreshToken.isEmpty { tokens.refreshToken = stored.refreshToken }
      return Decision(.newer, tokens)
    }
    if stored.refreshToken.isEmpty, !callback.refreshToken.isEmpty {
      var tokens = stored
      tokens.refreshToken = callback.refreshToken
      return Decision(.fillRefresh, tokens)
    }
    return Decision(.stale)
  }

  private static func isNewer(_ callback: TokenData, than stored: TokenData) -> Bool {
    guard let new = JWTClaims(callback.accessToken) else { return false }
    guard let old = JWTClaims(stored.accessToken) else {
      return new.expiresAt.map { $0 > stored.expiresAt.timeIntervalSince1970 } ?? false
    }
    if let new = new.issuedAt, let old = old.issuedAt, new != old { return new > old }
    if let new = new.expiresAt, let old = old.expiresAt, new != old { return new > old }
    return false
  }
}
