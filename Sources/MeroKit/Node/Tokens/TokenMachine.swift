/// The tokens of one connection, and what has to be done with them: a value without a store, a clock or a network, so that
/// every order of events can be tried (10 §1.7).
///
/// What is in the store is an input wherever it matters, because other processes write there too.
struct TokenMachine: Sendable {
  /// A refresh under way: what it renews, and for which session.
  struct Flight: Sendable, Hashable {
    let base: TokenData
    let generation: Int
  }

  /// What a request has to do whose token was too old.
  enum Need: Sendable, Hashable {
    /// Send it again with this.
    case send(String)
    /// Wait for a refresh, and ask again.
    case refresh(Flight)
    /// Give up: nobody is logged in, somebody else is, or the tokens cannot be renewed.
    case end
  }

  /// What a refresh has to do once it has the lock.
  enum Departure: Sendable, Hashable {
    /// Present this refresh token.
    case present(TokenData)
    /// Nothing: the tokens have changed meanwhile.
    case needless
    /// There is no refresh token that may be presented.
    case impossible
  }

  /// What a node's word that the session is over means here.
  enum Revocation: Sendable, Hashable {
    /// It is over now; the store is cleared if it still holds this session.
    case ended(clearsStore: Bool)
    /// It was over already.
    case known
    /// It is about another session than the one there is.
    case foreign
  }

  private(set) var held: TokenData?
  /// Counts the sessions: what began in one must not end in the next.
  private(set) var generation = 0
  /// Whether the store is known to have held what is held, so that its absence means something.
  private var isStored = false
  /// The access tokens that this session had before.
  private var superseded: [String] = []
  /// The refresh tokens that were presented and whose fate is unknown. To present one twice ends the session.
  private var presented: Set<String> = []
  /// The access tokens of the session that a node ended last.
  private var revoked: [String] = []

  private static let memory = 16

  // MARK: Sessions

  /// Somebody logged in, or tokens were set: a new session.
  mutating func begin(_ tokens: TokenData) {
    generation += 1
    held = tokens
    isStored = false
    superseded = []
    presented = []
    revoked = []
  }

  /// The session is over by the user's will.
  mutating func end() {
    generation += 1
    held = nil
    isStored = false
    superseded = []
    revoked = []
  }

  /// What the store holds after it was written to: it may have failed, and then must not be believed.
  mutating func wrote(_ stored: TokenData?) {
    isStored = held != nil && stored?.accessToken == held?.accessToken
  }

  /// What the store holds now. Other processes renew, log in and log out there.
  mutating func look(at stored: TokenData?) {
    guard let stored, !stored.accessToken.isBlank else {
      if isStored { end() }
      return
    }
    // An older bundle of ours, left by a write that failed: its refresh token is used up.
    if superseded.contains(stored.accessToken) { return }
    if let held, held.accessToken != stored.accessToken {
      if Self.areSameUser(held, stored) {
        remember(held.accessToken)
      } else {
        begin(stored)
      }
    } else if held == nil {
      generation += 1
    }
    held = stored
    isStored = true
  }

  // MARK: Refreshing

  /// What a request has to do that was answered with `token_expired` when it carried `sent`.
  ///
  /// - Parameter waited: whether it has waited for a refresh already.
  func need(afterExpiryOf sent: String, waited: Bool) -> Need {
    guard let held else { return .end }
    guard held.accessToken == sent else {
      // A request that was begun as one person must not be finished as another.
      return Self.areSameUser(sent, held.accessToken) ? .send(held.accessToken) : .end
    }
    return waited ? .end : .refresh(Flight(base: held, generation: generation))
  }

  /// A refresh is about to ask the node.
  mutating func depart(_ flight: Flight, stored: TokenData?) -> Departure {
    if flight.generation == generation { look(at: stored) }
    guard isCurrent(flight), let held else { return .needless }
    let refreshToken = held.refreshToken
    guard !refreshToken.isBlank, !presented.contains(refreshToken) else { return .impossible }
    presented.insert(refreshToken)
    return .present(held)
  }

  /// The node did not take the refresh token, or never saw it: it may be presented again.
  mutating func notTaken(_ refreshToken: String) { presented.remove(refreshToken) }

  /// The node gave new tokens. Whether they are to be kept, in the store first.
  mutating func arrive(_ flight: Flight, stored: TokenData?) -> Bool {
    if flight.generation == generation { look(at: stored) }
    return isCurrent(flight)
  }

  /// The new tokens are in the store, or the store cannot be written.
  mutating func renew(_ flight: Flight, with tokens: TokenData) {
    guard isCurrent(flight) else { return }
    remember(flight.base.accessToken)
    held = tokens
  }

  private func isCurrent(_ flight: Flight) -> Bool {
    flight.generation == generation && held?.accessToken == flight.base.accessToken
  }

  // MARK: The end

  /// A node says that the session is over to which `sent` belongs.
  mutating func revoke(_ sent: String?, stored: TokenData?) -> Revocation {
    guard let sent else { return held == nil ? .known : .foreign }
    if revoked.contains(sent) { return .known }
    guard held?.accessToken == sent || superseded.contains(sent) else { return .foreign }
    let ours = superseded + [held?.accessToken].compactMap { $0 }
    if let stored, !ours.contains(stored.accessToken) {
      // Another process has logged in again, or renewed it; whether that holds, its next request will tell.
      look(at: stored)
      return .foreign
    }
    end()
    revoked = ours
    return .ended(clearsStore: stored != nil)
  }

  /// Whether a node ended the session that `sent` belongs to.
  func isRevoked(_ sent: String) -> Bool { revoked.contains(sent) }

  private mutating func remember(_ accessToken: String) {
    superseded = (superseded + [accessToken]).suffix(Self.memory)
  }

  private static func areSameUser(_ one: TokenData, _ other: TokenData) -> Bool {
    areSameUser(one.accessToken, other.accessToken)
  }

  /// Whether nothing says that two tokens are of different people.
  private static func areSameUser(_ one: String, _ other: String) -> Bool {
    guard let one = JWTClaims(one)?.subject, let other = JWTClaims(other)?.subject else { return true }
    return one == other
  }
}
