import Foundation
import MeroHTTP

/// The tokens of a relay's read session, for as long as the sign-in lasts that they belong to.
///
/// A client may outlive the sign-out. What it has under way then must not write the tokens back, nor clear those of whoever
/// signs in next.
final class SignInTokens: TokenStore {
  private let store: Locked<(any TokenStore)?>
  /// A file to lock while the tokens are renewed, when several processes share them.
  let lockURL: URL?

  init(_ store: any TokenStore) {
    lockURL = (store as? any SharedTokenStore).map { URL(fileURLWithPath: $0.lockPath) }
    self.store = Locked(store)
  }

  /// Nothing is read or written from now on.
  func detach() { store.withLock { $0 = nil } }

  func getTokens() -> TokenData? { store.withLock { $0?.getTokens() } }
  func setTokens(_ tokens: TokenData) { store.withLock { $0?.setTokens(tokens) } }
  func clear() { store.withLock { $0?.clear() } }
}

/// A client that reads at a relay, and its tokens: both end with the sign-in.
struct SignInReader {
  private(set) weak var mero: Mero?
  private let tokens: SignInTokens

  init(_ mero: Mero, _ tokens: SignInTokens) {
    self.mero = mero
    self.tokens = tokens
  }

  func detach() { tokens.detach() }
}
