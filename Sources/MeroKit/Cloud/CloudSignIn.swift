import Foundation
import MeroHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if canImport(Security)
  import Security
#endif

/// Signs a person in with Calimero Cloud: a wallet certifies this device's keys, and the cloud says which relay writes for
/// the account (40 §5).
///
/// ```swift
/// let signIn = CloudSignIn.keychain()
/// if await signIn.restoreSession() == nil {
///   let page = try await signIn.beginEnrolment(callback: .scheme("notes"))
///   let answer = try await browser.open(page)          // notes://enrol#credential=…
///   try await signIn.completeEnrolment(callbackURL: answer)
/// }
/// let session = await signIn.delegatedSession()
/// ```
///
/// The keys are made here and never leave; what comes back is worth nothing without them. An account without a relay is
/// signed in: it gets one when it redeems an invitation.
public actor CloudSignIn {
  /// What the functions of ``DelegatedAccounts`` work with.
  public nonisolated let delegatedEnvironment: DelegatedEnvironment
  let config: CloudConfig
  let tokenStore: any TokenStore
  var records: SignInRecords
  /// A session whose keys are not this app's own. To store it would take its secret.
  var borrowed: Held?
  /// What was opened at the relay under this sign-in.
  var connections: [SignInConnection] = []
  /// Counts the sign-ins and sign-outs: what began before one must not end in a session.
  var era = 0

  /// A session and the keys it signs with.
  struct Held: Sendable {
    var session: CloudSession
    let keys: DeviceKeys

    var delegated: DelegatedSession {
      DelegatedSession(
        account: session.account, credential: session.credential, keys: keys, relayUrl: session.relayUrl,
        executorAccount: session.executorAccount)
    }

    var routing: RoutingCredential { RoutingCredential(credential: session.credential, keys: keys) }
  }

  /// A sign-in over these stores.
  ///
  /// - Parameters:
  ///   - keyStore: keeps the device's secrets.
  ///   - tokenStore: keeps the tokens of the relay's read session.
  ///   - accountStore: keeps which relay serves what, and which node keys were proven.
  ///   - stateStore: keeps the state of an enrolment while the wallet is open; nil for the `accountStore`.
  ///   - transport: nil for `URLSession`.
  public init(
    config: CloudConfig = CloudConfig(), keyStore: DeviceKeyStore,
    sessionStore: AnyValueStore<CloudSession>, tokenStore: any TokenStore = MemoryTokenStore(),
    nonces: any WarrantNonceStore = UserDefaultsWarrantNonceStore(),
    accountStore: DelegatedAccountStore = DelegatedAccountStore(), stateStore: AnyValueStore<String>? = nil,
    transport: (any HTTPTransport)? = nil, clock: MeroClock = .system,
    random: MeroRandom = .system
  ) {
    self.config = config
    self.tokenStore = tokenStore
    records = SignInRecords(
      keyStore: keyStore, sessionStore: sessionStore,
      stateStore: stateStore ?? accountStore.item(Items.state))
    delegatedEnvironment = DelegatedEnvironment(
      store: accountStore, nonces: nonces, relayKeyVerifier: config.relayKeyVerifier,
      cloudBaseURL: config.cloudBaseURL, audience: config.audience, clientName: config.clientName,
      warrantTTLSeconds: config.warrantTTLSeconds, releaseMirrorURL: config.releaseMirrorURL,
      transport: transport, clock: clock, random: random)
  }

  /// A sign-in over these stores, and over connections like those of `urlSession`.
  public init(
    config: CloudConfig = CloudConfig(), keyStore: DeviceKeyStore,
    sessionStore: AnyValueStore<CloudSession>, tokenStore: any TokenStore = MemoryTokenStore(),
    nonces: any WarrantNonceStore = UserDefaultsWarrantNonceStore(),
    accountStore: DelegatedAccountStore = DelegatedAccountStore(), stateStore: AnyValueStore<String>? = nil,
    urlSession: URLSession
  ) {
    self.init(
      config: config, keyStore: keyStore, sessionStore: sessionStore, tokenStore: tokenStore, nonces: nonces,
      accountStore: accountStore, stateStore: stateStore, transport: URLSessionTransport(session: urlSession))
  }

  /// A sign-in that keeps its secrets in the Keychain of this device, readable after the first unlock; on Linux in private
  /// files under the user's data folder.
  ///
  /// - Parameter nonces: keeps the numbers of warrants; nil for the `UserDefaults` of this app, on Linux for files beside the
  ///   others. Apps that share their keys by an `accessGroup` have to share these, too: a ``FileWarrantNonceStore`` in a folder of
  ///   both.
  public static func keychain(
    config: CloudConfig = CloudConfig(), service: String = "network.calimero.merokit",
    accessGroup: String? = nil, nonces: (any WarrantNonceStore)? = nil, urlSession: URLSession? = nil
  ) -> CloudSignIn {
    CloudSignIn(
      config: config,
      keyStore: .keychain(service: service, account: Items.keys, accessGroup: accessGroup),
      sessionStore: .keychain(service: service, account: Items.session, accessGroup: accessGroup),
      tokenStore: keychainTokens(service, accessGroup), nonces: nonces ?? deviceNonces(service),
      stateStore: .keychain(service: service, account: Items.state, accessGroup: accessGroup),
      transport: urlSession.map { URLSessionTransport(session: $0) })
  }

  /// Programs of one user share the files that the keys are in, and so the numbers.
  private static func deviceNonces(_ service: String) -> any WarrantNonceStore {
    #if canImport(Security)
      UserDefaultsWarrantNonceStore()
    #else
      FileWarrantNonceStore(
        folder: URL(fileURLWithPath: PrivateFolder.path(service: service)).appendingPathComponent("nonces"))
    #endif
  }

  private static func keychainTokens(_ service: String, _ accessGroup: String?) -> KeychainTokenStore {
    #if canImport(Security)
      // Like the session they belong to: tokens without it would be worth nothing on another device.
      KeychainTokenStore(
        service: service, account: Items.tokens, accessGroup: accessGroup,
        accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
    #else
      KeychainTokenStore(service: service, account: Items.tokens, accessGroup: accessGroup)
    #endif
  }

  /// The names that records are kept under.
  private enum Items {
    static let keys = "cloud-device-keys"
    static let session = "cloud-session"
    static let tokens = "cloud-relay-tokens"
    static let state = "cloud-enrol-state"
  }

  // MARK: What there is

  /// This device's keys, made at their first use.
  ///
  /// - Throws: ``AccountError/notSignedIn(_:)`` when they are there and cannot be read now.
  public func deviceKeys() throws(AccountError) -> DeviceKeys {
    try records.deviceKeys(random: delegatedEnvironment.random)
  }

  /// The session that was stored. Nobody is asked.
  public func restoreSession() -> CloudSession? { records.session }

  /// The session as the functions of ``DelegatedAccounts`` take it; nil when nobody is signed in.
  public func delegatedSession() async -> DelegatedSession? { held()?.delegated }

  /// A client that proves to the cloud who reads.
  ///
  /// - Throws: ``AccountError/notSignedIn(_:)`` without a session.
  public func cloudClient() throws(AccountError) -> CloudClient {
    guard let held = held() else { throw Self.signedOut }
    return cloudClient(proving: held.routing)
  }

  func cloudClient(proving routing: RoutingCredential) -> CloudClient {
    let env = delegatedEnvironment
    return CloudClient(
      baseURL: env.cloudBaseURL, routingCredential: routing, transport: env.transport, clock: env.clock,
      random: env.random)
  }

  /// The session in use, with its keys. A stored one whose keys are gone can sign nothing, and is none.
  func held() -> Held? {
    if let borrowed { return borrowed }
    guard let session = records.session, let keys = try? records.knownKeys(),
      let credential = try? DeviceCertificates.parse(session.credential), credential.certifies(keys)
    else { return nil }
    return Held(session: session, keys: keys)
  }

  static let signedOut = AccountError.notSignedIn("nobody is signed in with the cloud; sign in first")
}

extension DeviceCredential {
  /// Whether it is about these keys.
  func certifies(_ keys: DeviceKeys) -> Bool {
    signPublicKey == keys.signPublicKey && kemPublicKey == keys.kemPublicKey
  }
}
