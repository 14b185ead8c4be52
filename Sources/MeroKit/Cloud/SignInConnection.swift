import MeroHTTP

/// What a sign-in opened at a relay: what reads there, and what repeats presence. It ends with the sign-in, and when the account
/// moves to another relay.
struct SignInConnection: Sendable {
  private let credential: String
  private let origin: String?
  private weak var mero: Mero?
  private weak var presence: RelayPresenceClient?
  private let tokens: SignInTokens?

  init(_ session: CloudSession, mero: Mero?, tokens: SignInTokens?, presence: RelayPresenceClient) {
    credential = session.credential
    origin = session.relayOrigin
    self.mero = mero
    self.tokens = tokens
    self.presence = presence
  }

  /// Whether somebody holds a part of it.
  var isHeld: Bool { mero != nil || presence != nil }

  func belongs(to session: CloudSession?) -> Bool {
    session?.credential == credential && session?.relayOrigin == origin
  }

  /// Parts it from the tokens that are kept, at once.
  func detach() { tokens?.detach() }

  /// Ends its events, its session here and its presence.
  func close() async {
    await presence?.close()
    await mero?.clearToken()
  }
}

extension CloudSession {
  /// The relay, as relays are compared.
  var relayOrigin: String? { relayUrl.map(RelayOrigin.of) }

  /// Whether what was opened for one of them is good for the other: the same device of the same account, at the same relay.
  func sharesRelay(with other: CloudSession) -> Bool {
    credential == other.credential && relayOrigin == other.relayOrigin
  }
}
