import MeroHTTP

/// What a sign-in keeps between launches: the device's keys, the session, and the state of an enrolment under way.
///
/// What was learned in this process stays true in it even when it could not be written (40 §1, rule 5).
struct SignInRecords: Sendable {
  private let keyStore: DeviceKeyStore
  private let sessionStore: AnyValueStore<CloudSession>
  private let stateStore: AnyValueStore<String>
  private var keys: DeviceKeys?
  /// A session or a state that its store did not take.
  private var unwrittenSession: CloudSession?
  private var unwrittenState: String?

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
        keys = try keyStore.load()
      } catch {
        // New keys in place of those that are only locked away would end the device for good.
        throw .notSignedIn("the device's keys cannot be read now (\(error)); try again when it is unlocked")
      }
    }
    return keys
  }

  /// The keys, made at their first use.
  mutating func deviceKeys(random: MeroRandom) throws(AccountError) -> DeviceKeys {
    if let keys = try knownKeys() { return keys }
    let made = try DeviceKeys.generate(random: random)
    keys = made
    try? keyStore.save(made)
    return made
  }

  mutating func forgetDevice() {
    keys = nil
    try? keyStore.clear()
  }

  // MARK: The session

  var session: CloudSession? { unwrittenSession ?? (try? sessionStore.load()) }

  mutating func keep(_ session: CloudSession) {
    do {
      try sessionStore.save(session)
      unwrittenSession = nil
    } catch { unwrittenSession = session }
  }

  mutating func forgetSession() {
    unwrittenSession = nil
    try? sessionStore.clear()
  }

  // MARK: The state of an enrolment

  /// What the wallet has to send back; nil when nothing was asked of it.
  var pendingState: String? { unwrittenState ?? (try? stateStore.load()) }

  /// The system may end the app while the wallet is open, so the state has to survive that.
  mutating func expect(_ state: String) {
    do {
      try stateStore.save(state)
      unwrittenState = nil
    } catch { unwrittenState = state }
  }

  mutating func forgetState() {
    unwrittenState = nil
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
