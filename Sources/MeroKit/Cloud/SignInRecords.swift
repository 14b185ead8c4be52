import MeroHTTP

/// What a sign-in keeps between launches: the device's keys, the session, and the state of an enrolment under way.
///
/// What was learned in this process stays true in it even when it could not be written (40 §1, rule 5), and what was ended in it
/// stays ended even when it could not be cleared.
struct SignInRecords: Sendable {
  private let keyStore: DeviceKeyStore
  private let sessionStore: AnyValueStore<CloudSession>
  private let stateStore: AnyValueStore<String>
  private var keys: DeviceKeys?
  /// The keys and the session that were given up and are still in their stores.
  private var goneKeys: Gone<DeviceKeys>?
  private var goneSession: Gone<String>?
  /// A session that its store did not take.
  private var unwrittenSession: CloudSession?
  private var state: String?

  /// What is in a store and counts no more.
  private enum Gone<Value: Equatable & Sendable>: Sendable {
    case value(Value)
    /// Whatever it is: it could not be read when it was given up.
    case unread

    func covers(_ value: Value) -> Bool {
      switch self {
      case .value(let gone): gone == value
      case .unread: true
      }
    }
  }

  init(
    keyStore: DeviceKeyStore, sessionStore: AnyValueStore<CloudSession>,
    stateStore: AnyValueStore<String>
  ) {
    self.keyStore = keyStore
    self.sessionStore = sessionStore
    self.stateStore = stateStore
  }

  // MARK: The device's keys

  /// The keys, if there are any.
  mutating func knownKeys() throws(AccountError) -> DeviceKeys? {
    if keys == nil {
      do {
        keys = try keyStore.load().flatMap { goneKeys?.covers($0) == true ? nil : $0 }
      } catch {
        // New keys in place of those that are only locked away would end the device for good.
        throw .notSignedIn("the device's keys cannot be read now (\(error)); try again when it is unlocked")
      }
    }
    return keys
  }

  /// The keys, made at their first use. Of several processes that make them at the same time, all use the same ones.
  mutating func deviceKeys(random: MeroRandom) throws(AccountError) -> DeviceKeys {
    if let keys = try knownKeys() { return keys }
    let made = try DeviceKeys.generate(random: random)
    do {
      if goneKeys == nil {
        keys = try keyStore.add(made)
      } else {
        try keyStore.save(made)
        (keys, goneKeys) = (made, nil)
      }
    } catch { keys = made }
    return keys ?? made
  }

  mutating func forgetDevice() {
    keys = nil
    goneKeys = Self.clear(keyStore) { $0 }
  }

  // MARK: The session

  var session: CloudSession? {
    if let unwrittenSession { return unwrittenSession }
    guard let kept = try? sessionStore.load(), goneSession?.covers(kept.credential) != true else {
      return nil
    }
    return kept
  }

  mutating func keep(_ session: CloudSession) {
    do {
      try sessionStore.save(session)
      (unwrittenSession, goneSession) = (nil, nil)
    } catch { unwrittenSession = session }
  }

  mutating func forgetSession() {
    unwrittenSession = nil
    goneSession = Self.clear(sessionStore, \.credential)
  }

  /// Clears a store, and answers what is left in it.
  private static func clear<Value: Sendable, Part: Equatable & Sendable>(
    _ store: AnyValueStore<Value>, _ part: (Value) -> Part
  ) -> Gone<
    Part
  >? {
    do {
      try store.clear()
      return nil
    } catch {
      do { return try store.load().map { .value(part($0)) } } catch { return .unread }
    }
  }

  // MARK: The state of an enrolment

  /// What the wallet has to send back; nil when nothing was asked of it.
  ///
  /// - Throws: ``AccountError/stateMismatch`` when it cannot be read now: an answer that cannot be told from a forged one is
  ///   none.
  func pendingState() throws(AccountError) -> String? {
    if let state { return state }
    do { return try stateStore.load() } catch { throw .stateMismatch }
  }

  /// The system may end the app while the wallet is open, so the state has to survive that.
  mutating func expect(_ state: String) {
    self.state = state
    try? stateStore.save(state)
  }

  mutating func forgetState() {
    state = nil
    try? stateStore.clear()
  }
}

extension DelegatedAccountStore {
  /// One text of this store as a store of its own.
  func item(_ key: String) -> AnyValueStore<String> {
    AnyValueStore(
      load: { self.text(key).flatMap { $0.isEmpty ? nil : $0 } }, save: { self.set($0, key) },
      clear: { self.set("", key) })
  }
}
