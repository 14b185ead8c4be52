import Foundation
import MeroHTTP
import MeroTrust

/// What the functions of ``DelegatedAccounts`` work with: stores, the proof they ask of relays, where the cloud is, and the
/// network, the time and the randomness (40 §6.2).
public struct DelegatedEnvironment: Sendable {
  /// Which relay serves what, and which node keys are pinned.
  public var store: DelegatedAccountStore
  /// The nonces of warrants.
  public var nonces: any WarrantNonceStore
  /// What a relay has to prove before it is written to.
  public var relayKeyVerifier: any RelayKeyVerifier {
    // What one verifier let through is not there for another.
    didSet { relayTransports = RelayTransports() }
  }
  /// The cloud's API.
  public var cloudBaseURL: String
  /// Which app logs in.
  public var audience: LoginAudience
  /// How the app is called in a node's list of sessions; nil for the relay's URL.
  public var clientName: String?
  /// How long a warrant is good, in seconds.
  public var warrantTTLSeconds: UInt64
  /// Where signed releases are fetched.
  public var releaseMirrorURL: String
  /// The network.
  public var transport: any HTTPTransport {
    didSet { relayTransports = RelayTransports() }
  }
  /// The time.
  public var clock: MeroClock
  /// Randomness.
  public var random: MeroRandom
  /// The ways to relays. Copies share them, and so do all environments with the network and the proof of their own choice
  /// left out.
  private(set) var relayTransports: RelayTransports

  /// The cloud's own pages, where signed releases are too.
  public static let defaultReleaseMirrorURL = AccountLink.defaultWebURL

  /// An environment of these parts.
  ///
  /// - Parameters:
  ///   - relayKeyVerifier: by default ``DcapRelayKeyVerifier``, over the same transport, mirror and clock.
  ///   - transport: by default ``URLSessionTransport``.
  public init(
    store: DelegatedAccountStore = DelegatedAccountStore(),
    nonces: any WarrantNonceStore = UserDefaultsWarrantNonceStore(),
    relayKeyVerifier: (any RelayKeyVerifier)? = nil, cloudBaseURL: String = CloudConfig.defaultBaseURL,
    audience: LoginAudience = .current, clientName: String? = nil, warrantTTLSeconds: UInt64 = 300,
    releaseMirrorURL: String = defaultReleaseMirrorURL,
    transport: (any HTTPTransport)? = nil, clock: MeroClock = .system, random: MeroRandom = .system
  ) {
    let isUsual =
      transport == nil && relayKeyVerifier == nil && releaseMirrorURL == Self.defaultReleaseMirrorURL
    let network = transport ?? URLSessionTransport()
    relayTransports = isUsual ? .ofProcess : RelayTransports()
    self.store = store
    self.nonces = nonces
    self.relayKeyVerifier =
      relayKeyVerifier
      ?? DcapRelayKeyVerifier(mirrorURL: releaseMirrorURL, transport: network, clock: clock)
    self.cloudBaseURL = cloudBaseURL
    self.audience = audience
    self.clientName = clientName
    self.warrantTTLSeconds = warrantTTLSeconds
    self.releaseMirrorURL = releaseMirrorURL
    self.transport = network
    self.clock = clock
    self.random = random
  }

  /// Unix milliseconds.
  var milliseconds: UInt64 { UInt64(max(0, clock.now().timeIntervalSince1970 * 1000)) }
}
