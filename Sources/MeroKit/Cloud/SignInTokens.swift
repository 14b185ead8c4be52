import Foundation
import MeroHTTP

/// The tokens of a relay's read session, for as long as the sign-in lasts that they belong to.
///
/// A client may outlive the sign-out, and the account may move to another relay. What the client has under way then must not
/// write its tokens back, nor clear those that came after them, nor send those to its own relay. So each bundle in the store says
/// where it is good, and one from elsewhere is nothing here.
final class SignInTokens: TokenStore {
  private struct State {
    var store: (any TokenStore)?
    /// The access token that was written last: a store of an app's own may not keep where it is good.
    var written: String?
  }

  private let state: Locked<State>
  private let origin: String
  /// A file to lock while the tokens are renewed, when several processes share them.
  let lockURL: URL?

  /// Begins a session with these tokens of a relay, whatever the store held.
  init(_ store: any TokenStore, beginning tokens: TokenData, at relayURL: String) {
    origin = RelayOrigin.of(relayURL)
    lockURL = (store as? any SharedTokenStore).map { URL(fileURLWithPath: $0.lockPath) }
    state = Locked(State(store: store, written: tokens.accessToken))
    store.setTokens(stamped(tokens))
  }

  /// Nothing is read or written from now on.
  func detach() { state.withLock { $0.store = nil } }

  func getTokens() -> TokenData? {
    state.withLock { state in
      guard let tokens = state.store?.getTokens(), isOurs(tokens, state) else { return nil }
      return tokens
    }
  }

  func setTokens(_ tokens: TokenData) {
    state.withLock { state in
      if let kept = state.store?.getTokens(), !isOurs(kept, state) { return }
      state.store?.setTokens(stamped(tokens))
      state.written = tokens.accessToken
    }
  }

  func clear() {
    state.withLock { state in
      if let kept = state.store?.getTokens(), !isOurs(kept, state) { return }
      state.store?.clear()
    }
  }

  private func isOurs(_ tokens: TokenData, _ state: State) -> Bool {
    tokens.origin.map { $0 == origin } ?? (tokens.accessToken == state.written)
  }

  private func stamped(_ tokens: TokenData) -> TokenData {
    var stamped = tokens
    stamped.origin = origin
    return stamped
  }
}
