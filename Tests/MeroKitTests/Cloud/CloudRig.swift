import Foundation
import MeroHTTP
import MeroKitTestSupport
import MeroTrust
import MeroWire

@testable import MeroKit

/// A cloud, a wallet, and an app that signs in with them; all stores end with the test.
struct CloudRig {
  let clock = FakeClock(autoAdvance: 1)
  let manager: FakeManager
  let wallet = FakeWallet(seed: 5)
  let keyStore = AnyValueStore<DeviceKeys>.memory()
  let sessionStore = AnyValueStore<CloudSession>.memory()
  let tokenStore = MemoryTokenStore()
  let nonces = MemoryWarrantNonceStore()
  let accountStore = DelegatedAccountStore.memory()
  let callback = "notes://enrol"
  private let random = SeededRandom(seed: 9)

  /// - Parameter mirror: the releases that relays may prove.
  init(mirror: FakeReleaseMirror = FakeReleaseMirror()) {
    manager = FakeManager(mirror: mirror, clock: clock.clock, seed: 3)
  }

  static let relayURL = "https://relay.test"
  static let executor = String(repeating: "33", count: 32)

  /// An app. Each one is a launch: it finds what an earlier one has stored.
  ///
  /// - Parameters:
  ///   - transport: reaches the cloud, and all else that is needed.
  ///   - roots: which hardware relays may prove themselves with.
  func signIn(
    keyStore: AnyValueStore<DeviceKeys>? = nil, sessionStore: AnyValueStore<CloudSession>? = nil,
    transport: (any HTTPTransport)? = nil, roots: TrustRoots = .builtIn
  ) -> CloudSignIn {
    let transport = transport ?? FakeHosts([manager, wallet])
    let verifier = DcapRelayKeyVerifier(
      mirrorURL: manager.url, transport: transport, roots: roots, clock: clock.clock)
    return CloudSignIn(
      config: CloudConfig(
        walletURL: wallet.url, cloudBaseURL: manager.url, audience: .cli, relayKeyVerifier: verifier,
        releaseMirrorURL: manager.url),
      keyStore: keyStore ?? self.keyStore, sessionStore: sessionStore ?? self.sessionStore,
      tokenStore: tokenStore, nonces: nonces, accountStore: accountStore,
      transport: transport, clock: clock.clock, random: random.random)
  }

  /// The cloud gives the account its relay.
  func assignRelay(_ url: String = relayURL) {
    manager.setRelays([.relay(url, executorAccount: Self.executor)], of: wallet.account)
  }

  /// Signs in, by the wallet's page.
  @discardableResult
  func enrol(_ signIn: CloudSignIn) async throws -> CloudSession {
    let page = try await signIn.beginEnrolment(callbackURL: callback)
    return try await signIn.completeEnrolment(callbackURL: try wallet.approve(page))
  }

  /// Keys and the credential that the wallet gives them.
  func device() throws -> (keys: DeviceKeys, credential: String) {
    let keys = try DeviceKeys.generate(random: random.random)
    let certified = try wallet.certify(signPublicKey: keys.signPublicKey, kemPublicKey: keys.kemPublicKey)
    return (keys, certified.credential)
  }

  /// A client that proves who reads.
  func cloud() throws -> CloudClient {
    let device = try device()
    return CloudClient(
      baseURL: manager.url,
      routingCredential: RoutingCredential(credential: device.credential, keys: device.keys),
      transport: manager.transport, clock: clock.clock)
  }

  /// A client that proves nothing.
  func anonymousCloud(_ transport: (any HTTPTransport)? = nil) -> CloudClient {
    CloudClient(baseURL: manager.url, transport: transport ?? manager.transport, clock: clock.clock)
  }
}

/// The kind of an account's error, without its words.
enum AccountErrorKind: Sendable, Hashable {
  case invalidInput, credentialRejected, enrolmentDeclined, stateMismatch, protocolViolation, notSignedIn
  case other

  init(_ error: (any Error)?) {
    switch error as? AccountError {
    case .invalidInput: self = .invalidInput
    case .credentialRejected: self = .credentialRejected
    case .enrolmentDeclined: self = .enrolmentDeclined
    case .stateMismatch: self = .stateMismatch
    case .protocolViolation: self = .protocolViolation
    case .notSignedIn: self = .notSignedIn
    default: self = .other
    }
  }

  /// What a call fails with.
  static func of<T>(_ call: () async throws -> T) async -> AccountErrorKind? {
    do {
      _ = try await call()
      return nil
    } catch { return AccountErrorKind(error) }
  }
}
