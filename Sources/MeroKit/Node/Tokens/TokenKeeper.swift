import Foundation
import MeroHTTP

/// The one owner of a connection's tokens: reads the store, renews them once for everyone who waits, stores them before
/// they are used, and forgets them (10 §1.7, §8.1).
actor TokenKeeper: NodeSession {
  /// Asks the node for new tokens.
  typealias Refresh = @Sendable (TokenData) async -> TokenRefresh.Outcome
  /// Wants to know that a node ended the session, and why.
  typealias Listener = @Sendable (_ reason: String, _ http: HTTPError) async -> Void

  private let store: any TokenStore
  private let lockPath: String?
  private let clock: MeroClock
  private let refresh: Refresh
  private nonisolated let listeners = Locked<[Listener]>([])

  private var machine = TokenMachine()
  private var isRead = false
  private var flight: Flight?
  /// Why the session ended that a node ended last.
  private var revocation: MeroError?

  /// - Parameter lockPath: a file to lock during a refresh; nil when no other process shares the store.
  init(store: any TokenStore, lockPath: String?, clock: MeroClock, refresh: @escaping Refresh) {
    self.store = store
    self.lockPath = lockPath ?? (store as? any SharedTokenStore)?.lockPath
    self.clock = clock
    self.refresh = refresh
  }

  /// Adds somebody to tell, once for each session, after its tokens are gone.
  nonisolated func whenRevoked(_ listener: @escaping Listener) {
    listeners.withLock { $0.append(listener) }
  }

  /// The tokens in use.
  func current() -> TokenData? {
    if !isRead {
      isRead = true
      machine.look(at: store.getTokens())
    }
    return machine.held
  }

  func bearer() -> String? {
    guard let token = current()?.accessToken, !token.isBlank else { return nil }
    return token
  }

  /// Begins a session with these tokens, in the store first.
  func begin(_ tokens: TokenData) {
    isRead = true
    machine.begin(tokens)
    write(tokens)
    letGo()
  }

  /// Ends the session here: memory and store are cleared on return.
  ///
  /// - Returns: the tokens that were in use.
  @discardableResult
  func end() -> TokenData? {
    let tokens = current()
    machine.end()
    store.clear()
    letGo()
    return tokens
  }

  func revoked(_ reason: String, http: HTTPError, sent: String?) async -> MeroError {
    _ = current()
    switch machine.revoke(sent, stored: store.getTokens()) {
    case .foreign: return .http(http)
    case .known: break
    case .ended(let clearsStore):
      if clearsStore { store.clear() }
      // Whoever waits for a refresh is let go before the listeners are told, and has to know why.
      revocation = .authRevoked(reason: reason, http: http)
      letGo()
      for listener in listeners.withLock({ $0 }) { await listener(reason, http) }
    }
    return .authRevoked(reason: reason, http: http)
  }

  // MARK: Refreshing

  /// A refresh under way, and where everyone waits for it.
  private struct Flight {
    let task: Task<Void, Never>
    let landing: Gate
  }

  func refresh(sent: String) async throws -> String {
    _ = current()
    var waited = false
    while true {
      try Task.checkCancellation()
      switch machine.need(afterExpiryOf: sent, waited: waited) {
      case .send(let token): return token
      case .end: throw machine.isRevoked(sent) ? revocation ?? .noRefreshToken : .noRefreshToken
      case .refresh(let route):
        // The refresh belongs to nobody who waits: once it is sent, its answer holds the only tokens that still work.
        try await (flight ?? takeOff(route)).landing.wait()
        waited = true
      }
    }
  }

  private func takeOff(_ route: TokenMachine.Flight) -> Flight {
    let landing = Gate()
    let task = Task {
      let flown = await self.fly(route)
      if self.flight?.landing === landing { self.flight = nil }
      landing.open(await self.outcome(flown, of: route))
    }
    let flight = Flight(task: task, landing: landing)
    self.flight = flight
    return flight
  }

  /// What to tell whoever waits. Outside of the lock, and when it is a flight no more: a listener may want to log in.
  private func outcome(_ flown: Flown, of route: TokenMachine.Flight) async -> Result<Void, any Error> {
    guard case .refused(let error) = flown else { return .success(()) }
    guard let http = error.http, let reason = http.revocation else { return .failure(error) }
    let verdict = await revoked(reason, http: http, sent: route.base.accessToken)
    // If it was about another session, there may be one to go on with.
    if case .authRevoked = verdict { return .failure(verdict) }
    return .success(())
  }

  /// The session has changed: whoever waits for a refresh looks again. The refresh itself goes on to its end.
  private func letGo() {
    flight?.landing.open()
    flight = nil
  }

  private func fly(_ route: TokenMachine.Flight) async -> Flown {
    let lock = await lock()
    defer { lock?.release() }
    return await renew(route)
  }

  private enum Flown {
    case done
    case refused(MeroError)
  }

  /// Runs while no other process does: takes over what another one renewed, or asks the node.
  private func renew(_ route: TokenMachine.Flight) async -> Flown {
    switch machine.depart(route, stored: store.getTokens()) {
    case .needless: return .done
    case .impossible: return .refused(.noRefreshToken)
    case .present(let pair):
      let outcome = await refresh(pair)
      if !outcome.mayHaveTaken { machine.notTaken(pair.refreshToken) }
      switch outcome {
      case .renewed(let tokens):
        if machine.arrive(route, stored: store.getTokens()) {
          // Stored before anyone uses it: a program that ends in between must find the only tokens that still work.
          store.setTokens(tokens)
          machine.renew(route, with: tokens)
          machine.wrote(store.getTokens())
        }
        return .done
      case .failed(let error, _): return .refused(error)
      }
    }
  }

  private func write(_ tokens: TokenData) {
    store.setTokens(tokens)
    machine.wrote(store.getTokens())
  }

  /// The longest that another process is waited for; its own refresh takes no longer than this.
  private static let lockPatience: TimeInterval = 30

  /// Without a lock, as when the file cannot be made, a refresh is only less safe; the store is read again all the same.
  private func lock() async -> FileLock? {
    guard let lockPath else { return nil }
    return try? await withDeadline(Self.lockPatience, clock: clock) { try await FileLock.acquire(lockPath) }
  }
}
